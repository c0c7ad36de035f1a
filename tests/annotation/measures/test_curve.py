"""Kappa over time is computed from the labels, whoever was looking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.measures.coefficients import fleiss_kappa
from annotation.measures.curve import GivenLabel, kappa_curve

LABELS = ("hateful", "non-hateful")


def kappa_of(labels):
    cases = list(dict.fromkeys(one.case for one in labels))
    return fleiss_kappa(
        [[sum(one.case == case and one.label == name for one in labels) for name in LABELS] for case in cases]
    ).value


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(LABELS)), min_size=1, max_size=60), st.integers(1, 12))
def test_every_point_is_the_kappa_of_the_labels_until_then(pairs, points):
    labels = [GivenLabel(case, label, time) for time, (case, label) in enumerate(pairs)]
    curve = kappa_curve(labels, labels=LABELS, points=points)
    assert len(curve) <= points
    assert curve[-1].labels == len(labels)
    assert [point.labels for point in curve] == sorted({point.labels for point in curve})
    for point in curve:
        assert point.kappa == pytest.approx(kappa_of(labels[: point.labels]))
        assert point.time == labels[point.labels - 1].time


def test_labels_of_one_moment_are_one_point():
    labels = [GivenLabel(number // 2, LABELS[number % 2], "then") for number in range(40)]
    assert [point.labels for point in kappa_curve(labels, labels=LABELS)] == [40]


def test_without_labels_there_is_no_point():
    assert kappa_curve([], labels=LABELS) == []
