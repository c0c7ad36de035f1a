"""Each perturbation on words we know, with counter-examples."""

import pytest

from curation.morphology.perturb import attempt, perturb


def results(key: str, text: str, language: str, seeds: int = 40) -> set[str | None]:
    return {perturb(key, text, seed=seed, language=language) for seed in range(seeds)}


def test_swapping_moves_neighbours_and_leaves_the_first_letter():
    assert results("char_swap", "gate", "en") == {"gtae", "gaet"}
    assert results("char_swap", "cat", "en") == {"act", "cta"}
    assert results("char_swap", "on", "en") == {None}
    assert results("char_swap", "aaaa", "en") == {None}


def test_deleting_takes_a_letter_from_inside():
    assert results("char_del", "gate", "en") == {"gte", "gae"}
    assert results("char_del", "at it", "en") == {None}


def test_deletion_takes_a_letter_with_its_marks():
    assert results("char_del", "crême", "en") == {"cême", "crme", "crêe"}


def test_the_missing_boundary_is_between_words_not_behind_a_comma():
    assert results("space_del", "Well, go home", "en") == {"Well, gohome"}
    assert results("space_del", "home", "en") == {None}
    assert results("space_del", "I like [IDENTITY_P]", "en") == {"Ilike [IDENTITY_P]", "I like[IDENTITY_P]"}


def test_spaces_stand_between_letters_not_between_a_letter_and_its_mark():
    assert results("space_add", "crême", "fr") == {"c r ê m e"}
    assert results("space_add", "क्षमा", "hi").isdisjoint({"क ् ष म ा"})
    assert results("space_add", "a bc", "en") == {None}


def test_leet_turns_letters_into_digits_that_look_alike():
    assert results("leet", "hate", "en") == {"h4te", "ha7e", "hat3"}
    assert results("leet", "ÉTÉ", "fr") == {"3TÉ", "ÉT3", "É7É"}
    assert results("leet", "my fury", "en") == {None}
    assert results("leet", "2021", "en") == {None}
    assert "город" not in str(results("leet", "город", "ru"))


def test_repetition_draws_a_letter_out():
    for text in results("char_repeat", "بكره", "ar"):
        assert text is not None
        assert 7 <= len(text) <= 11
        assert len(set(text)) == 4
    assert all("ةة" not in str(text) for text in results("char_repeat", "حرمة", "ar"))


def test_arabic_letters_become_the_digits_of_chats():
    assert results("char_eng_replace", "ما فيش حاجة", "ar") == {"ما فيش 7اجة"}
    assert results("char_eng_replace", "خالص", "ar") == {"5الص", "خال9"}
    assert results("char_eng_replace", "حب وحب", "ar") == {"7ب و7ب"}
    assert results("char_eng_replace", "من", "ar") == {None}


@pytest.mark.parametrize(
    ("text", "variant"),
    [("حاجة", "حاجه"), ("انا", "انى"), ("أنتو", "انتو"), ("لوطي", "لوطى"), ("مخنث", "مخنت"), ("الأهل", "الاهل")],
)
def test_alternative_spellings_are_those_readers_accept(text, variant):
    assert variant in results("word_variation", text, "ar")


def test_a_word_without_an_alternative_spelling_stays():
    assert results("word_variation", "من", "ar") == {None}
    assert "hamza" not in attempt("word_variation", "من", seed=1, language="ar").reason


def test_arabizi_writes_the_whole_sentence():
    assert perturb("arabizi", "انا بحب ال[IDENT_P].", seed=1, language="ar") == "ana b7b el [IDENT_P]."
    assert results("arabizi", "شقة", "ar") <= {"sh2a", "shka", "shqa", "42a", "4ka", "4qa"}
    assert perturb("arabizi", "مُدَرِّس؟ ٣", seed=1, language="ar") == "modarres? 3"
    assert perturb("arabizi", "no Arabic here", seed=1, language="ar") is None


def test_homophones_sound_alike():
    from pypinyin import lazy_pinyin

    for text in results("homophone", "性别", "zh"):
        assert text is not None
        assert text != "性别"
        assert lazy_pinyin(text) == ["xing", "bie"]
    assert results("homophone", "hello", "zh") == {None}


def test_characters_are_taken_apart_only_where_they_stand_side_by_side():
    assert results("char_comp", "恨", "zh") == {"忄艮"}
    assert results("char_comp", "外", "zh") == {"夕卜"}
    assert results("char_comp", "妖", "zh") == {"女夭"}
    assert results("char_comp", "佬", "zh") == {"亻老"}
    assert results("char_comp", "恶", "zh") == {None}  # one above the other
    assert results("char_comp", "人", "zh") == {None}


def test_pinyin_follows_the_context():
    assert "chong庆" in results("pinyin", "重庆", "zh")
    assert "zhong要" in results("pinyin", "重要", "zh")
    assert results("pinyin", "女", "zh") == {"nv"}
    assert results("pinyin", "我女", "zh") == {"我nv"}  # function words last


def test_homoglyphs_are_of_another_script_and_of_the_same_case():
    found = results("homoglyphs", "Coca", "en")
    assert "Cоca" in found  # with a Cyrillic o
    for text in found:
        assert text is not None
        assert text != "Coca"
        assert [letter.isupper() for letter in text] == [True, False, False, False]
    assert results("homoglyphs", "كلب", "ar") == {"کلب"}
    assert results("homoglyphs", "女人", "zh") == {None}


def test_emoji_replace_letters_or_stand_between_words():
    assert results("emoji", "bog", "en") == {"🅱️og", "b⭕g"}
    assert all(text and text.count(" ") == 4 for text in results("emoji", "у меня дом", "ru"))
    assert results("emoji", "дом", "ru") == {None}


def test_a_language_a_perturbation_is_not_made_for_is_named():
    assert attempt("pinyin", "日本", seed=1, language="ja").reason == "'pinyin' is made for zh, not for ja"
