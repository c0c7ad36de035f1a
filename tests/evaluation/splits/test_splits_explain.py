"""What is said about a split is true: words, lengths, groups, sources, topics, and the way it goes with the drop."""

import math

import numpy as np
import pytest

from evaluation.splits.algorithm import surface
from evaluation.splits.algorithm.explain import Properties, correlate_with_drop, describe_split, parse_groups
from evaluation.splits.algorithm.surface import find_topics
from evaluation.splits.algorithm.values import Split


def split_of(train, test) -> Split:
    return Split("random", 0, tuple(train), tuple(test), (), {})


def properties(overlap: float | None) -> Properties:
    return Properties(overlap, 0.0, 0.0)


def test_overlap_is_one_for_texts_seen_in_training_and_zero_for_new_words():
    train = ["green garden chairs", "purple dragons"]
    assert surface.unigram_overlap(train, ["garden green chairs"]) == pytest.approx(1.0)
    assert surface.unigram_overlap(train, ["yellow submarine"]) == 0.0
    assert surface.unigram_overlap(train, ["green garden", "yellow submarine"]) == pytest.approx(math.sqrt(2 / 3) / 2)


def test_unseen_words_lower_the_overlap_and_stop_words_do_not_count():
    train = ["purple dragons"]
    assert surface.unigram_overlap(train, ["purple submarine"]) == pytest.approx(0.5)
    assert surface.unigram_overlap(train, ["the purple dragons and of the"]) == pytest.approx(1.0)


def test_empty_sides_are_undefined():
    assert surface.unigram_overlap([], ["a"]) is None
    assert surface.unigram_overlap(["the and of"], ["purple"]) is None
    assert surface.mean_length([]) is None
    assert surface.rare_word_share([]) is None
    assert surface.source_divergence([], ["x"]) is None


def test_rare_words_are_known_ones_used_less_than_once_in_a_million():
    assert surface.rare_word_share(["the house", "galoshes house"]) == pytest.approx(1 / 4)
    assert surface.rare_word_share(["the house", "qwzjxx house"]) == 0.0
    assert surface.rare_word_share(["qwzjxx"]) is None
    assert surface.rare_word_share(["the"], language="qq") is None


def test_divergence_is_zero_for_equal_sources_and_one_for_an_unseen_one():
    assert surface.source_divergence(["a", "b"], ["b", "a", "a", "b"]) == pytest.approx(0.0)
    assert surface.source_divergence(["a"], ["a", "new"]) == 1.0
    expected = 1 - math.exp(-(0.75 * math.log(1.5) + 0.25 * math.log(0.5)))
    assert surface.source_divergence(["a", "b"], ["a", "a", "a", "b"]) == pytest.approx(expected)


def test_groups_are_under_represented_with_fewer_than_half_of_their_occurrences_in_training():
    train = [{"women"}, {"women"}, {"men"}, set()]
    test = [{"women"}, {"men"}, {"monks", "men"}, {"men"}]
    assert surface.under_represented(train, test) == {"monks": 0.0, "men": 0.25}
    assert surface.under_represented([{"men"}], [{"men"}]) == {}  # half is not fewer than half


def test_groups_of_fewer_than_three_in_a_hundred_examples_are_left_to_chance():
    train = [set()] * 90
    assert surface.under_represented(train, [{"monks"}] * 3 + [set()] * 7) == {"monks": 0.0}
    assert surface.under_represented(train, [{"monks"}] * 2 + [set()] * 8) == {}


@pytest.mark.parametrize(
    ("cell", "groups"),
    [
        ("{'Women', 'Men'}", {"Women", "Men"}),
        ("women; men", {"women", "men"}),
        ("", set()),
        ("{broken", {"broken"}),
        ("(5)", {"5"}),
        ("{'None'}", set()),
        ("{'None', 'Women'}", {"Women"}),
        ("set()", set()),
        ("[]", set()),
    ],
)
def test_group_cells_are_read_in_every_spelling(cell, groups):
    assert parse_groups(cell) == groups


def test_a_split_is_described_in_one_go():
    texts = ["purple dragons fly", "green garden", "purple dragons", "qwzjxx"]
    found = describe_split(
        split_of([0, 1], [2, 3]),
        texts,
        keywords=["dragons"],
        groups=["{'a'}", "{'b'}", "{'b'}", "{'b'}"],
        sources=["x", "y", "x", "x"],
    )
    assert found.test_length == pytest.approx((len("purple dragons") + len("qwzjxx")) / 2)
    assert found.under_represented_groups == {"b": pytest.approx(1 / 3)}
    assert found.under_represented_keywords == {}
    assert found.rare_words_difference == 0.0
    assert found.source_divergence == pytest.approx(0.5)


def test_correlation_equals_numpys_and_is_undefined_with_a_reason():
    rows = [properties(value) for value in (0.9, 0.7, 0.4, 0.1)]
    found = correlate_with_drop(rows, [0.0, 0.1, 0.25, 0.3])
    assert found["unigram_overlap"].r == pytest.approx(np.corrcoef([0.9, 0.7, 0.4, 0.1], [0.0, 0.1, 0.25, 0.3])[0, 1])
    assert found["unigram_overlap"].n == 4
    assert found["test_length"].r is None
    assert found["test_length"].reason == "All values are equal."
    assert correlate_with_drop(rows[:2], [0.0, 0.1])["unigram_overlap"].reason == "At least three splits are needed."


def test_p_values_are_corrected_for_the_number_of_properties():
    rows = [Properties(overlap, length, 0.0) for overlap, length in ((0.9, 10), (0.7, 30), (0.4, 20), (0.1, 60))]
    found = correlate_with_drop(rows, [0.0, 0.1, 0.25, 0.3])
    smaller, larger = sorted((found["unigram_overlap"], found["test_length"]), key=lambda one: one.p)
    assert smaller.p_holm == pytest.approx(2 * smaller.p)
    assert larger.p_holm == pytest.approx(max(larger.p, 2 * smaller.p))
    assert found["rare_words_difference"].p_holm is None


def test_splits_without_a_value_are_left_out_of_its_correlation():
    rows = [properties(value) for value in (0.9, None, 0.4, 0.1)]
    assert correlate_with_drop(rows, [0.0, 0.9, 0.25, 0.3])["unigram_overlap"].n == 3


def test_topics_are_the_words_that_set_a_group_apart():
    texts = ["football goal team", "football team win", "soup kitchen spoon", "soup spoon team"]
    topics = find_topics(texts, ["sport", "sport", "food", "food"], words=2)
    assert [topic.name for topic in topics] == ["food", "sport"]
    assert {word for word, _ in topics[0].words} == {"soup", "spoon"}
    assert topics[1].words[0][0] == "football"
    assert topics[1].size == 2


def test_unequal_columns_are_refused():
    with pytest.raises(ValueError, match="2 texts but 1 groups"):
        find_topics(["a", "b"], ["x"])
    with pytest.raises(ValueError, match="1 splits but 2 drops"):
        correlate_with_drop([properties(1)], [0.1, 0.2])


@pytest.mark.parametrize("language", ["zh", "ja", "xx", "english", "!!"])
def test_a_language_without_a_usable_word_list_is_undefined_not_a_crash(language):
    found = describe_split(split_of([0], [1]), ["他们 很 好 hello", "他们 不 好 world"], language=language)
    assert found.rare_words_difference is None
