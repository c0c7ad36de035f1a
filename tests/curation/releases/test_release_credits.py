"""Licence and authors of a release: given when it is frozen, kept with the suite, and asked for where missing."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import AuditEvent
from core.jobs import services as jobs
from core.models import Job
from curation.models import Release, Suite
from curation.releases.frozen import release_head
from curation.releases.services import publish_release
from tests.curation.releases.factories import make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(mira) -> Suite:
    """Without a licence and authors, as an import leaves it."""
    suite = make_suite(by=mira)
    suite.licence = ""
    suite.save()
    return suite


def run_freeze(*arguments: str) -> tuple[dict, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("freeze", "small", *arguments, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def credits_of(release: Release) -> tuple[str, list[str]]:
    head = release_head(release)
    return head.licence, [author.full_name for author in head.authors]


def test_a_freeze_without_licence_and_authors_publishes_and_says_what_is_open(suite):
    result, said = run_freeze("--release", "1.0.0")
    assert result["state"] == "published"
    first, *points = result["warnings"]
    assert (
        first == "small@1.0.0 was published with 3 open points and no longer changes. Correct them in the next version."
    )
    assert [point.partition(":")[0] for point in points] == ["Documented", "Licensed", "Credited"]
    assert "Give --licence, for example CC-BY-4.0" in points[1]
    assert "Give --authors" in points[2]
    assert [f"warning: {warning}" for warning in result["warnings"]] == said.splitlines()


def test_a_freeze_takes_licence_and_authors_and_the_next_one_keeps_them(suite):
    result, _ = run_freeze(
        "--release", "1.0.0", "--licence", "CC-BY-4.0", "--authors", "Ada Lovelace", "Test Institute"
    )
    first, *points = result["warnings"]
    assert first == "small@1.0.0 was published with 1 open point and no longer changes. Correct it in the next version."
    assert [point.partition(":")[0] for point in points] == ["Documented"]
    release = Release.objects.get()
    assert credits_of(release) == ("CC-BY-4.0", ["Ada Lovelace", "Test Institute"])
    assert AuditEvent.objects.filter(action="suite_changed", subject_key="small").exists()
    run_freeze("--release", "1.1.0", "--licence", "CC0-1.0")
    assert credits_of(Release.objects.get(version="1.1.0")) == ("CC0-1.0", ["Ada Lovelace", "Test Institute"])
    assert credits_of(Release.objects.get(version="1.0.0"))[0] == "CC-BY-4.0"  # it never changes


def test_a_candidate_says_what_is_open_while_it_can_be_mended(suite):
    result, _ = run_freeze("--release", "1.0.0", "--candidate")
    assert [warning.partition(":")[0] for warning in result["warnings"]] == ["Documented", "Licensed", "Credited"]


def test_a_preview_with_a_licence_changes_nothing(suite):
    result, _ = run_freeze("--release", "1.0.0", "--licence", "CC0-1.0", "--preview")
    assert result["licence"] == "CC0-1.0"
    suite.refresh_from_db()
    assert suite.licence == ""


def test_a_licence_that_is_too_long_is_refused_and_nothing_is_left(suite):
    with pytest.raises(CommandError, match="at most 120 characters"):
        run_freeze("--release", "1.0.0", "--licence", "x" * 121)
    assert not Release.objects.exists()


def test_page_and_api_take_licence_and_authors(suite, client, mira):
    client.force_login(mira)
    chosen = {"suite": "small", "version": "1.0.0", "policy": "exclude", "min_agree": 4, "cascade": "closure"}
    shown = client.get(reverse("curation:release-preview"), chosen).content.decode()
    assert "There is no licence" in shown
    assert "There are no authors" in shown
    chosen |= {"access": "public", "licence": "CC-BY-4.0", "authors": "Ada Lovelace\nTest Institute"}
    assert "There is no licence" not in client.get(reverse("curation:release-preview"), chosen).content.decode()
    client.post(reverse("curation:release-new"), chosen)
    body = {"suite": "small", "version": "1.1.0", "licence": "CC0-1.0", "authors": ["Grace Hopper"]}
    made = client.post("/api/v1/releases/", body, content_type="application/json")
    assert made.status_code == 201
    for job in Job.objects.filter(kind="curation.build_release").order_by("id"):
        jobs.perform(job.key, worker="test")
    release = Release.objects.get(version="1.1.0")
    assert credits_of(publish_release(release, by=mira, reason="For a test.")) == ("CC0-1.0", ["Grace Hopper"])
