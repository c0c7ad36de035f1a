import pytest

from core.inference.errors import LabelsUnclear
from evaluation.runners.labels import map_labels
from evaluation.runners.settings import RunnerSettings

SETTINGS = RunnerSettings()


@pytest.mark.parametrize(
    ("names", "positives"),
    [
        (["non-hateful", "hateful"], {"hateful"}),
        (["NOT_HATE", "HATE"], {"HATE"}),
        (["nothate", "hate"], {"hate"}),
        (["hate speech", "offensive", "neither"], {"hate speech"}),
        (["neutral", "toxic"], {"toxic"}),
        (["normal", "Hate-Speech", "offensive language".replace(" language", "")], {"Hate-Speech"}),
    ],
)
def test_names_that_tell_are_mapped(names, positives):
    mapped = map_labels(names, settings=SETTINGS)
    assert {name for name, label in mapped.items() if label == "hateful"} == positives
    assert set(mapped) == set(names)


@pytest.mark.parametrize(
    "names", [["LABEL_0", "LABEL_1"], ["hate", "offensive"], ["positive", "negative"], ["neutral"]]
)
def test_names_that_do_not_tell_are_refused_with_an_example_of_a_mapping(names):
    with pytest.raises(LabelsUnclear) as caught:
        map_labels(names, settings=SETTINGS)
    assert all(name in str(caught.value) for name in names)
    assert "labels: {" in str(caught.value)


def test_an_explicit_mapping_wins():
    explicit = {"LABEL_0": "hateful", "LABEL_1": "non-hateful"}
    assert map_labels(["LABEL_0", "LABEL_1"], settings=SETTINGS, explicit=explicit) == explicit


@pytest.mark.parametrize(
    ("explicit", "says"),
    [
        ({"LABEL_0": "hateful"}, "not mapped: LABEL_1"),
        ({"LABEL_0": "hateful", "LABEL_1": "non-hateful", "LABEL_2": "hateful"}, "unknown to the model: LABEL_2"),
        ({"LABEL_0": "bad", "LABEL_1": "non-hateful"}, "not a label here: bad"),
        ({"LABEL_0": "non-hateful", "LABEL_1": "non-hateful"}, "no class is mapped to 'hateful'"),
    ],
)
def test_an_explicit_mapping_that_does_not_fit_is_refused(explicit, says):
    with pytest.raises(LabelsUnclear, match=says):
        map_labels(["LABEL_0", "LABEL_1"], settings=SETTINGS, explicit=explicit)


def test_three_classes_without_names_are_not_counted_up_from_harmless():
    with pytest.raises(LabelsUnclear) as caught:
        map_labels(["0", "1", "2"], settings=RunnerSettings())
    assert "Davidson et al." in caught.value.sentence
    assert "--label-map 0=hateful 1=non-hateful 2=non-hateful" in caught.value.sentence
