"""What holds of every perturbation, whatever the text."""

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.morphology.perturb import PERTURBATIONS, attempt, perturb, perturb_word, perturbations_for
from curation.morphology.perturb.base import graphemes

SENTENCES = {
    "en": "I really like the kind neighbours of this town.",
    "ar": "انا بحب كل الجيران في الحارة دي أوي، خالص.",
    "zh": "我很喜欢这个城市的邻居和性格。",
    "hi": "mujhe yeh shehar pasand hai",
    "pl": "Lubię żółte kwiaty w ogrodzie.",
    "ru": "Я люблю этот город.",
}
LETTERS = "abcdeghilostz ÄéęłŻ' .,!?1 ابتحخعقأةىيوّ َ 女人性别城市的， नमस्ते 👩‍👩‍👧 é[]{}@#"
texts = st.one_of(
    st.text(alphabet=LETTERS, max_size=40), st.text(max_size=30), st.sampled_from(list(SENTENCES.values()))
)
languages = st.sampled_from(["en", "ar", "zh", "zh-Hans", "hi", "pl"])
keys = st.sampled_from(sorted(PERTURBATIONS))


@settings(max_examples=300, deadline=None)
@given(key=keys, text=texts, seed=st.integers(0, 5), language=languages)
def test_a_perturbed_text_differs_and_is_the_same_again_for_the_same_seed(key, text, seed, language):
    outcome = attempt(key, text, seed=seed, language=language)
    assert outcome == attempt(key, text, seed=seed, language=language)
    if outcome.text is None:
        assert outcome.reason
    else:
        assert outcome.text != text


@settings(max_examples=300, deadline=None)
@given(
    key=st.sampled_from(["char_swap", "char_del", "char_repeat", "space_add", "space_del"]),
    text=texts,
    seed=st.integers(0, 5),
)
def test_letters_keep_their_marks(key, text, seed):
    """Every letter of the result, as a reader sees it, was a letter of the text."""
    new = perturb(key, text, seed=seed, language="en")
    if new is not None:
        assert set(graphemes(new)) <= set(graphemes(text)) | {" "}


@pytest.mark.parametrize(
    ("word", "letters"),
    [
        ("स्त्री", ["स्त्री"]),
        ("क्षत्रिय", ["क्ष", "त्रि", "य"]),
        ("হিন্দু", ["হি", "ন্দু"]),
        ("क्\u200cष", ["क्\u200c", "ष"]),  # the non-joiner keeps them apart
    ],
)
def test_joined_consonants_are_one_letter(word, letters):
    assert graphemes(word) == letters


@settings(max_examples=300, deadline=None)
@given(text=texts, seed=st.integers(0, 5))
def test_swapping_only_reorders_and_deleting_takes_just_one(text, seed):
    swapped = perturb("char_swap", text, seed=seed, language="en")
    if swapped is not None:
        assert sorted(graphemes(swapped)) == sorted(graphemes(text))
    shortened = perturb("char_del", text, seed=seed, language="en")
    if shortened is not None:
        assert len(graphemes(shortened)) == len(graphemes(text)) - 1


@settings(max_examples=200, deadline=None)
@given(
    key=keys,
    before=st.sampled_from(["I like ", "انا بحب ال", "我喜欢", ""]),
    token=st.sampled_from(
        ["[IDENTITY_P]", "[identity:Number=Plur]", "{tous|toutes}", "https://example.org/a", "@somebody"]
    ),
    after=st.sampled_from([" very much.", " أوي خالص.", "的城市。", ""]),
    seed=st.integers(0, 5),
    language=languages,
)
def test_placeholders_addresses_and_mentions_stay_whole(key, before, token, after, seed, language):
    gap = " " if token[0] in "@h" else ""
    new = perturb(key, before + gap + token + gap + after, seed=seed, language=language)
    assert new is None or token in new


@pytest.mark.parametrize("key", sorted(PERTURBATIONS))
def test_an_empty_text_cannot_be_perturbed(key):
    for text in ("", " ", "!?", "123"):
        assert (
            perturb(key, text, seed=1, language="ar" if "ar" in (PERTURBATIONS[key].languages or ()) else "zh") is None
        )


@pytest.mark.parametrize("key", sorted(PERTURBATIONS))
def test_every_perturbation_acts_on_some_of_our_languages(key):
    acted = {code for code, text in SENTENCES.items() if perturb(key, text, seed=3, language=code) is not None}
    assert acted
    only = PERTURBATIONS[key].languages
    assert only is None or acted <= only


@pytest.mark.parametrize("key", sorted(PERTURBATIONS))
def test_seeds_give_different_results_sooner_or_later(key):
    code = next(code for code, text in SENTENCES.items() if perturb(key, text, seed=0, language=code) is not None)
    found = {perturb(key, SENTENCES[code], seed=seed, language=code) for seed in range(30)}
    assert len(found) > 1


def test_an_unknown_key_is_refused_with_a_suggestion():
    with pytest.raises(ValueError, match="did you mean 'leet'"):
        perturb("leett", "text", seed=1, language="en")


def test_focus_words_are_touched_first():
    for key in ("leet", "char_swap", "char_del", "space_add", "char_repeat", "homoglyphs", "emoji"):
        for seed in range(10):
            new = perturb(
                key, "I simply adore wonderful gardens everywhere.", seed=seed, language="en", focus=["adore"]
            )
            assert new is not None
            assert new.startswith("I simply ")
            assert new.endswith(" wonderful gardens everywhere."), (key, new)
    for seed in range(5):
        assert perturb("space_del", "I do adore all gardens.", seed=seed, language="en", focus=["adore"]) in (
            "I doadore all gardens.",
            "I do adoreall gardens.",
        )
    assert perturb("pinyin", "我很喜欢这个城市。", seed=2, language="zh", focus=["城"]) == "我很喜欢这个cheng市。"
    assert (
        perturb("space_add", "我很喜欢这个大城市。", seed=2, language="zh", focus=["城市"]) == "我很喜欢这个大城 市。"
    )


def test_what_can_act_is_listed_by_language_and_script():
    listed = {code: {p.key for p in perturbations_for(language=code, script=script)} for code, script in
              (("en", "Latn"), ("ar-EG", "Arab"), ("zh", "Hans"), ("hi", "Latn"))}  # fmt: skip
    assert "leet" in listed["en"] & listed["hi"]
    assert {"arabizi", "word_variation", "char_eng_replace", "char_repeat"} <= listed["ar-EG"]
    assert {"homophone", "char_comp", "pinyin", "space_add"} <= listed["zh"]
    assert not {"leet", "char_swap", "arabizi"} & listed["zh"]
    assert not regex.search("pinyin|arabizi", " ".join(listed["en"]))
    assert perturbations_for(language="cs", script="Latin") == perturbations_for(language="cs", script="Latn")
    assert {"char_swap", "char_del"} <= {p.key for p in perturbations_for(language="ka", script="Geor")}


SCRIPTS = {
    "ta": ("Taml", "\u0b80-\u0bff"), "bn": ("Beng", "\u0980-\u09ff"), "th": ("Thai", "\u0e00-\u0e7f"),
    "ko": ("Kore", "\uac00-\ud7a3\u1100-\u11ff"), "am": ("Ethi", "\u1200-\u137f"), "ka": ("Geor", "\u10a0-\u10ff"),
    "te": ("Telu", "\u0c00-\u0c7f"), "ja": ("Jpan", "\u3041-\u30ff\u4e00-\u9fff"), "lo": ("Laoo", "\u0e80-\u0eff"),
}  # fmt: skip


def words_of(letters: str) -> st.SearchStrategy[str]:
    return st.from_regex(regex_of(letters), fullmatch=True)


def regex_of(letters: str) -> str:
    return f"[{letters}]{{1,12}}( [{letters}]{{1,12}})?"


@pytest.mark.parametrize("language", SCRIPTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data(), key=keys)
def test_no_letter_of_any_script_is_split(language, data, key):
    """Words of a whole block of Unicode: a perturbation that fits the script moves, drops or repeats whole letters."""
    script, block = SCRIPTS[language]
    text = data.draw(words_of(block))
    outcome = perturb_word(key, text, language=language, script=script)
    if outcome.text is None:
        assert outcome.reason
    elif key in ("char_swap", "char_del", "char_repeat", "space_add", "space_del"):
        # Unicode's own clusters: none of the result is new, so no mark has left its letter.
        assert set(regex.findall(r"\X", outcome.text)) <= set(regex.findall(r"\X", text)) | {" "}
        assert set(graphemes(outcome.text)) <= set(graphemes(text)) | {" "}


@pytest.mark.parametrize(
    ("language", "word", "letters"),
    [
        ("th", "เพื่อน", ["เพื่", "อ", "น"]),
        ("ja", "きょうしゃ", ["きょ", "う", "しゃ"]),
        ("ja", "ニュース", ["ニュー", "ス"]),
        ("ta", "தமிழர்", ["த", "மி", "ழ", "ர்"]),
        ("ko", "한국사람", ["한", "국", "사", "람"]),
        ("te", "స్త్రీ", ["స్త్రీ"]),
        ("am", "ኢትዮጵያ", ["ኢ", "ት", "ዮ", "ጵ", "ያ"]),
    ],
)
def test_letters_are_those_a_reader_sees(language, word, letters):
    assert graphemes(word) == letters


WORDS = [
    ("ta", "தமிழர்கள்"), ("bn", "বাঙালি"), ("th", "เพื่อนบ้าน"), ("ko", "한국사람들"), ("am", "ኢትዮጵያዊ"),
    ("ka", "ქართველი"), ("te", "తెలుగువారు"), ("ja", "おとなりさん"), ("ja", "移民の人たち"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "word"), WORDS)
def test_letters_are_swapped_dropped_and_repeated_in_every_script(language, word):
    for key in ("char_swap", "char_del", "char_repeat", "space_add"):
        assert perturb_word(key, word, language=language, script=SCRIPTS[language][0]).text
    refused = perturb_word("leet", word, language=language, script=SCRIPTS[language][0])
    assert refused.reason == f"it is made for the script Latin, not for {language} in {SCRIPTS[language][0]}"
