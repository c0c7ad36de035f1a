from hypothesis import given
from hypothesis import strategies as st

from curation.morphology.placeholders import tokens_for_highlighting


def roles(text: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.role) for span in tokens_for_highlighting(text)]


def test_every_part_of_a_placeholder_has_its_role():
    assert roles("a [identity#1:Number=Plur|leet]") == [
        ("a ", "text"),
        ("[", "bracket"),
        ("identity", "kind"),
        ("#", "sign"),
        ("1", "label"),
        (":", "sign"),
        ("Number", "feature"),
        ("=", "sign"),
        ("Plur", "value"),
        ("|", "sign"),
        ("leet", "perturbation"),
        ("]", "bracket"),
    ]


def test_a_published_token_is_an_alias():
    assert ("IDENT_P", "alias") in roles("[IDENT_P]")


def test_a_choice_shows_what_it_follows_and_its_features():
    assert roles("[identity#1]{#1:Gender=Fem:une|un}")[5:] == [
        ("{", "bracket"),
        ("#1:", "label"),
        ("Gender=Fem:", "feature"),
        ("une", "option"),
        ("|", "sign"),
        ("un", "option"),
        ("}", "bracket"),
    ]


def test_escapes_stand_out():
    assert ("\\[", "escape") in roles(r"a \[b\]")


def test_an_unknown_name_is_marked_at_its_bracket():
    assert roles("[idntity]") == [("[", "error"), ("idntity", "unknown"), ("]", "bracket")]


def test_a_half_typed_placeholder_is_coloured_all_the_same():
    assert roles("the [identity:Num")[-1] == ("Num", "feature")
    assert ("[", "error") in roles("the [identity:Num")


@given(st.text(st.sampled_from("[]{}|:#=\\ abidentity")))
def test_spans_cover_the_whole_text_in_order(text: str):
    spans = tokens_for_highlighting(text)
    assert "".join(text[span.start : span.end] for span in spans) == text
