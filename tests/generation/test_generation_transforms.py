"""Parts of a message: sentences, clauses, quotations, negation words."""

import pytest

from generation.checks.algorithm.negation import NEGATION_WORDS
from generation.checks.algorithm.rule_tests import RULE_TESTS, mentions_any
from generation.checks.algorithm.sentences import (
    after_first_clause,
    after_first_comma,
    after_first_sentence,
    split_sentences,
)
from generation.checks.algorithm.transforms import (
    drop_negation,
    drop_negation_as_published,
    find_quotations,
    has_negation,
    mask_quotation,
    only_quotation,
    transform_named,
)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two!", ["One.", "Two!"]),
        ("Dr. Li met Mr. Bo.", ["Dr. Li met Mr. Bo."]),
        ("Das ist z.B. gut. Ja?", ["Das ist z.B. gut.", "Ja?"]),
        ('He said "Go away." Then he left.', ['He said "Go away."', "Then he left."]),
        ("你好。再见！", ["你好。", "再见！"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("यह अच्छा है। हाँ।", ["यह अच्छा है।", "हाँ।"]),
        ("Wait... what?", ["Wait...", "what?"]),
        ("It cost 3.50 euros", ["It cost 3.50 euros"]),
        ("", []),
    ],
)
def test_sentences_are_split_in_many_scripts(text, sentences):
    assert split_sentences(text) == sentences


def test_clauses_and_sentences_after_the_first():
    assert after_first_comma("I met bakers; well, they sing") == "they sing"
    assert after_first_clause("I met bakers; well, they sing") == "well, they sing"
    assert after_first_comma("我见过他们，他们很好") == "他们很好"
    assert after_first_comma("no comma") is None
    assert after_first_clause("ends in a comma,") is None
    assert after_first_sentence("One. Two. Three.") == "Two. Three."
    assert after_first_sentence("One.") is None


@pytest.mark.parametrize(
    "text",
    [
        'They say "bakers don\'t sing" and that is wrong.',
        "They say 'bakers don't sing' and that is wrong.",
        "They say “bakers don't sing” and that is wrong.",
        "Sie sagen „bakers don't sing“ und das ist falsch.",
        "Ils disent « bakers don't sing » et c'est faux.",
        "他们说「bakers don't sing」，这是错的。",
    ],
)
def test_one_quotation_is_found_in_many_marks_and_survives_an_apostrophe(text):
    assert only_quotation(text) == "bakers don't sing"
    masked = mask_quotation(text) or ""
    assert "[X]" in masked
    assert "sing" not in masked


def test_two_quotations_or_none_are_no_single_quotation():
    assert only_quotation('"One" and "two".') is None
    assert mask_quotation("It's the bakers' fault, isn't it?") is None


def test_the_published_reading_lets_an_apostrophe_cut_a_quotation_short():
    text = "They say 'bakers don't sing' and so on."
    assert only_quotation(text, as_published=True) == "bakers don"
    assert find_quotations('"At the start" counts for us only.', as_published=True) == []


@pytest.mark.parametrize(
    ("language", "text", "without"),
    [
        ("en", "Bakers are never late, not once.", "Bakers are late, once."),
        ("en", "They can't and won't sing.", "They can and will sing."),
        ("en", "I didn’t say no!", "I did say !"),
        ("de", "Das ist nicht wahr.", "Das ist wahr."),
        ("fr", "Ce n'est pas vrai.", "Ce n'est vrai."),
        ("pl", "To nie jest prawda.", "To jest prawda."),
        ("zh", "这不是真的", "这真的"),
        ("hi-Latn", "Yeh sach nahi hai", "Yeh sach hai"),
        ("ar", "هذا ليس صحيح", "هذا صحيح"),
    ],
)
def test_negation_words_are_dropped(language, text, without):
    assert drop_negation(text, language) == without
    assert has_negation(text, language)


@pytest.mark.parametrize("language", NEGATION_WORDS)
def test_a_text_without_negation_stays_as_it_is(language):
    assert drop_negation("Mmm, 42 (ok).", language) == "Mmm, 42 (ok)."
    assert not has_negation("Mmm, 42 (ok).", language)


def test_the_published_reading_keeps_contractions():
    assert drop_negation_as_published("They don't sing, not ever.") == "They do n't sing , ever ."


def test_a_language_without_a_list_leaves_the_test_open():
    assert drop_negation("ne", "eo") is None
    assert has_negation("ne", "eo") is None


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("drop:neniam, ne", "Ili neniam venas, ne!", "Ili venas, !"),
        ("drop:不", "他们不来", "他们来"),
        ("after:;", "One; two; three", "two; three"),
        ("before:;", "One; two", "One"),
        ("after:;", "No mark", None),
        ("before:;", "No mark", None),
    ],
)
def test_experts_complete_transforms_with_words_and_marks(name, text, part):
    assert transform_named(name)(text, "eo") == part


@pytest.mark.parametrize("name", ["drop:", "drop", "upside_down", "between:a"])
def test_a_transform_that_is_not_complete_does_not_exist(name):
    assert transform_named(name) is None


@pytest.mark.parametrize(
    ("text", "terms", "found"),
    [
        ("Die Migrantinnen sangen.", ["Migrant"], True),
        ("IMMIGRANTS sing", ["immigrant"], True),
        ("Emigrants sing", ["migrant"], False),
        ("那些移民很好", ["移民"], True),
        ("والمهاجرين", ["مهاجرين"], True),
        ("They sing", ["", "  "], False),
    ],
)
def test_a_target_is_found_at_the_start_of_a_word(text, terms, found):
    assert mentions_any(text, terms) is found


def test_rule_tests_answer_yes_and_no():
    asked = {name: test("They came, they sang. Fine.", "en", ("they",)) for name, test in RULE_TESTS.items()}
    assert asked == {
        "has_two_clauses": True,
        "has_comma": True,
        "has_two_sentences": True,
        "has_one_quotation": False,
        "has_negation_word": False,
        "mentions_target": True,
    }
