"""Following indexes of others: adding, reading by a job, showing, importing by name. The others are real servers."""

import functools
import http.server
import json
import threading

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import Action, AuditEvent
from core.errors import BadInput, NotAllowed
from core.jobs import services as jobs
from core.models import Job
from curation.followed.options import FollowOptions
from curation.followed.services import follow, offered_releases, refresh
from curation.indexes.writing import write_index
from curation.models import FollowedIndex, Release
from curation.publishing.signature import generate_key_pair
from curation.tasks import refresh_followed
from tests.touchstone.releases import small_release

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.VAR = tmp_path / "var"
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.ALLOWED_MODEL_HOSTS = ["127.0.0.1"]


@pytest.fixture
def published(tmp_path):
    folder = tmp_path / "published"
    small_release(folder / "small-1.0.0")
    published.secret = generate_key_pair().secret
    write_index(folder, name="Example", secret=published.secret)
    return folder


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(published):
    handler = functools.partial(Quiet, directory=str(published))
    found = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


@pytest.fixture
def address(server):
    return f"http://127.0.0.1:{server.server_address[1]}"


def followed(address, by) -> FollowedIndex:
    row = follow(FollowOptions(address=address), by=by)
    jobs.perform(Job.objects.get(kind="curation.refresh_followed").key, worker="test")
    row.refresh_from_db()
    return row


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_a_followed_index_is_read_by_a_job(address, mira):
    row = followed(address, mira)
    assert (row.name, row.error) == ("Example", "")
    assert row.public_key.startswith("RW")
    (one,) = offered_releases(mira)
    assert (one.entry.reference, str(one.source), one.here) == ("small@1.0.0", "Example", None)
    assert AuditEvent.objects.filter(action=Action.INDEX_FOLLOWED, actor=mira).exists()


def test_the_page_shows_it_and_its_releases_beside_the_own_ones(address, client, mira, vic):
    client.force_login(mira)
    page = reverse("curation:followed")
    assert client.post(page, {"address": address}).status_code == 302
    assert "Not read yet" in client.get(page).content.decode()
    jobs.perform(Job.objects.get().key, worker="test")
    shown = client.get(page).content.decode()
    assert "1 release, read" in shown
    assert "Signed with <code>RW" in shown
    listed = client.get(reverse("curation:releases")).content.decode()
    assert "Releases of others" in listed
    assert f"?release=small%401.0.0&amp;source={address.replace(':', '%3A')}" in listed
    client.force_login(vic)
    for_vic = client.get(reverse("curation:releases")).content.decode()
    assert "Releases of others" in for_vic
    assert "Import" not in for_vic
    assert "Releases of others" not in client.get(reverse("curation:releases"), {"q": "other"}).content.decode()


def test_a_release_is_imported_by_name_on_the_page(address, client, mira):
    followed(address, mira)
    client.force_login(mira)
    page = reverse("curation:release-import")
    form = client.get(page, {"release": "small@1.0.0", "source": address}).content.decode()
    assert 'value="small@1.0.0"' in form
    sent = {"release": "small@1.0.0", "source": address, "access": "public"}
    assert client.post(page, sent).status_code == 302
    job = jobs.perform(Job.objects.get(kind="curation.import_release").key, worker="test")
    assert job.state == "done", job.error
    release = Release.objects.get()
    assert (release.key, release.access, release.state) == ("small@1.0.0", "public", "published")
    assert "Stored here" in client.get(reverse("curation:releases")).content.decode()
    (one,) = offered_releases(mira)
    assert one.here == release


def test_a_private_import_is_not_betrayed_to_others(address, mira, vic):
    followed(address, mira)
    call_command("import_release", "small@1.0.0")
    assert offered_releases(mira)[0].here is not None
    assert offered_releases(vic)[0].here is None


def test_a_release_is_imported_by_name_over_the_api(address, mira):
    followed(address, mira)
    api = api_of(mira)
    queued = api.post("/api/v1/releases/import/", {"release": "small@1.0.0"}, format="multipart")
    assert queued.status_code == 202
    assert jobs.perform(queued.json()["job"], worker="test").state == "done"
    assert Release.objects.get().key == "small@1.0.0"
    for wrong, sentence in [
        ({"release": "small@9.9.9"}, "Known: small@1.0.0"),
        ({"release": "small"}, "Write SUITE@VERSION"),
        ({}, "Choose a file, or name a release"),
        ({"release": "small@1.0.0", "source": "/etc"}, "Write a web address"),
    ]:
        refused = api.post("/api/v1/releases/import/", wrong, format="multipart")
        assert refused.status_code == 422
        assert sentence in json.dumps(refused.json())


def test_the_command_imports_from_an_index_that_is_not_followed(address, capsys):
    call_command("import_release", "small@1.0.0", "--from", address, "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["release"], told["access"], told["cases"]) == ("small@1.0.0", "private", 48)
    with pytest.raises(CommandError, match=r"No index is known yet that could name other@1\.0\.0"):
        call_command("import_release", "other@1.0.0")


def test_a_wrong_checksum_is_refused(address, published, mira):
    followed(address, mira)
    with pytest.raises(CommandError, match="names the checksum"):
        call_command("import_release", "small@1.0.0", "--sha256", "0" * 64)
    archive = published / "small-1.0.0.zip"
    archive.write_bytes(archive.read_bytes()[:-50])
    with pytest.raises(CommandError, match="is a damaged zip archive"):
        call_command("import_release", "small@1.0.0")
    assert not Release.objects.exists()


def test_an_index_that_was_tampered_with_keeps_what_was_read_before(address, published, mira):
    row = followed(address, mira)
    file = published / "touchstone.json"
    file.write_text(file.read_text().replace('"Example"', '"Sample"'))
    assert not refresh(row)
    row.refresh_from_db()
    assert "was changed: its content has the checksum" in row.error
    assert (row.name, len(offered_releases(mira))) == ("Example", 1)


def test_another_key_is_refused(address, published, mira):
    row = followed(address, mira)
    write_index(published, name="Example", secret=generate_key_pair().secret)
    assert not refresh(row)
    row.refresh_from_db()
    assert "which was used before or which you named" in row.error


def test_a_missing_network_is_said_on_the_page(address, server, client, mira):
    row = followed(address, mira)
    server.shutdown()
    server.server_close()
    client.force_login(mira)
    assert client.post(reverse("curation:followed-refresh", args=[row.pk])).status_code == 302
    jobs.perform(Job.objects.unfinished().get().key, worker="test")
    shown = client.get(reverse("curation:followed")).content.decode()
    assert "cannot be reached" in shown
    assert "1 release, read" in shown


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("https://elsewhere.example.org", "is not on this installation&#x27;s list of permitted addresses"),
        ("/etc", "Write a web address"),
        ("ftp://example.org", "is no address of an index"),
    ],
)
def test_an_address_that_may_not_be_asked_is_refused(client, mira, wrong, sentence):
    client.force_login(mira)
    refused = client.post(reverse("curation:followed"), {"address": wrong})
    assert refused.status_code == 422
    assert sentence in refused.content.decode()
    assert not FollowedIndex.objects.exists()


def test_a_redirect_to_another_host_is_refused(settings, mira):
    class Redirecting(Quiet):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", "http://localhost:1/touchstone.json")
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirecting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        row = followed(f"http://127.0.0.1:{server.server_address[1]}", mira)
    finally:
        server.shutdown()
        server.server_close()
    assert "localhost:1 is not on this installation's list" in row.error


def test_only_maintainers_follow(address, client, emil, eva, mira):
    for user in (emil, eva):
        with pytest.raises(NotAllowed):
            follow(FollowOptions(address=address), by=user)
        client.force_login(user)
        assert client.get(reverse("curation:followed")).status_code == 403
        assert api_of(user).get("/api/v1/followed-indexes/").status_code == 403
    followed(address, mira)
    with pytest.raises(BadInput, match="followed already"):
        follow(FollowOptions(address=f"{address}/"), by=mira)


def test_an_index_is_followed_and_dropped_over_the_api(address, mira, vic):
    api = api_of(mira)
    made = api.post("/api/v1/followed-indexes/", {"address": address})
    assert made.status_code == 201
    jobs.perform(made.json()["job"], worker="test")
    (row,) = api.get("/api/v1/followed-indexes/").json()["results"]
    assert (row["name"], row["error"]) == ("Example", "")
    (offered,) = api_of(vic).get("/api/v1/followed-indexes/releases/").json()
    assert (offered["release"], offered["address"], offered["here"]) == ("small@1.0.0", address, None)
    assert api.post(f"/api/v1/followed-indexes/{row['id']}/refresh/").status_code == 202
    assert api.delete(f"/api/v1/followed-indexes/{row['id']}/").status_code == 204
    assert offered_releases(mira) == []


def test_all_followed_indexes_are_read_every_few_hours(address, mira):
    refresh_followed()
    assert not Job.objects.exists()
    row = followed(address, mira)
    FollowedIndex.objects.update(name="")
    refresh_followed()
    job = jobs.perform(Job.objects.unfinished().get().key, worker="test")
    assert job.result == {"read": [row.address], "failed": []}
