"""What a release holds and says unless told otherwise: validated cases, and access and documents of the last one."""

import json

import pytest
from django.core.management import CommandError, call_command

from core.errors import BadInput
from curation.models import Release, Suite, TestCase
from curation.publishing.manifest import read_manifest
from curation.releases import services as releases
from curation.releases.documents import datasheet_of, statement_of, write_prose
from curation.releases.export import export_release
from curation.releases.forms import FreezeForm
from curation.releases.planning import plan_freeze
from curation.releases.rules import freeze_settings
from tests.curation.releases.factories import make_candidate, make_release, make_suite
from tests.curation.releases.test_release_labelling import label_some

pytestmark = pytest.mark.django_db


@pytest.fixture
def half_labelled(mira) -> Suite:
    suite = make_suite(labelled=False, by=mira)
    label_some(suite, 2)
    return suite


def test_only_validated_cases_are_in_by_default(half_labelled, mira):
    release = make_release(half_labelled, by=mira)
    assert (release.facts["included"], release.facts["excluded_by_reason"]) == (2, {"unlabelled": 5})
    assert release.facts["labelling"]["validated"] == 2
    assert "Cases that were never labelled were left out." in statement_of(release)


def test_unlabelled_cases_are_in_when_the_command_is_told_so(half_labelled, capsys):
    call_command("freeze", "small", "--release", "1.0.0", "--include-unlabelled", "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["included"], found["labelling"]["never_labelled"]) == (7, 5)
    assert Release.objects.get().without_labels == "include"
    with pytest.raises(CommandError, match="contradict each other"):
        call_command("freeze", "small", "--release", "1.1.0", "--include-unlabelled", "--without-labels", "exclude")


def test_a_suite_without_labels_is_refused_with_the_way_out(mira):
    make_suite(labelled=False, by=mira)
    with pytest.raises(CommandError, match=r"7 cases were never labelled.*--include-unlabelled"):
        call_command("freeze", "small", "--release", "1.0.0")
    assert not Release.objects.exists()


def test_an_imported_suite_keeps_its_contents_until_it_is_labelled_here(mira):
    suite = make_suite(labelled=False, by=mira)
    TestCase.objects.of(suite).exclude(key="en-1").update(origin="import")
    written = TestCase.objects.of(suite).exclude(origin="import").count()
    plan = plan_freeze(suite, freeze_settings(suite))
    assert (plan.included, plan.excluded_by_reason) == (7 - written, {"unlabelled": written} if written else {})
    assert plan_freeze(suite, freeze_settings(suite, without_labels="exclude")).included == 0
    label_some(suite, 2)
    assert plan_freeze(suite, freeze_settings(suite)).included == 2


def test_publishing_with_open_points_needs_a_reason_that_is_kept(half_labelled, mira, tmp_path):
    release = make_candidate(half_labelled, by=mira)
    with pytest.raises(BadInput, match=r"The checklist of small@1\.0\.0 has open points: Documented, Credited"):
        releases.publish_release(release, by=mira, reason="  ")
    releases.publish_release(release, by=mira, reason="The paper is due.")
    kept = {"open": ["Documented", "Credited"], "reason": "The paper is due."}
    assert release.facts["published_despite"] == kept
    assert "Reason for publishing: The paper is due." in datasheet_of(release)
    export_release(release, tmp_path / "out", formats=["csv"])
    assert read_manifest(tmp_path / "out").published_despite == kept


def test_a_complete_release_needs_no_reason(half_labelled, mira):
    half_labelled.authors = ["Ada Lovelace"]
    half_labelled.save()
    release = make_candidate(half_labelled, by=mira)
    names = ("curation_rationale", "speaker_demographic", "speech_situation", "motivation", "uses", "maintenance")
    write_prose(release, dict.fromkeys(names, "Written by hand."), by=mira)
    releases.publish_release(release, by=mira)
    assert "published_despite" not in release.facts


def test_a_command_publishes_without_a_reason_and_that_is_kept(half_labelled):
    call_command("freeze", "small", "--release", "1.0.0")
    assert Release.objects.get().facts["published_despite"] == {"open": ["Documented", "Credited"], "reason": ""}
    call_command("freeze", "small", "--release", "1.1.0", "--reason", "A trial.")
    assert Release.objects.get(version="1.1.0").facts["published_despite"]["reason"] == "A trial."


def test_a_new_release_takes_over_access_licence_and_documents_of_the_last_one(half_labelled, mira):
    first = make_candidate(half_labelled, by=mira, access="request", terms="Not for training.", licence="CC0-1.0")
    write_prose(first, {"uses": "Only for tests."}, by=mira)
    releases.publish_release(first, by=mira, reason="A trial.")
    second = make_candidate(half_labelled, "1.1.0", by=mira)
    assert (second.access, second.terms, second.prose) == ("request", "Not for training.", {"uses": "Only for tests."})
    assert second.suite.licence == "CC0-1.0"
    assert "Only for tests." in datasheet_of(second)
    other = make_candidate(half_labelled, "1.2.0", by=mira, access="public", terms="")
    assert (other.access, other.terms) == ("public", "")


def test_the_form_starts_with_the_access_of_the_last_release(half_labelled, mira):
    assert FreezeForm.for_suite(half_labelled)["access"].value() == "public"
    make_candidate(half_labelled, by=mira, access="private")
    form = FreezeForm.for_suite(half_labelled)
    assert (form["access"].value(), form["version"].value()) == ("private", "1.1.0")
