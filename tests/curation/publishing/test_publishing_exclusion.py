"""The closure of exclusions, against a walk over the graph written without any cleverness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.publishing.exclusion import Failed, LeftOut, close_over


@st.composite
def suites(draw):
    """An invented suite: templates that refer to others (also in circles), cases of them, some of which failed."""
    templates = list(range(draw(st.integers(1, 12))))
    origin = st.one_of(st.none(), st.sampled_from(templates))
    refers_to = {template: draw(origin) for template in templates}
    cases = [f"case {number}" for number in range(draw(st.integers(1, 30)))]
    template_of = {case: draw(origin) for case in cases}
    failed = draw(st.sets(st.sampled_from(cases), max_size=4))
    return template_of, refers_to, failed


def closure(failed, *, template_of, refers_to, **more) -> dict[str, LeftOut]:
    """What is left out, by case; a case is its own name."""
    rejected = {case: Failed(case, template_of.get(case)) for case in sorted(failed)}
    return dict(close_over(template_of.items(), rejected, refers_to=refers_to, **more))


def reasons(failed, **suite) -> dict[str, str]:
    return {case: left.reason for case, left in closure(failed, **suite).items()}


def walk(template_of, refers_to, failed, cascade):
    """For each case on its own: look for a failed case by following references upwards."""
    found = {}
    for case, template in template_of.items():
        if case in failed:
            found[case] = "disagreement"
            continue
        if cascade == "none" or template is None:
            continue
        step, seen = 0, set()
        while template is not None and template not in seen and (step == 0 or cascade == "closure"):
            seen.add(template)
            if any(template_of[other] == template for other in failed):
                found[case] = "template" if step == 0 else "reference"
                break
            template, step = refers_to[template], step + 1
    return found


@given(suites(), st.sampled_from(["closure", "template", "none"]))
def test_the_closure_excludes_exactly_what_a_walk_finds(suite, cascade):
    template_of, refers_to, failed = suite
    found = reasons(failed, template_of=template_of, refers_to=refers_to, cascade=cascade)
    assert found == walk(template_of, refers_to, failed, cascade)


@given(suites())
def test_every_exclusion_goes_back_to_a_failed_case_of_its_line(suite):
    template_of, refers_to, failed = suite
    for case, excluded in closure(failed, template_of=template_of, refers_to=refers_to).items():
        assert excluded.because_of in failed
        line, template = [], template_of[case]
        while template is not None and template not in line:
            line.append(template)
            template = refers_to[template]
        if excluded.reason == "disagreement":
            assert excluded.because_of == case
        else:
            assert template_of[excluded.because_of] in line


@given(suites())
def test_a_shorter_cascade_excludes_no_case_that_a_longer_one_keeps(suite):
    template_of, refers_to, failed = suite
    none, template, closure = (
        set(reasons(failed, template_of=template_of, refers_to=refers_to, cascade=cascade))
        for cascade in ("none", "template", "closure")
    )
    assert none <= template <= closure


@given(suites())
def test_more_failures_never_bring_a_case_back(suite):
    template_of, refers_to, failed = suite
    fewer = sorted(failed)[:-1]
    small = reasons(fewer, template_of=template_of, refers_to=refers_to)
    large = reasons(failed, template_of=template_of, refers_to=refers_to)
    assert set(small) <= set(large)


@given(suites(), st.data())
def test_a_kept_case_stays_and_changes_nothing_for_the_others(suite, data):
    template_of, refers_to, failed = suite
    kept = data.draw(st.sets(st.sampled_from(sorted(template_of)))) - failed
    everything = reasons(failed, template_of=template_of, refers_to=refers_to)
    assert reasons(failed, template_of=template_of, refers_to=refers_to, kept=kept) == {
        case: reason for case, reason in everything.items() if case not in kept
    }


def test_references_are_followed_over_several_steps():
    template_of = {"a": 1, "b": 1, "c": 2, "d": 3, "e": 4}
    refers_to = {1: None, 2: 1, 3: 2, 4: None}
    assert reasons(["a"], template_of=template_of, refers_to=refers_to) == {
        "a": "disagreement",
        "b": "template",
        "c": "reference",
        "d": "reference",
    }


def test_the_template_that_is_referred_to_stays():
    assert reasons(["b"], template_of={"a": 1, "b": 2}, refers_to={2: 1}) == {"b": "disagreement"}


def test_a_case_without_a_template_leaves_alone():
    assert reasons(["a"], template_of={"a": None, "b": None}, refers_to={}) == {"a": "disagreement"}


def test_a_failed_case_outside_the_suite_is_refused():
    with pytest.raises(ValueError, match="case z failed but is not in the suite"):
        reasons(["z"], template_of={"a": 1}, refers_to={})
