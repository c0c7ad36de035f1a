import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.morphology.features import NONE, FeatureError, Features, canonical, of_pairs, parse_features

NAMES = st.sampled_from(["Case", "Number", "Gender", "Pos", "Definite"])
VALUES = st.sampled_from(["Nom", "Dat", "Sing", "Plur", "Masc", "Fem", "Ind"])
FEATURES = st.dictionaries(NAMES, VALUES).map(lambda pairs: of_pairs(pairs.items()))


def test_features_are_written_in_one_order_whatever_the_order_they_came_in():
    assert canonical("Number=Plur|Case=Dat") == canonical("Case=Dat, Number=Plur") == "Case=Dat|Number=Plur"


def test_no_features_are_written_as_nothing_or_an_underscore():
    assert parse_features("") == parse_features(" _ ") == NONE
    assert str(NONE) == ""


@pytest.mark.parametrize("text", ["Number", "Number=", "=Plur", "Number Plur", "Number=Plur||Case=Dat", "N&=x"])
def test_what_is_not_name_and_value_is_refused(text):
    with pytest.raises(FeatureError, match="Name=Value"):
        parse_features(text)


def test_a_feature_with_two_values_is_refused():
    with pytest.raises(FeatureError, match="Number is given two values, Plur and Sing"):
        parse_features("Number=Plur|Number=Sing")


def test_the_stronger_side_of_a_merge_wins():
    merged = parse_features("Case=Nom|Number=Sing").merge(parse_features("Case=Dat"))
    assert str(merged) == "Case=Dat|Number=Sing"


def test_conflicts_name_the_features_with_different_values_only():
    assert parse_features("Gender=Masc|Number=Sing").conflicts(parse_features("Gender=Fem|Case=Dat")) == ("Gender",)


@given(FEATURES)
def test_reading_what_was_written_gives_it_back(features: Features):
    assert parse_features(str(features)) == features
    assert hash(parse_features(str(features))) == hash(features)


@given(FEATURES, FEATURES)
def test_a_merge_holds_all_of_the_stronger_side(weaker: Features, stronger: Features):
    merged = weaker.merge(stronger)
    assert stronger.is_subset(merged)
    assert {name for name, _ in merged} == {name for name, _ in weaker} | {name for name, _ in stronger}


@given(FEATURES)
def test_a_subset_of_itself_and_of_nothing_else_when_cut(features: Features):
    assert features.is_subset(features)
    for name, _ in features:
        assert not features.is_subset(features.without(name))
