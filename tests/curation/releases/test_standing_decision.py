"""A release follows the decision that was applied to its suite; where it is told otherwise, it says so."""

import importlib
import io
import json
from html import unescape

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.urls import reverse

from accounts.models import Action
from accounts.services import audit
from annotation.agreement.deciding import apply_decision, lift_exclusion, preview_decision
from core.errors import BadInput
from core.jobs import services as jobs
from core.models import Job
from core.text import recall
from curation.cases.generating import generate_cases
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.catalogue.models import Policy
from curation.models import Decision, LexiconEntry, Release, Suite, TestCase
from curation.releases import services as releases
from curation.releases.models import Cascade
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import freeze_settings, release_warnings, standing_decision
from curation.releases.verifying import verify_release
from tests.curation.releases.factories import DISPUTED, cases_of, label, make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
STRICT = {"policy": "exclude", "min_agree": 5, "cascade": "closure", "without_labels": "imported"}


@pytest.fixture
def suite(mira):
    """Four of five agree on one case: enough for the suite's threshold of 4."""
    suite = make_suite(labelled=False, by=mira)
    label(suite, agreeing_on_disputed=4)
    return suite


@pytest.fixture
def decided(suite, mira):
    """A stricter decision than the suite's rules: the case, its template and the one that refers to it are out."""
    apply_decision(suite, by=mira, min_agree=5)
    assert TestCase.objects.of(suite).filter(state="excluded").count() == 4
    return suite


def run_freeze(*arguments: str) -> tuple[dict, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("freeze", *arguments, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def rules_of(release: Release) -> dict:
    return {name: getattr(release, name) for name in STRICT}


def assert_follows(release: Release) -> None:
    """Nothing that is shown as left out is in, and nothing is said against it."""
    out = set(TestCase.objects.filter(state="excluded").values_list("key", flat=True))
    assert rules_of(release) == STRICT
    assert out.isdisjoint(case.key for case in cases_of(release))
    assert set(release.exclusions.values_list("key", flat=True)) == out
    assert release.facts["warnings"] == []
    assert {name: release.facts["decision"][name] for name in STRICT} == STRICT


def test_a_release_leaves_out_what_the_decision_left_out(decided, mira):
    assert_follows(make_release(decided, by=mira))


def test_the_freeze_command_follows_the_decision(decided):
    result, said = run_freeze("small", "--release", "1.0.0")
    assert (result["included"], result["excluded"]) == (3, 4)
    assert "decision" not in said
    assert not any("decision" in warning for warning in result["warnings"])
    assert_follows(Release.objects.get())


def test_the_page_starts_with_the_rules_of_the_decision(decided, client, mira):
    client.force_login(mira)
    form = client.get(reverse("curation:release-new")).context["form"]
    assert {name: form.initial[name] for name in STRICT} == STRICT
    values = {name: value for name, value in form.initial.items() if value is not None}
    assert "differ" not in client.get(reverse("curation:release-preview"), values).content.decode()
    client.post(reverse("curation:release-new"), values)
    jobs.perform(Job.objects.get(kind="curation.build_release").key, worker="test")
    assert_follows(Release.objects.get())


def test_the_api_follows_the_decision(decided, client, mira):
    client.force_login(mira)
    shown = client.get("/api/v1/releases/preview/", {"suite": "small"}).json()
    assert (shown["included"], shown["rules"], shown["warnings"]) == (3, STRICT, [])
    made = client.post("/api/v1/releases/", {"suite": "small", "version": "1.0.0"}, content_type="application/json")
    assert made.status_code == 201
    jobs.perform(Job.objects.get(kind="curation.build_release").key, worker="test")
    assert_follows(Release.objects.get())


def test_other_rules_than_the_decisions_are_allowed_and_said(decided, client, mira):
    result, said = run_freeze("small", "--release", "1.0.0", "--min-agree", "4")
    assert result["included"] == 7
    differ, back = result["warnings"][:2]
    assert "minimum agreement 4 instead of 5" in differ
    assert back == "4 cases that are shown as excluded go into the release."
    release = Release.objects.get()
    assert recall(release.facts["warnings"]) == release_warnings(release) == [differ, back]
    shown = [str(warning) for warning in release_warnings(release)]
    assert f"warning: {shown[0]}" in said
    assert shown[0] in unescape(client.get(release.get_absolute_url()).content.decode())
    assert client.get(f"/api/v1/releases/{release.key}/").json()["warnings"] == shown


def test_the_preview_says_that_other_rules_than_the_decisions_were_chosen(decided, client, mira):
    client.force_login(mira)
    chosen = {"suite": "small", "version": "1.0.0", **STRICT, "cascade": "none", "access": "public"}
    page = client.get(reverse("curation:release-preview"), chosen).content.decode()
    assert f"cascade “{Cascade.NONE.label}” instead of “{Cascade.CLOSURE.label}”" in page
    assert "3 cases that are shown as excluded go into the release." in page
    result, said = run_freeze("small", "--release", "1.0.0", "--policy", "mark", "--preview")
    differ = f"policy “{Policy.MARK.label}” instead of “{Policy.EXCLUDE.label}”"
    assert differ in result["warnings"][0]
    assert differ in said
    assert not Release.objects.exists()


def test_a_candidate_with_other_rules_says_so_before_it_is_published(decided, client, mira):
    release = make_candidate(decided, by=mira, min_agree=4)
    client.force_login(mira)
    for page in (release.get_absolute_url(), reverse("curation:release-publish", args=["small", "1.0.0"])):
        assert "minimum agreement 4 instead of 5" in client.get(page).content.decode()


def test_a_decision_after_the_build_is_said_before_the_candidate_is_published_and_kept(suite, client, mira):
    release = make_candidate(suite, by=mira)
    apply_decision(suite, by=mira, min_agree=5)
    client.force_login(mira)
    said = "applied after this release was built: minimum agreement 4 instead of 5."
    for page in (release.get_absolute_url(), reverse("curation:release-publish", args=["small", "1.0.0"])):
        assert said in client.get(page).content.decode()
    assert said in client.get(f"/api/v1/releases/{release.key}/").json()["warnings"][0]
    releases.publish_release(release, by=mira, reason="For a test.")
    apply_decision(suite, by=mira, min_agree=4)  # says nothing about a release that is published
    client.logout()
    assert said in client.get(release.get_absolute_url()).content.decode()
    assert verify_release(release).is_intact


def test_a_decision_after_the_build_with_the_rules_of_the_candidate_is_no_difference(decided, client, mira):
    release = make_candidate(decided, by=mira, min_agree=4)
    apply_decision(decided, by=mira, min_agree=4)
    client.force_login(mira)
    assert "instead of" not in client.get(release.get_absolute_url()).content.decode()
    assert client.get(f"/api/v1/releases/{release.key}/").json()["warnings"] == []


def test_the_page_of_decisions_opens_where_fewer_raters_are_wanted_than_were_decided(decided, client, mira):
    """It is the only page on which another decision can be applied."""
    Suite.objects.update(raters=3, threshold=2)
    client.force_login(mira)
    page = client.get(reverse("annotation:decision", args=["small"]))
    assert page.status_code == 200
    assert "less than or equal to 3" in page.content.decode()
    rules = {"policy": "exclude", "min_agree": 3, "cascade": "none", "expected": 0}
    client.post(reverse("annotation:decision-apply", args=["small"]), rules)
    assert freeze_settings(decided).min_agree == 3


def test_the_pages_of_a_suite_say_that_releases_follow_the_decision(suite, client, mira):
    """Its own threshold no longer counts, so changing it there would do nothing."""
    client.force_login(mira)
    pages = [reverse("curation:suite", args=["small"]), reverse("curation:suite-edit", args=["small"])]
    assert not any("Releases follow" in client.get(page).content.decode() for page in pages)
    apply_decision(suite, by=mira, min_agree=5)
    assert all("Minimum agreement: 5" in client.get(page).content.decode() for page in pages)


def test_a_suite_without_a_decision_is_frozen_by_its_own_rules(suite, mira):
    release = make_release(suite, by=mira)
    assert rules_of(release) == {**STRICT, "min_agree": 4}
    assert release.facts["included"] == 7
    decision = release.facts["decision"]
    assert (release.facts["warnings"], decision["is_standing"], decision["differs"]) == ([], False, {})
    assert (release.decision.release, release.decision.decided_by) == ("1.0.0", mira)
    assert standing_decision(suite) is None  # it is about this release alone


def test_labels_that_came_after_the_decision_count_in_lists_and_release_alike(decided, mira):
    case = TestCase.objects.get(text=DISPUTED)
    record_verdicts([VerdictValue(case.pk, ("non-hateful",) * 5, 5, "non-hateful")], source="test")
    release = make_candidate(decided, by=mira)
    assert (release.facts["included"], release.facts["warnings"]) == (7, [])
    assert not TestCase.objects.filter(state="excluded").exists()


def test_a_case_that_an_expert_keeps_brings_the_others_of_its_template_back_at_once(decided, mira):
    lift_exclusion(TestCase.objects.get(text=DISPUTED), reason="The labels are wrong.", by=mira)
    assert not TestCase.objects.filter(state="excluded").exists()
    assert preview(decided, plan_freeze(decided, freeze_settings(decided)))["warnings"] == []


def test_new_cases_of_a_template_that_is_left_out_are_shown_as_left_out(decided, mira):
    before = set(TestCase.objects.values_list("key", flat=True))
    entry = LexiconEntry.objects.get(suite=decided, key="identity-02")
    entry.pk = None
    entry.key, entry.lemma = "identity-03", "muslims"
    entry.save()
    entry.forms.create(features="Number=Plur", text="muslims")
    generate_cases(decided, by=mira)
    new = {case.text: case.state for case in TestCase.objects.exclude(key__in=before)}
    assert new == {
        "I like muslims.": "excluded", "I really like muslims.": "excluded", "I dislike muslims.": "ready",
    }  # fmt: skip


def test_cases_without_labels_may_be_kept_out_and_still_wait_for_labels(mira):
    suite = make_suite(labelled=False, by=mira)
    some = TestCase.objects.of(suite).in_order()[:3]
    record_verdicts([VerdictValue(case.pk, ("hateful",) * 5, 5, "hateful") for case in some], source="test")
    apply_decision(suite, by=mira, without_labels="exclude")
    assert set(TestCase.objects.of(suite).values_list("state", flat=True)) == {"ready", "validated"}
    release = make_release(suite, by=mira)
    assert (release.facts["included"], release.facts["excluded_by_reason"]) == (3, {"unlabelled": 4})
    assert release.facts["warnings"] == []


def test_a_freeze_with_other_rules_records_its_own_decision(decided, client, mira):
    result, _ = run_freeze("small", "--release", "1.0.0", "--min-agree", "4", "--without-labels", "exclude")
    release = Release.objects.get()
    assert (release.decision.release, release.decision.min_agree) == ("1.0.0", 4)
    assert standing_decision(decided).min_agree == 5
    differs = {"min_agree": {"decided": 5, "used": 4}, "without_labels": {"decided": "imported", "used": "exclude"}}
    assert result["decision"]["differs"] == differs
    assert client.get(f"/api/v1/releases/{release.key}/").json()["decision"]["differs"] == differs
    followed = make_release(decided, "1.1.0", by=mira)
    assert followed.decision == standing_decision(decided)
    assert (followed.facts["decision"]["differs"], followed.facts["decision"]["is_standing"]) == ({}, True)


def test_a_later_decision_stands_and_the_earlier_one_is_kept(decided, mira):
    apply_decision(decided, by=mira, min_agree=5)  # the same again
    assert Decision.objects.count() == 1
    apply_decision(decided, by=mira, policy="mark", min_agree=3, cascade="none")
    assert Decision.objects.count() == 2
    assert freeze_settings(decided) == freeze_settings(decided, policy="mark", min_agree=3, cascade="none")
    # Its page starts with it too, so that applying it again changes nothing.
    assert preview_decision(decided).rules == freeze_settings(decided)
    for change in (lambda: Decision.objects.update(min_agree=1), lambda: Decision.objects.first().delete()):
        with pytest.raises(DatabaseError, match="apply another one"), transaction.atomic():
            change()


def test_deciding_and_freezing_take_the_same_thresholds(suite, mira):
    for too_many in (-1, 6):
        for ask in (preview_decision, freeze_settings):
            with pytest.raises(BadInput, match=f"agreement of {too_many} is not possible. Use 1 to 5, or 0 for none"):
                ask(suite, min_agree=too_many)
    assert preview_decision(suite, min_agree=0).disputed == set()
    assert plan_freeze(suite, freeze_settings(suite, min_agree=0)).disagreed == set()
    apply_decision(suite, by=mira, min_agree=0)
    assert make_release(suite, by=mira).min_agree == 0


def test_decisions_of_the_time_before_they_were_kept_are_taken_from_the_log(suite, mira):
    for threshold in (3, 5):
        audit.record(mira, Action.VERDICTS_DECIDED, suite, policy="exclude", min_agree=threshold, cascade="none")
    migration = importlib.import_module("curation.migrations.0008_decisions_about_suites")
    migration.keep_decisions_of_the_log(apps, None)
    found = standing_decision(suite)
    assert (found.policy, found.min_agree, found.cascade, found.decided_by) == ("exclude", 5, "none", mira)
    assert Decision.objects.count() == 1


def test_a_case_somebody_excluded_is_out_under_any_rules_and_is_no_difference(decided, mira):
    kept = TestCase.objects.of(decided).exclude(state="excluded").first()
    kept.exclusions.create(reason="adjudication", because_of=kept.key)
    found = preview(decided, plan_freeze(decided, freeze_settings(decided, **STRICT)))
    assert (found["excluded"], found["warnings"]) == (5, [])
    assert releases.request_release(decided, "1.0.0", by=mira).min_agree == 5
