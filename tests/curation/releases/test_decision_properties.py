"""Whatever the suite, its labels and what is decided: what is shown as included is what the release holds."""

import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from annotation.agreement.deciding import apply_decision, lift_exclusion
from curation.cases.models import CaseState
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.models import Functionality, FunctionalityClass, Language, Release, Suite, Template, TestCase
from curation.publishing.manifest import read_manifest
from curation.releases.building import build_release
from curation.releases.export import export_release
from curation.releases.following import follow_decision
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import freeze_settings, standing_decision
from curation.releases.services import request_release

pytestmark = pytest.mark.django_db
RATERS = 5


@dataclass(frozen=True)
class CaseFacts:
    template: int | None
    agreeing: int | None  # None: nobody labelled it
    raters: int
    fate: str  # "", "keep" (by an expert) or "exclude" (by an expert)


@st.composite
def cases(draw, templates: int) -> CaseFacts:
    raters = draw(st.integers(1, RATERS))
    return CaseFacts(
        draw(st.one_of(st.none(), st.integers(0, templates - 1))),
        draw(st.one_of(st.none(), st.integers(0, raters), st.just(raters))),
        raters,
        draw(st.sampled_from(["", "", "", "keep", "exclude"])),
    )


@st.composite
def suites(draw) -> tuple[list[int | None], list[CaseFacts]]:
    """Templates, each with the one it refers to (also in circles), and their cases."""
    templates = draw(st.integers(1, 4))
    refers_to = draw(
        st.lists(st.one_of(st.none(), st.integers(0, templates - 1)), min_size=templates, max_size=templates)
    )
    return refers_to, draw(st.lists(cases(templates), min_size=1, max_size=12))


RULES = st.fixed_dictionaries(
    {
        "policy": st.sampled_from(["exclude", "mark"]),
        "min_agree": st.integers(0, RATERS),
        "cascade": st.sampled_from(["closure", "template", "none"]),
        "without_labels": st.sampled_from(["include", "exclude", "imported"]),
    }
)


def store(refers_to: list[int | None], facts: list[CaseFacts]) -> Suite:
    suite = Suite.objects.create(
        key="random", name="Random", labels=["hateful", "non-hateful"], raters=RATERS, threshold=4
    )
    language, _ = Language.objects.get_or_create(code="en", defaults={"name": "English", "bcp47": "en"})
    kind, _ = FunctionalityClass.objects.get_or_create(key="test", defaults={"title": "Test"})
    functionality, _ = Functionality.objects.get_or_create(
        key="test_h", defaults={"functionality_class": kind, "gold_label": "hateful", "title": "Test"}
    )
    templates = [
        Template.objects.create(
            suite=suite, language=language, functionality=functionality, key=str(number),
            refers_to="" if origin is None else str(origin),
        )
        for number, origin in enumerate(refers_to)
    ]  # fmt: skip
    for number, one in enumerate(facts):
        case = TestCase.objects.create(
            suite=suite, language=language, functionality=functionality, key=f"en-{number}", text=f"Text {number}",
            gold_label=functionality.gold_label,
            origin="template", template=None if one.template is None else templates[one.template], position=number,
            text_hash=str(number), identity_hash=str(number), is_about_identity=number % 2 == 0,
        )  # fmt: skip
        label(case, one)
        if one.fate == "exclude":
            case.exclusions.create(reason="adjudication", because_of=case.key)
            TestCase.objects.filter(pk=case.pk).update(state=CaseState.EXCLUDED)
    return suite


def label(case: TestCase, one: CaseFacts) -> None:
    if one.agreeing is None and one.fate != "keep":
        return
    agreeing = one.agreeing or 0
    labels = ("hateful",) * agreeing + ("non-hateful",) * (one.raters - agreeing)
    kept = "keep" if one.fate == "keep" else ""
    record_verdicts([VerdictValue(case.pk, labels, agreeing, adjudicated=kept)], source="test")


def shown_as_included(suite: Suite) -> set[str]:
    """As lists show it: validated, or waiting for labels where such cases may enter."""
    decision = standing_decision(suite)
    shown = [CaseState.VALIDATED]
    if decision is None or decision.without_labels == "include":
        shown.append(CaseState.READY)
    return set(TestCase.objects.of(suite).filter(state__in=shown).values_list("key", flat=True))


def freeze(suite: Suite, version: str, **rules: object) -> Release:
    return build_release(request_release(suite, version, by=None, **rules))


def assert_one_truth(suite: Suite, release: Release) -> None:
    """The state in lists, the preview, the frozen rows, the facts and the exported manifest agree."""
    shown = shown_as_included(suite)
    assert set(release.cases.values_list("key", flat=True)) == shown
    found = preview(suite, plan_freeze(suite, freeze_settings(suite)))
    out = Counter(release.exclusions.values_list("reason", flat=True))
    assert (found["included"], found["excluded_by_reason"], found["warnings"]) == (len(shown), out, [])
    assert (release.facts["included"], release.facts["excluded_by_reason"]) == (len(shown), out)
    assert release.facts["warnings"] == []
    assert (release.facts["decision"]["is_standing"], release.facts["decision"]["differs"]) == (True, {})
    with tempfile.TemporaryDirectory() as folder:
        export_release(release, Path(folder) / "out", formats=["csv"])
        manifest = read_manifest(Path(folder) / "out")
    assert (manifest.cases, manifest.excluded_by_reason) == (len(shown), out)
    assert manifest.decision == release.facts["decision"]


def rolled_back(check) -> None:
    """Hypothesis tries many suites in one test; each begins with an empty database."""
    with transaction.atomic():
        check()
        transaction.set_rollback(True)


HARMLESS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@HARMLESS
@given(suites(), RULES, st.data())
def test_what_is_shown_as_included_is_in_the_release(mira: User, suite_facts, rules, data):
    def check() -> None:
        suite = store(*suite_facts)
        apply_decision(suite, by=mira, **rules)
        if shown_as_included(suite):
            assert_one_truth(suite, freeze(suite, "1.0.0"))
        # Then labels arrive, and an expert brings a case back.
        case = data.draw(st.sampled_from(list(TestCase.objects.of(suite).order_by("id"))))
        label(case, data.draw(cases(1)))
        follow_decision(suite, by=mira)
        out = list(TestCase.objects.of(suite).filter(state=CaseState.EXCLUDED).order_by("id"))
        if out and data.draw(st.booleans()):
            lift_exclusion(data.draw(st.sampled_from(out)), reason="Kept.", by=mira)
        if shown_as_included(suite):
            assert_one_truth(suite, freeze(suite, "2.0.0"))

    rolled_back(check)


@HARMLESS
@given(suites(), RULES, RULES)
def test_other_rules_change_no_list_and_are_said(mira: User, suite_facts, decided, used):
    def check() -> None:
        suite = store(*suite_facts)
        apply_decision(suite, by=mira, **decided)
        before = dict(TestCase.objects.of(suite).values_list("key", "state"))
        if not plan_freeze(suite, freeze_settings(suite, **used)).included:
            return
        release = freeze(suite, "1.0.0", **used)
        assert dict(TestCase.objects.of(suite).values_list("key", "state")) == before
        differs = {name: {"decided": decided[name], "used": used[name]} for name in used if decided[name] != used[name]}
        assert release.facts["decision"]["differs"] == differs
        assert bool(release.facts["warnings"]) == bool(differs)
        assert release.decision is not None
        assert release.decision.release == ("1.0.0" if differs else "")
        assert standing_decision(suite) != release.decision or not differs

    rolled_back(check)
