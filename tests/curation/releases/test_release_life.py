"""The life of a release: previewed, built, published, withdrawn, deleted."""

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEvent
from core.errors import BadInput, NotAllowed, WrongState
from core.jobs import services as jobs
from core.models import Job
from core.text import recall
from curation.catalogue.suites import credit_suite
from curation.models import Release, ReleaseAnnex, ReleaseCase, ReleaseExclusion, TestCase
from curation.releases import services as releases
from curation.releases.building import build_release
from curation.releases.checklist import checklist
from curation.releases.documents import SECTIONS, datasheet_of, statement_of, write_prose
from curation.releases.forms import next_version
from curation.releases.options import ProseOptions
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import FreezeSettings
from curation.releases.verifying import verify_release
from tests.curation.releases.factories import DISPUTED, make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
BY_HAND = ("curation_rationale", "speaker_demographic", "speech_situation", "motivation", "uses", "maintenance")


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


def test_a_preview_says_what_would_be_in_and_out_and_writes_nothing(suite):
    found = preview(suite, plan_freeze(suite, FreezeSettings("exclude", 4, "closure")))
    assert (found["included"], found["excluded"], found["unlabelled"]) == (3, 4, 0)
    assert found["excluded_by_reason"] == {"reference": 2, "disagreement": 1, "template": 1}
    assert found["by_label"] == {"hateful": 2, "non-hateful": 1}
    assert found["by_language"] == {"en": 3}
    assert found["group_balance"] == {"en": 1.0}
    assert set(found["missing_documentation"]) == set(BY_HAND)
    assert not Release.objects.exists()


@pytest.mark.parametrize(("cascade", "left_out"), [("closure", 4), ("template", 2), ("none", 1)])
def test_what_goes_with_a_disputed_case_is_a_choice(suite, cascade, left_out):
    release = make_candidate(suite, cascade=cascade)
    assert release.facts["excluded"] == left_out
    assert ReleaseExclusion.objects.filter(release=release).count() == left_out


def test_marking_keeps_every_case_with_its_flags(suite):
    release = make_candidate(suite, policy="mark")
    flags = {c.text: (c.disagreement_in_case, c.disagreement_in_template) for c in release.cases.all()}
    assert len(flags) == 7
    assert flags[DISPUTED] == (True, True)
    assert flags["I like immigrants."] == (False, True)
    assert flags["Everybody is welcome."] == (False, False)


def test_cases_nobody_labelled_have_no_flags(mira):
    release = make_candidate(make_suite(labelled=False), by=mira, without_labels="include")
    assert {case.disagreement_in_case for case in release.cases.all()} == {None}
    assert release.facts["unlabelled"] == 7


def test_the_job_builds_what_was_requested(suite, mira):
    release = releases.request_release(suite, "1.0.0", by=mira)
    job = releases.request_build(release, by=mira)
    assert releases.unfinished_build(release) == job
    assert jobs.perform(job.key, worker="test").state == "done"
    release.refresh_from_db()
    assert release.state == "candidate"
    assert releases.unfinished_build(release) is None
    assert len(release.sha256) == 64


def test_a_failed_build_leaves_a_draft_that_says_why(mira):
    suite = make_suite(labelled=False)
    TestCase.objects.update(state="retired")
    release = releases.request_release(suite, "1.0.0", by=mira, without_labels="include")
    job = jobs.perform(releases.request_build(release, by=mira).key, worker="test")
    release.refresh_from_db()
    assert (job.state, release.state) == ("failed", "draft")
    assert "small@1.0.0 would be empty" in recall(release.facts["failure"])
    TestCase.objects.update(state="ready")
    jobs.perform(releases.request_build(release, by=mira).key, worker="test")
    release.refresh_from_db()
    assert release.state == "candidate"
    assert "failure" not in release.facts


def test_a_candidate_can_be_built_again_and_takes_in_what_changed(suite, mira):
    release = make_candidate(suite, by=mira)
    before = release.sha256
    TestCase.objects.filter(text="Everybody is welcome.").update(text="All are welcome.")
    jobs.perform(releases.request_build(release, by=mira).key, worker="test")
    release.refresh_from_db()
    assert release.state == "candidate"
    assert release.sha256 != before
    assert release.cases.count() == 3


def test_what_is_being_built_is_not_built_twice_nor_deleted(suite, mira):
    release = releases.request_release(suite, "1.0.0", by=mira)
    releases.request_build(release, by=mira)
    with pytest.raises(WrongState):
        releases.request_build(release, by=mira)
    with pytest.raises(WrongState):
        releases.delete_release(release, by=mira)
    assert Job.objects.count() == 1


def test_deleting_a_candidate_frees_its_version(suite, mira):
    releases.delete_release(make_candidate(suite, by=mira), by=mira)
    assert not any(model.objects.exists() for model in (ReleaseCase, ReleaseExclusion, ReleaseAnnex))
    assert make_candidate(suite, by=mira).state == "candidate"


def test_a_published_release_cannot_be_published_built_or_deleted_again(suite, mira):
    release = make_release(suite, by=mira)
    for step in (releases.publish_release, releases.request_build, releases.delete_release):
        with pytest.raises(WrongState):
            step(release, by=mira)


def test_a_changed_case_stops_publication(suite, mira):
    release = make_candidate(suite, by=mira)
    ReleaseCase.objects.filter(release=release, text="Everybody is welcome.").update(text="Nobody is welcome.")
    with pytest.raises(releases.ReleaseMoved, match="changed after it was built"):
        releases.publish_release(release, by=mira, reason="For a test.")


def test_an_expert_cannot_request_build_or_publish(suite, mira, emil):
    with pytest.raises(NotAllowed):
        releases.request_release(suite, "2.0.0", by=emil)
    release = make_candidate(suite, by=mira)
    for step in (releases.request_build, releases.publish_release, releases.delete_release):
        with pytest.raises(NotAllowed):
            step(release, by=emil)


def test_a_second_maintainer_publishes_where_the_setting_asks_for_one(suite, mira, max_, settings):
    settings.SECOND_MAINTAINER_PUBLISHES = True
    release = make_candidate(suite, by=mira)
    with pytest.raises(NotAllowed, match="another maintainer"):
        releases.publish_release(release, by=mira, reason="For a test.")
    assert releases.publish_release(release, by=max_, reason="For a test.").published_by == max_


@pytest.mark.parametrize(
    "version",
    ["one", "1", "1.0.0.0", "01.0", "1.0/2", "", "1.0.0-", "1.0.0-..", "1.0.0-01", "1.1\u0663.0", "1.0.0-" + "a" * 40],
)
def test_a_version_is_semantic(suite, mira, version):
    with pytest.raises(BadInput, match="not a version"):
        releases.request_release(suite, version, by=mira)


def test_a_version_is_taken_once(suite, mira):
    make_release(suite, by=mira)
    with pytest.raises(BadInput, match="exists already"):
        releases.request_release(suite, "1.0.0", by=mira)


def test_a_draft_that_is_in_the_way_is_said_to_be_one(suite, mira):
    releases.request_release(suite, "1.0.0", by=mira)
    with pytest.raises(BadInput, match=r"\(Draft\)\. Publish or delete it on its page /releases/small/1.0.0/"):
        releases.request_release(suite, "1.0.0", by=mira)


@pytest.mark.parametrize(
    ("known", "suggested"),
    [
        ([], "1.0.0"),
        (["1.0.0"], "1.1.0"),
        (["1.0"], "1.1.0"),
        (["1.10.0", "1.9.1"], "1.11.0"),
        (["2.0.0-beta", "1.0.0"], "2.0.0"),
    ],
)
def test_the_form_suggests_the_version_after_the_highest(suite, known, suggested):
    for version in known:
        Release.objects.create(suite=suite, version=version, min_agree=1)
    assert next_version(suite) == suggested


@pytest.mark.parametrize("rules", [{"min_agree": 9}, {"release": "one"}, {"release": "1.0.0"}])
def test_a_preview_refuses_what_freezing_would_refuse(suite, mira, rules):
    make_release(suite, by=mira)
    with pytest.raises(CommandError, match=r"is not possible|not a version|exists already"):
        call_command("freeze", "small", **{"release": "2.0.0", "preview": True, **rules})


def test_the_command_says_who_may_read_it_and_what_changed(suite, capsys):
    call_command(
        "freeze", "small", release="1.0.0", access="request", terms="For tests.", title="Mild", notes="The first."
    )
    release = Release.objects.get()
    assert (release.access, release.terms, release.title, release.notes) == (
        "request",
        "For tests.",
        "Mild",
        "The first.",
    )


def test_a_freeze_that_is_interrupted_leaves_the_version_free(suite, monkeypatch):
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("curation.releases.building.freeze_annexes", interrupt)
    with pytest.raises(CommandError, match="Stopped"):
        call_command("freeze", "small", release="1.0.0")
    assert not Release.objects.exists()


def test_more_raters_than_there_are_cannot_have_to_agree(suite, mira):
    with pytest.raises(BadInput, match="has 5 annotators per case, so a minimum agreement of 6 is not possible"):
        releases.request_release(suite, "1.0.0", min_agree=6, by=mira)


def test_a_withdrawn_release_stays_readable_with_its_reason(suite, mira, tmp_path, capsys):
    release = make_release(suite, by=mira)
    with pytest.raises(BadInput, match="Give a reason"):
        releases.withdraw_release(release, reason="  ", by=mira)
    withdrawal = releases.withdraw_release(release, reason="A word was misspelled.", by=mira)
    assert withdrawal.reason == "A word was misspelled."
    assert verify_release(release).is_intact
    call_command("export_release", "small@1.0.0", out=tmp_path / "out")
    assert "Withdrawn, do not use it for new work: A word was misspelled." in capsys.readouterr().out
    with pytest.raises(BadInput, match="withdrawn already"):
        releases.withdraw_release(release, reason="Again.", by=mira)


def test_only_what_is_published_can_be_withdrawn(suite, mira):
    with pytest.raises(WrongState):
        releases.withdraw_release(make_candidate(suite, by=mira), reason="No.", by=mira)


def test_the_checklist_turns_green(suite, mira):
    release = releases.request_release(suite, "1.0.0", by=mira)
    assert [point.is_done for point in checklist(release)] == [False, False, True, False, False]
    build_release(release, by=mira)
    assert [point.is_done for point in checklist(release)] == [True, False, True, False, True]
    credit_suite(release.suite, authors=["Ada Lovelace"], by=mira)
    write_prose(release, dict.fromkeys(BY_HAND, "Written by hand."), by=mira)
    assert all(point.is_done for point in checklist(release))


def test_labels_that_came_with_the_data_are_no_fault(mira):
    suite = make_suite(labelled=False)
    release = make_candidate(suite, by=mira, without_labels="include")
    validated = checklist(release)[0]
    says = "None of the 7 cases was labelled (gold label as written or imported)."
    assert (validated.is_done, validated.says) == (False, says)
    TestCase.objects.of(suite).update(origin="import")
    imported = make_candidate(suite, version="1.1.0", by=mira)
    validated = checklist(imported)[0]
    assert (validated.is_done, validated.says) == (
        True,
        "All 7 cases came with their labels; none was labelled again here.",
    )
    assert "The cases were not labelled here" in statement_of(imported)
    assert "too few annotators agreed" not in datasheet_of(imported)


def test_who_built_it_last_is_no_second_maintainer(suite, mira, max_, settings):
    settings.SECOND_MAINTAINER_PUBLISHES = True
    release = make_candidate(suite, by=mira)
    job = releases.request_build(release, by=max_)
    build_release(release, by=max_)
    Job.objects.filter(pk=job.pk).update(state="done")
    with pytest.raises(NotAllowed, match="another maintainer"):
        releases.publish_release(release, by=max_, reason="For a test.")


def test_the_steps_are_in_the_audit_log(suite, mira):
    release = make_candidate(suite, by=mira)
    write_prose(release, {"uses": "For tests."}, by=mira)
    releases.publish_release(release, by=mira, reason="For a test.")
    releases.withdraw_release(release, reason="A mistake.", by=mira)
    releases.delete_release(releases.request_release(suite, "2.0.0", by=mira), by=mira)
    events = AuditEvent.objects.filter(subject_kind="release").order_by("id")
    assert list(events.values_list("subject_key", "action")) == [
        ("small@1.0.0", "release_requested"),
        ("small@1.0.0", "release_built"),
        ("small@1.0.0", "release_documented"),
        ("small@1.0.0", "release_published"),
        ("small@1.0.0", "release_withdrawn"),
        ("small@2.0.0", "release_requested"),
        ("small@2.0.0", "release_deleted"),
    ]


def test_every_section_of_the_documents_can_be_written():
    assert tuple(ProseOptions.model_fields) == tuple(SECTIONS)
