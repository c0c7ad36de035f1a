"""The index that this instance publishes: its public releases, signed, at an address that programs know."""

import json
from datetime import UTC

import pytest

from core.jobs import services as jobs
from core.models import Job
from curation.indexes.reading import read_index
from curation.models import ReleaseDownload
from curation.publishing.signature import generate_key_pair, key_line
from curation.releases import downloads
from curation.releases.own_index import own_index
from curation.releases.services import withdraw_release
from tests.curation.releases.factories import make_release, make_suite

pytestmark = pytest.mark.django_db
ADDRESS = "/.well-known/touchstone.json"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    settings.SIGNING_KEY_FILE = ""
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def test_anyone_reads_it(release, client):
    answer = client.get(ADDRESS)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    index = read_index(answer.content, address="here")
    assert index.public_key.startswith("RW")
    (entry,) = index.releases
    assert (entry.reference, entry.sha256, entry.cases) == (release.key, release.sha256, release.facts["included"])
    assert (entry.languages, entry.licence, entry.title) == (("en",), "CC-BY-4.0", "Small")
    assert index.updated == release.published_at.astimezone(UTC).isoformat(timespec="seconds")


def test_the_same_releases_give_the_same_bytes_and_no_second_answer(release, client):
    first = client.get(ADDRESS)
    assert own_index() == first.content
    assert client.get(ADDRESS, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_private_and_unpublished_releases_are_not_in_it(release, mira):
    make_release(release.suite, "2.0.0", cascade="none", access="private", by=mira)
    make_release(release.suite, "3.0.0", cascade="none", access="request", by=mira)
    assert [entry.reference for entry in read_index(own_index(), address="here").releases] == [release.key]


def test_an_instance_without_releases_has_an_empty_index(db, client):
    assert read_index(client.get(ADDRESS).content, address="here").releases == ()


def test_a_withdrawn_release_says_why_and_the_index_is_newer(release, mira):
    before = read_index(own_index(), address="here")
    withdraw_release(release, reason="The labels are wrong.", by=mira)
    after = read_index(own_index(), address="here")
    assert after.releases[0].withdrawn == "The labels are wrong."
    assert after.updated >= before.updated


def test_it_is_signed_with_the_key_of_releases_where_there_is_one(release, settings, tmp_path):
    without = read_index(own_index(), address="here")
    assert without.releases[0].signature_key == ""
    pair = generate_key_pair()
    (tmp_path / "key.pem").write_bytes(pair.secret)
    settings.SIGNING_KEY_FILE = str(tmp_path / "key.pem")
    index = read_index(own_index(), address="here")
    assert index.public_key == index.releases[0].signature_key == key_line(pair.public)
    assert without.public_key != index.public_key


def test_a_file_is_downloaded_and_noted(release, client):
    (entry,) = read_index(client.get(ADDRESS).content, address="here").releases
    answer = client.get(entry.download)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert b"".join(answer.streaming_content).startswith(b"PK")
    assert ReleaseDownload.objects.filter(release=release).count() == 1


def test_a_large_file_is_written_by_a_worker_first(release, client, monkeypatch):
    monkeypatch.setattr(downloads, "MADE_AT_ONCE", 1)
    (entry,) = read_index(client.get(ADDRESS).content, address="here").releases
    for _twice in range(2):
        answer = client.get(entry.download)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    (job,) = Job.objects.filter(kind="curation.export_release")
    jobs.perform(job.key, worker="test")
    assert client.get(entry.download).status_code == 200


def test_a_private_file_is_not_found(release, mira, client):
    private = make_release(release.suite, "2.0.0", cascade="none", access="private", by=mira)
    client.force_login(mira)
    assert client.get(f"/.well-known/touchstone/{private.key}.zip").status_code == 404


def test_it_holds_no_text_of_a_case(release, client):
    content = json.loads(client.get(ADDRESS).content)
    assert not any(text in json.dumps(content) for text in release.cases.values_list("text", flat=True))
