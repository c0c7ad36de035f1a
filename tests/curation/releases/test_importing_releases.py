"""A release that another instance published is the same release here: cases, labels, documents, checksum."""

import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse
from rest_framework.test import APIClient

from core.errors import BadInput, NotAllowed
from core.jobs import services as jobs
from core.models import Job
from curation.models import Release, ReleaseExclusion, Suite
from curation.releases.documents import statement_of
from curation.releases.export import export_release, public_key
from curation.releases.frozen import IMPORTED
from curation.releases.importing import import_release
from curation.releases.verifying import verify_release
from tests.curation.releases.factories import cases_of, make_release, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def elsewhere(tmp_path, mira):
    """An exported folder whose instance is gone: what was made is undone."""

    def export(**facts) -> Path:
        folder = tmp_path / "small-1.0.0"
        with transaction.atomic():
            suite = make_suite(by=mira)
            release = make_release(suite, by=mira, min_agree=4, policy="exclude", **facts)
            export_release(release, folder, formats=("csv",))
            export.cases = cases_of(release)
            export.about = set(release.cases.filter(is_about_identity=True).values_list("key", flat=True))
            transaction.set_rollback(True)
        return folder

    return export


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_has_the_cases_the_checksum_and_the_labels_it_had(elsewhere, mira):
    folder = elsewhere()
    manifest = json.loads((folder / "manifest.json").read_text())
    release = import_release(folder, by=mira)
    assert (release.key, release.state, release.sha256) == ("small@1.0.0", "published", manifest["sha256"])
    assert cases_of(release) == elsewhere.cases
    assert set(release.cases.filter(is_about_identity=True).values_list("key", flat=True)) == elsewhere.about
    assert ReleaseExclusion.objects.filter(release=release).count() == manifest["excluded_by_reason"][
        "disagreement"
    ] + (manifest["excluded_by_reason"].get("template", 0) + manifest["excluded_by_reason"].get("reference", 0))
    assert verify_release(release).is_intact


def test_it_is_marked_as_imported_and_private_until_told_otherwise(elsewhere, client, mira):
    release = import_release(elsewhere(), by=mira)
    assert release.facts[IMPORTED]["is_signed"] is False
    assert release.access == "private"
    assert client.get(release.get_absolute_url()).status_code == 404
    client.force_login(mira)
    assert "imported from another instance" in client.get(release.get_absolute_url()).content.decode()
    assert reverse("curation:release-import") in client.get(reverse("curation:releases")).content.decode()


def test_what_it_is_exported_to_is_what_it_came_from(elsewhere, tmp_path, mira):
    folder = elsewhere()
    release = import_release(folder, by=mira)
    export_release(release, tmp_path / "again", formats=("csv",))
    first, second = files_in(folder), files_in(tmp_path / "again")
    assert set(first) == set(second)
    assert {name for name in first if first[name] != second[name]} <= {"manifest.json", "SHA256SUMS"}
    assert statement_of(release).encode() == first["DATA_STATEMENT.md"]


def test_importing_it_twice_gives_the_same_release(elsewhere, mira):
    folder = elsewhere()
    assert import_release(folder, by=mira).pk == import_release(folder, by=mira).pk
    assert Release.objects.count() == 1


def test_a_version_with_another_content_is_refused(elsewhere, mira):
    folder = elsewhere()
    make_release(make_suite(by=mira), by=mira, policy="mark")
    with pytest.raises(BadInput, match="other content"):
        import_release(folder, by=mira)
    assert Release.objects.count() == 1


def change_a_text(folder: Path) -> None:
    path = folder / "cases.csv"
    path.write_bytes(path.read_bytes().replace(b"Everybody is welcome.", b"Everybody is welcomed."))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (change_a_text, "case"),
        (lambda folder: (folder / "annexes" / "lexicon.csv").unlink(), "missing"),
        (lambda folder: (folder / "more.txt").write_text("x"), "does not belong"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "not intact"),
        (lambda folder: (folder / "manifest.json").unlink(), "not an exported release"),
    ],
)
def test_what_is_not_intact_is_refused_and_leaves_nothing(elsewhere, mira, damage, told):
    folder = elsewhere()
    damage(folder)
    with pytest.raises(BadInput, match=told):
        import_release(folder, by=mira)
    assert not Release.objects.exists()
    assert not Suite.objects.exists()


def test_a_published_checksum_is_compared(elsewhere, mira):
    with pytest.raises(BadInput, match="was published"):
        import_release(elsewhere(), sha256="0" * 64, by=mira)


def test_a_signature_is_checked_with_the_publishers_key(elsewhere, tmp_path, settings, mira):
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "key.pem").write_bytes(key)
    settings.SIGNING_KEY_FILE = str(tmp_path / "key.pem")
    folder, right = elsewhere(), public_key()
    (tmp_path / "key.pem").write_bytes(
        Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    with pytest.raises(BadInput, match="not intact"):
        import_release(folder, public_key=public_key(), by=mira)
    release = import_release(folder, public_key=right, by=mira)
    assert release.facts[IMPORTED]["signature_checked"]


def test_an_expert_imports_no_release(elsewhere, emil):
    with pytest.raises(NotAllowed):
        import_release(elsewhere(), by=emil)


def test_a_crash_in_between_leaves_nothing(elsewhere, mira, monkeypatch):
    monkeypatch.setattr("curation.releases.importing._facts", lambda *a, **k: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        import_release(elsewhere(), by=mira)
    assert not Release.objects.exists()


def zipped(folder: Path) -> Path:
    return Path(shutil.make_archive(str(folder), "zip", folder.parent, folder.name))


def test_the_command_takes_a_zip_file(elsewhere):
    out = io.StringIO()
    call_command("import_release", str(zipped(elsewhere())), "--access", "public", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["release"], told["access"], told["signature"]) == ("small@1.0.0", "public", "none")
    call_command("verify_release", "small@1.0.0", stdout=out)


def run_the_job() -> Job:
    job = Job.objects.get(kind="curation.import_release")
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    return job


def test_a_maintainer_uploads_it_on_a_page(elsewhere, client, mira, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    path = zipped(elsewhere())
    client.force_login(mira)
    assert client.get(reverse("curation:release-import")).status_code == 200
    answer = client.post(
        reverse("curation:release-import"),
        {"file": SimpleUploadedFile("small.zip", path.read_bytes()), "access": "private"},
    )
    assert answer.status_code == 302, answer.content.decode()
    job = run_the_job()
    assert (job.state, job.result.get("release")) == ("done", "small@1.0.0"), job.error


def test_the_api_takes_an_upload(elsewhere, mira, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    api = APIClient()
    api.force_authenticate(mira)
    path = zipped(elsewhere())
    sent = {"file": SimpleUploadedFile("small.zip", path.read_bytes())}
    assert api.post("/api/v1/releases/import/", sent, format="multipart").status_code == 202
    assert run_the_job().state == "done"


def test_an_archive_that_leads_outside_is_refused(tmp_path, mira):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("../manifest.json", "{}")
    with pytest.raises(BadInput):
        import_release(tmp_path / "x.zip", by=mira)
