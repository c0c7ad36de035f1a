"""Pages call features by name; unknown ones stay in their notation."""

import json

import pytest

from curation.morphology.feature_names import feature_name, features_name, form_name, value_name
from curation.morphology.features import parse_features


@pytest.mark.parametrize(
    ("features", "name"),
    [
        ("Case=Acc|Number=Plur", "accusative plural"),
        ("Number=Plur,Case=Acc", "accusative plural"),
        ("Gender=Fem", "feminine"),
        ("Case=Acc|Evident=Fh|Number=Plur", "accusative Evident=Fh plural"),
        ("", ""),
        ("half-typed=", "half-typed="),
    ],
)
def test_features_are_called_by_name(features, name):
    assert features_name(features) == name


def test_features_that_were_read_have_the_same_name():
    assert features_name(parse_features("Number=Plur")) == "plural"


def test_a_feature_and_its_values_have_names():
    assert (feature_name("Number"), value_name("Number", "Plur")) == ("number", "plural")
    assert (feature_name("Evident"), value_name("Evident", "Fh")) == ("Evident", "Fh")


@pytest.mark.parametrize(
    ("features", "perturbation", "name"),
    [
        ("Number=Plur", "", "plural"),
        ("", "", "base form"),
        ("", "leet", "base form (Leet)"),
        ("Number=Plur", "upside_down", "plural (upside_down)"),
    ],
)
def test_a_form_is_called_by_its_features_and_perturbation(features, perturbation, name):
    assert form_name(features, perturbation) == name


def test_every_feature_of_the_catalogue_has_a_name(settings):
    languages = json.loads((settings.FIXTURES / "catalogue" / "languages.json").read_text(encoding="utf-8"))
    for language in languages["languages"]:
        for feature in language["feature_schema"]["features"]:
            assert feature_name(feature["name"]) != feature["name"]
            for value in feature["values"]:
                assert value_name(feature["name"], value) != value
