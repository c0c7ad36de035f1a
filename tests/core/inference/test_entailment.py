"""Which outputs of a model mean entailment and contradiction, and the share that is made of them."""

import numpy as np
import pytest

from core.inference.entailment import entailed_shares, find_classes
from core.inference.errors import ModelUnusable


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["entailment", "neutral", "contradiction"], (2, 0)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], (0, 2)),
        (["entailment", "not_entailment"], (1, 0)),
        (["entailment", "not entailment"], (1, 0)),
        (["non-entailment", "entailment"], (0, 1)),
    ],
)
def test_the_classes_of_a_model_are_found_by_name(names, expected):
    assert find_classes(names) == expected


@pytest.mark.parametrize("names", [["positive", "negative"], ["entailment", "neutral"], ["contradiction"]])
def test_a_model_that_is_not_for_inference_is_refused(names):
    with pytest.raises(ModelUnusable, match=f"not a model of entailment: its classes are {', '.join(names)}"):
        find_classes(names)


def test_the_share_is_the_softmax_over_the_two_classes():
    rows = np.array([[0.0, 0.0], [1000.0, -1000.0], [-2.0, 1.0]])
    assert entailed_shares(rows) == pytest.approx([0.5, 0.0, 1 / (1 + np.exp(-3))], abs=1e-12)
