import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.runners.json_values import NotThere, fill, find, mentions, parse_path

ANSWER = {"a": {"b": [{"label": "ok", "score": 0.1}, {"label": "hate", "score": 0.9}]}}


@pytest.mark.parametrize("path", ["a.b[1].score", "a.b[label=hate].score", "$.a.b[1].score"])
def test_a_path_finds_its_value(path):
    assert find(ANSWER, parse_path(path)) == 0.9


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("a.c", "no key 'c' in an object with b"),
        ("a.b[5]", "no position 5 in a list of 2"),
        ("a.b[label=x]", "label = x"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_ended(path, says):
    with pytest.raises(NotThere) as caught:
        find(ANSWER, parse_path(path))
    assert says in str(caught.value)


@pytest.mark.parametrize("path", ["", "$", "a[", "a]b"])
def test_a_path_that_is_none_is_refused(path):
    with pytest.raises(ValueError):
        parse_path(path)


@given(st.text())
def test_whatever_the_text_is_it_arrives_unchanged(text):
    body = fill({"x": ["{text}", "say: {text}!"], "n": 1}, {"text": text})
    assert body == {"x": [text, f"say: {text}!"], "n": 1}


def test_other_braces_are_left_alone():
    assert fill('answer as {"label": ...}: {text}', {"text": "{text} {0}"}) == 'answer as {"label": ...}: {text} {0}'


def test_a_lone_placeholder_takes_on_the_value_itself():
    assert fill({"all": "{texts}"}, {"texts": ["a", "b"]}) == {"all": ["a", "b"]}


def test_a_mention_is_found_at_any_depth():
    assert mentions({"a": [{"b": "x {text}"}]}, "text")
    assert not mentions({"a": ["text"]}, "text")
