"""Screening without models: duplicates, language, length, leaks, personal data, target."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.checks.algorithm.duplicates import DuplicateIndex, normalise
from generation.checks.algorithm.languages import find_other_languages
from generation.checks.algorithm.leaks import find_leak, runs_of_words
from generation.checks.algorithm.personal_data import find_personal_data
from generation.checks.algorithm.screening import CHECKS, Candidate, ScreeningSettings, screen_candidates

QUICK = ScreeningSettings(checks=frozenset(CHECKS) - {"language"})
LONG_LINE = "garden river baker sings bread early morning never winter market church window yellow slowly carries"
WORDS = LONG_LINE.split()


def found(text, **changes):
    (screened,) = screen_candidates([Candidate("c", text, **changes)], settings=QUICK)
    return [finding.check for finding in screened.findings]


def test_a_good_message_is_clean():
    (screened,) = screen_candidates([Candidate("c", "The bakers sing early in the morning.", terms=("baker",))])
    assert screened.is_clean


def test_the_same_text_in_other_letters_is_an_exact_duplicate():
    texts = ["Bakers sing, early!", "bakers  SING early", "Ｂakers sing early…"]
    first, *others = screen_candidates([Candidate(str(i), text) for i, text in enumerate(texts)], settings=QUICK)
    assert first.is_clean
    assert [[(f.check, f.other) for f in item.findings] for item in others] == [[("duplicate", "0")]] * 2


def test_a_changed_word_is_a_near_duplicate_and_another_sentence_is_not():
    index = DuplicateIndex(similarity=0.85)
    assert index.look_up("a", "The bakers in our street sing every morning before sunrise") is None
    near = index.look_up("b", "The bakers in our street sing each morning before sunrise")
    assert near is not None
    assert (near.other, near.is_exact) == ("a", False)
    assert 0.85 <= near.similarity < 1
    assert index.look_up("c", "Pilots rarely sing while they land a plane at night") is None


def test_texts_of_the_suite_are_compared_too():
    (screened,) = screen_candidates(
        [Candidate("new", "Bakers sing early.")], existing=[("en-00007", "bakers sing early")], settings=QUICK
    )
    assert screened.findings[0].other == "en-00007"


def test_the_same_sentence_about_another_group_is_no_near_duplicate():
    sentence = "I really admire the {} who run the bakery in our old town every single day."
    texts = [("women", "women"), ("Muslims", "Muslims"), ("women", "womEn"), ("women", "woman")]
    candidates = [Candidate(str(n), sentence.format(word), group=group) for n, (group, word) in enumerate(texts)]
    existing = {"gay people": [("case", sentence.format("gay people"))], "Muslims": [("other", candidates[0].text)]}
    screened = screen_candidates(candidates, existing=existing, settings=QUICK)
    told = [[(finding.check, finding.other) for finding in item.findings] for item in screened]
    # Exactly the same text is told whatever its group.
    assert told[0] == [("duplicate", "other")]
    assert told[1] == [("near_duplicate", "other")]
    assert told[2] == [("duplicate", "other")]
    assert told[3] == []


@given(st.lists(st.sampled_from(WORDS), min_size=6, max_size=14), st.integers(0, 10**6))
@settings(max_examples=100, deadline=None)
def test_one_changed_letter_in_a_long_text_is_always_found(words, seed):
    text = " ".join(words)
    position = random.Random(seed).randrange(len(text))
    changed = text[:position] + "q" + text[position + 1 :]
    index = DuplicateIndex(similarity=0.85)
    index.add_all([("a", text)])
    found = index.find(changed)
    assert found is not None
    assert found.other == "a"


@given(st.lists(st.text(alphabet="abc ", max_size=12), max_size=12))
@settings(max_examples=60, deadline=None)
def test_no_two_kept_texts_are_equal(texts):
    index = DuplicateIndex()
    kept = [text for number, text in enumerate(texts) if index.look_up(str(number), text) is None]
    assert len({normalise(text) for text in kept}) == len(kept) == len({normalise(t) for t in kept})


def test_a_similarity_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match=r"0\.5 to 1"):
        DuplicateIndex(similarity=0.2)


def test_another_language_is_noticed_and_what_cannot_be_judged_is_left_alone():
    texts = [
        ("I really do not like the weather in this town", "de"),
        ("Das Wetter in dieser Stadt gefällt mir überhaupt nicht", "de"),
        ("这座城市的天气我一点也不喜欢", "en"),
        ("Yeh mausam mujhe bilkul pasand nahi hai", "hi"),
        ("ok", "fr"),
        ("Saluton al ĉiuj miaj amikoj", "eo"),
    ]
    assert find_other_languages(texts) == ["en", None, "zh", None, None, None]


def test_a_word_without_end_is_screened_in_no_time():
    # Looking for an address from each of its letters would take minutes.
    endless = "Women laughed and " + "ha" * 200_000
    assert found(endless) == ["length"]
    assert find_other_languages([(endless, "en")] * 3) is not None


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Write to anna.b@example.org today", ["e-mail address"]),
        ("Ask @some_body about it", ["handle"]),
        ("Ask @user about it", []),
        ("Call +49 170 1234567 now", ["telephone number"]),
        ("Call (030) 123 45 67 now", ["telephone number"]),
        ("See https://example.org/x for more", ["link"]),
        ("On 12.05.2021 about 1,000,000 people came, 1990-2020", []),
        ("In 2021 there were 45678 of them", []),
        ("اكتب إلى ahmad@example.com", ["e-mail address"]),
    ],
)
def test_personal_data_is_found(text, kinds):
    assert [kind for kind, _ in find_personal_data(text)] == kinds


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('"messages": ["x"]', "answer format"),
        ("I like {group} a lot", "answer format"),
        ("As an AI, I like bakers", "speaks of its task"),
        ("Here are 20 messages about bakers", "speaks of its task"),
        ("Write some different messages that say something positive about bakers", "words of the instruction"),
    ],
)
def test_leaked_instructions_are_found(text, part):
    prompt = runs_of_words("Write 20 some different messages that say something positive about bakers.")
    assert part in (find_leak(text, instructions=[prompt]) or "")


def test_a_message_that_shares_a_few_words_with_the_instruction_is_fine():
    assert (
        find_leak("Say something positive about bakers", instructions=[runs_of_words("say something positive about")])
        is None
    )


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        ("say something positive about bakers", "Say something positive about bakers, please!"),
        ("写一些句子，对面包师表达非常正面的看法", "这里对面包师表达非常正面的看法。"),
    ],
)
def test_a_short_instruction_and_one_without_blanks_are_recognised(instruction, text):
    assert "words of the instruction" in (find_leak(text, instructions=[runs_of_words(instruction)]) or "")


def test_length_and_target_are_checked():
    assert found("Too short") == ["length"]
    assert found("word " * 200) == ["length"]
    assert found("These people sing early.", terms=("baker", "cook")) == ["missing_target"]
    assert found("那些面包师很早唱歌", language="zh", terms=("面包师",)) == []


def test_checks_can_be_switched_off_and_unknown_ones_are_refused():
    (screened,) = screen_candidates([Candidate("c", "x")], settings=ScreeningSettings(checks=frozenset({"duplicate"})))
    assert screened.is_clean
    with pytest.raises(ValueError, match="no check is called 'beauty'"):
        ScreeningSettings(checks=frozenset({"beauty"}))


def test_of_several_alike_one_without_another_fault_is_kept():
    text = "Women at the bakery open the shutters early."
    about_men = Candidate("1", text, "en", ("men",))
    about_women = Candidate("2", text, "en", ("women",))
    first, second = screen_candidates([about_men, about_women], settings=QUICK)
    assert [finding.check for finding in first.findings] == ["duplicate", "missing_target"]
    assert first.findings[0].other == "2"
    assert second.is_clean


def test_progress_is_told_and_stopping_keeps_what_is_done():
    candidates = [Candidate(str(i), f"Message number {i} of many") for i in range(1200)]
    progress = []
    done = screen_candidates(
        candidates,
        settings=QUICK,
        on_progress=lambda *step: progress.append(step),
        should_stop=lambda: len(progress) == 2,
    )
    assert progress == [(500, 1200), (1000, 1200)]
    assert len(done) == 1000
