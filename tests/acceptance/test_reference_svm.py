"""The reference model: one machine per abusive class."""

import pytest

from benchmarks.reference_svm import train_linear

POSTS = ["you fool", "you clown", "nice garden", "sunny garden"] * 10
LABELS = ["hate", "rude", "fine", "fine"] * 10


def test_a_post_is_abusive_when_any_machine_says_so():
    model = train_linear(POSTS, LABELS, abusive=("hate", "rude"))
    assert len(model.machines) == 2
    assert model.predict(["fool", "clown", "garden"]) == [True, True, False]
    assert model.predict([]) == []


def test_data_without_a_class_is_refused():
    with pytest.raises(ValueError, match="labelled none"):
        train_linear(POSTS, LABELS, abusive=("none",))
    with pytest.raises(ValueError, match="not abusive"):
        train_linear(["a", "b"], ["x", "x"], abusive=("x",))
