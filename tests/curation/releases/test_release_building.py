"""Building a release: some cases at a time, seen and stopped while it runs, and nothing half-built is ever used."""

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.errors import BadInput, ChangedMeanwhile, WrongState
from core.jobs import services as jobs
from core.models import Job
from core.text import _, keep
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.models import Release, ReleaseAnnex, ReleaseCase, ReleaseExclusion, TestCase
from curation.releases import annexes as release_annexes
from curation.releases import building as release_building
from curation.releases import services as releases
from curation.releases.building import build_release
from curation.releases.export import export_release
from curation.releases.verifying import verify_release
from tests.curation.releases.factories import make_candidate, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def lots_of_two(monkeypatch):
    """Seven cases are copied in several lots."""
    monkeypatch.setattr(release_building, "AT_ONCE", 2)


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


def contents(release: Release) -> tuple[int, int]:
    return (
        ReleaseCase.objects.filter(release=release).count(),
        ReleaseExclusion.objects.filter(release=release).count(),
    )


def test_many_lots_give_the_same_release_as_one(suite, mira, monkeypatch):
    in_lots = make_candidate(suite, by=mira)
    monkeypatch.setattr(release_building, "AT_ONCE", 5_000)
    at_once = make_candidate(suite, "2.0.0", by=mira)
    assert in_lots.sha256 == at_once.sha256
    assert contents(in_lots) == contents(at_once) == (3, 4)
    assert [case.position for case in in_lots.cases.order_by("position")] == [0, 1, 2]


def test_progress_counts_what_goes_in_and_what_stays_out(suite, mira):
    told = []
    build_release(
        releases.request_release(suite, "1.0.0", by=mira), progress=lambda done, total, says: told.append((done, total))
    )
    assert [step for step in told if step[1]] == [(2, 7), (3, 7), (5, 7), (7, 7)]


def test_a_stopped_build_leaves_a_draft_without_cases(suite, mira):
    release = releases.request_release(suite, "1.0.0", by=mira)
    job = releases.request_build(release, by=mira)

    def stop(done: int, total: int | None, message: str) -> None:
        if done == 2:
            assert contents(release) == (2, 0)
            Job.objects.filter(pk=job.pk).update(cancel_requested=True)

    assert jobs.perform(job.key, worker="test", on_progress=stop).state == "cancelled"
    release.refresh_from_db()
    assert (release.state, release.facts, release.built_at) == (
        "draft",
        {"failure": keep(_("The build was stopped."))},
        None,
    )
    assert contents(release) == (0, 0)
    assert jobs.perform(releases.request_build(release, by=mira).key, worker="test").state == "done"


def test_what_a_crash_left_half_built_cannot_be_used_and_is_built_again(suite, mira, tmp_path):
    release = releases.request_release(suite, "1.0.0", by=mira)

    class PowerCut(BaseException):
        pass

    def crash(done: int, total: int | None, message: str) -> None:
        if done == 2:
            raise PowerCut

    with pytest.raises(PowerCut):
        build_release(release, progress=crash)
    release.refresh_from_db()
    assert (release.state, contents(release)) == ("building", (2, 0))
    with pytest.raises(WrongState):
        releases.publish_release(release, by=mira)
    with pytest.raises(WrongState):
        export_release(release, tmp_path / "out", formats=["csv"])
    build_release(release)
    assert (release.state, contents(release)) == ("candidate", (3, 4))


def test_a_build_that_was_overtaken_writes_nothing_more(suite, mira):
    release = releases.request_release(suite, "1.0.0", by=mira)

    def overtake(done: int, total: int | None, message: str) -> None:
        if done == 2:
            build_release(Release.objects.get(pk=release.pk))

    with pytest.raises(ChangedMeanwhile):
        build_release(release, progress=overtake)
    release.refresh_from_db()
    assert (release.state, contents(release)) == ("candidate", (3, 4))
    assert verify_release(release).is_intact


@pytest.mark.parametrize(
    ("change", "says"),
    [({"text": "All of you are welcome."}, "changed while"), ({"state": "retired"}, "were removed")],
)
def test_a_suite_that_changes_meanwhile_is_not_mixed(suite, mira, change, says):
    release = releases.request_release(suite, "1.0.0", policy="mark", by=mira)

    def meddle(done: int, total: int | None, message: str) -> None:
        if done == 4:
            TestCase.objects.order_by("-position").filter(text="Everybody is welcome.").update(**change)
            TestCase.objects.filter(text="I like women.").update(**{**change, "identity_hash": "y"})

    with pytest.raises(BadInput, match=says):
        build_release(release, progress=meddle)
    release.refresh_from_db()
    assert (release.state, contents(release)) == ("draft", (0, 0))


def test_labels_that_come_while_it_is_built_wait_for_the_next_release(suite, mira):
    expected = make_candidate(suite, "1.0.0", policy="mark", by=mira)
    release = releases.request_release(suite, "2.0.0", policy="mark", by=mira)

    def label(done: int, total: int | None, message: str) -> None:
        if done == 2:
            record_verdicts(
                [VerdictValue(case_id, ("hateful",), 0) for case_id in suite.cases.values_list("id", flat=True)],
                source="late",
            )

    build_release(release, progress=label)
    assert release.sha256 == expected.sha256
    assert verify_release(release).is_intact
    assert make_candidate(suite, "3.0.0", policy="mark", by=mira).sha256 != expected.sha256


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL counts before it decides how to search")
def test_a_lot_is_found_by_the_ids_of_its_cases_not_by_going_through_the_suite(suite, mira):
    with CaptureQueriesContext(connection) as asked:
        make_candidate(suite, by=mira)
    (query, *_) = [one["sql"] for one in asked if "provenance_json" in one["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        how = [row[3] for row in cursor.fetchall()]
    assert how[0] == "SEARCH curation_testcase USING INTEGER PRIMARY KEY (rowid=?)"


def test_long_annexes_are_kept_in_parts_and_exported_as_one(suite, mira, monkeypatch, tmp_path):
    whole = make_candidate(suite, by=mira)
    monkeypatch.setattr(release_annexes, "ROWS_PER_PART", 1)
    in_parts = make_candidate(suite, "2.0.0", by=mira)
    parts = ReleaseAnnex.objects.filter(release=in_parts, name="templates").order_by("part")
    assert parts.count() > 1
    assert all(len(part.rows) == 1 for part in parts)
    assert in_parts.facts["seal"]["annexes"] == whole.facts["seal"]["annexes"]
    assert verify_release(in_parts).is_intact
    for release in (whole, in_parts):
        export_release(release, tmp_path / release.version, formats=["csv"])
    for name in ("excluded.csv", "lexicon.csv", "templates.csv"):
        assert (tmp_path / "1.0.0/annexes" / name).read_bytes() == (tmp_path / "2.0.0/annexes" / name).read_bytes()


@pytest.mark.django_db(transaction=True)
def test_others_see_how_far_a_build_is(mira):
    release = releases.request_release(make_suite(by=mira), "1.0.0", by=mira)
    job = releases.request_build(release, by=mira)
    seen = []

    def look() -> None:
        try:
            seen.append((Job.objects.get(pk=job.pk).message, ReleaseCase.objects.count()))
        finally:
            connection.close()

    def from_elsewhere(done: int, total: int | None, message: str) -> None:
        other = threading.Thread(target=look)
        other.start()
        other.join()

    assert jobs.perform(job.key, worker="test", on_progress=from_elsewhere).state == "done"
    assert seen[0] == ("Deciding what goes in", 0)
    assert 2 in {copied for _, copied in seen}
