"""Releases are published at hubs, once, with a DOI that their frozen files name."""

import io
import json
import zipfile

import pytest
import yaml
from django.core import serializers
from django.core.management import call_command

from accounts.errors import NotAllowed
from accounts.models import AuditEvent
from core.errors import BadInput, WrongState
from core.inference.pacing import Retrying
from core.jobs.services import perform
from core.models import Job
from curation.hubs.client import HubClient
from curation.hubs.entries import drop_entries
from curation.hubs.errors import HubAway, HubFailed
from curation.hubs.models import EntryState, Hub
from curation.hubs.options import PublishToHubOptions
from curation.hubs.services import publish_to_hub, request_publication, request_reservation, reserve_doi
from curation.models import HubEntry
from curation.publishing.verify import verify_folder
from curation.releases.export import export_release
from curation.releases.services import delete_release, publish_release, withdraw_release
from curation.releases.verifying import verify_release
from tests.curation.hubs.conftest import OTHER, TOKEN
from tests.curation.hubs.stub_base import running
from tests.curation.hubs.zenodo_stub import ZenodoStub
from tests.curation.releases.factories import make_candidate, make_release

pytestmark = pytest.mark.django_db


def content(repo, name):
    return bytes.fromhex(repo.commits[repo.head].files[name]["content"])


def at_hub(release, mira, **options):
    return publish_to_hub(release, Hub.HUGGING_FACE, by=mira, **options)


def deposited(release, mira):
    return publish_to_hub(release, Hub.ZENODO, by=mira)


def test_a_release_becomes_a_data_set_that_can_be_loaded_and_verified(hub, published, mira, tmp_path, monkeypatch):
    entry = at_hub(published, mira)
    repo = hub.repos["lab/small"]
    assert entry.state == EntryState.PUBLISHED
    assert entry.url == f"{hub.url}/datasets/lab/small/tree/1.0.0"
    assert repo.tags == {"1.0.0": repo.head}
    assert not repo.gated
    assert not repo.private
    files = repo.commits[repo.head].files
    assert "lfs" in files["data/en/test.parquet"]
    for name in files:
        (tmp_path / "got" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "got" / name).write_bytes(content(repo, name))
    assert verify_folder(tmp_path / "got/release", expected_sha256=published.sha256).is_intact
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    loaded = datasets.load_dataset(str(tmp_path / "got"), "en", cache_dir=str(tmp_path / "cache"))["test"]
    assert len(loaded) == published.facts["included"]
    assert loaded.features["label_gold"].names == ["hateful", "non-hateful"]


def test_the_stub_speaks_the_protocol_of_the_hubs_own_client(hub, tmp_path, monkeypatch):
    """What is tested against the stub is worth what the stub is: the client that the hub publishes works with it."""
    huggingface_hub = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)  # the stub is on this machine
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)  # Git LFS is what we speak
    (tmp_path / "README.md").write_text("# Title\n", encoding="utf-8")
    (tmp_path / "data.parquet").write_bytes(b"PAR1" * 100)
    api = huggingface_hub.HfApi(endpoint=hub.url, token=TOKEN)
    api.create_repo("lab/other", repo_type="dataset", exist_ok=True)
    api.create_repo("lab/other", repo_type="dataset", exist_ok=True)
    api.update_repo_settings("lab/other", repo_type="dataset", gated="manual")
    operations = [
        huggingface_hub.CommitOperationAdd(path_in_repo=name, path_or_fileobj=tmp_path / name)
        for name in ("README.md", "data.parquet")
    ]
    api.create_commit("lab/other", operations, commit_message="Publish", repo_type="dataset")
    api.create_tag("lab/other", tag="1.0.0", repo_type="dataset")
    repo = hub.repos["lab/other"]
    assert repo.gated == "manual"
    assert content(repo, "data.parquet") == b"PAR1" * 100
    assert [tag.name for tag in api.list_repo_refs("lab/other", repo_type="dataset").tags] == ["1.0.0"]
    tree = {entry.path: entry for entry in api.list_repo_tree("lab/other", repo_type="dataset", recursive=True)}
    assert tree["data.parquet"].lfs.size == 400


def test_access_on_request_closes_the_gate_before_anything_is_sent(hub, suite, mira):
    release = make_release(suite, by=mira, access="request", terms="Use it for research only.")
    at_hub(release, mira)
    repo = hub.repos["lab/small"]
    assert repo.gated == "manual"
    header = yaml.safe_load(content(repo, "README.md").decode().split("---\n")[1])
    assert header["extra_gated_prompt"] == "Use it for research only."
    lines = hub.lines()
    assert lines.index("PUT /api/datasets/lab/small/settings") < lines.index("POST /api/datasets/lab/small/commit/main")


@pytest.mark.parametrize("place", ["/commit/main", "/tag/", "/lfs/verify", "/preupload"])
@pytest.mark.parametrize("when", ["breaks_before", "breaks_after"])
def test_a_second_try_after_a_crash_makes_no_second_commit(hub, published, mira, place, when):
    setattr(hub, when, place)
    with pytest.raises(HubFailed):
        at_hub(published, mira)
    setattr(hub, when, "")
    at_hub(published, mira)
    at_hub(published, mira)
    repo = hub.repos["lab/small"]
    assert [commit.summary for commit in repo.commits.values()] == ["initial commit", "Publish small@1.0.0"]
    assert len(hub.storage.lines("PUT")) == len(hub.storage.objects) == 1
    assert HubEntry.objects.count() == 1


def test_the_next_version_replaces_the_files_and_both_stay_under_their_tags(hub, published, suite, mira):
    at_hub(published, mira)
    repo = hub.repos["lab/small"]
    first = repo.head
    at_hub(make_release(suite, "1.1.0", by=mira), mira)
    assert set(repo.tags) == {"1.0.0", "1.1.0"}
    assert repo.tags["1.0.0"] == first != repo.tags["1.1.0"]


def test_a_version_with_another_content_is_not_overwritten(hub, published, mira):
    at_hub(published, mira)
    repo = hub.repos["lab/small"]
    del repo.commits[repo.head].files["README.md"]
    HubEntry.objects.all().delete()
    with pytest.raises(HubFailed, match=r"holds another content under the version 1\.0\.0"):
        at_hub(published, mira)


def test_a_doi_that_is_reserved_before_stands_in_the_frozen_files(archive, suite, mira, tmp_path):
    release = make_candidate(suite, by=mira)
    entry = reserve_doi(release, by=mira)
    assert entry.doi == "10.5072/zenodo.1000"
    publish_release(release, by=mira, reason="A test.")
    assert release.doi == entry.doi
    formats = ["csv", "huggingface", "croissant"]
    export_release(release, tmp_path / "out", formats=formats)
    named = ["CITATION.cff", "codemeta.json", "croissant.json", "DATA_STATEMENT.md", "DATASHEET.md", "manifest.json"]
    for name in [*named, "huggingface/README.md"]:
        assert entry.doi in (tmp_path / "out" / name).read_text(encoding="utf-8"), name
    assert not archive.deposits[1000]["files"]

    done = deposited(release, mira)
    assert done.state == EntryState.PUBLISHED
    assert done.url == f"{archive.url}/records/1000"
    row = archive.deposits[1000]
    assert row["submitted"]
    assert row["metadata"]["license"] == "cc-by-4.0"
    assert set(row["content"]) == {
        "README.md", "DATA_STATEMENT.md", "DATASHEET.md", "CITATION.cff", "manifest.json", "small-1.0.0-all.zip",
    }  # fmt: skip
    zipped = zipfile.ZipFile(io.BytesIO(row["content"]["small-1.0.0-all.zip"]))
    zipped.extractall(tmp_path / "zip")
    assert verify_folder(tmp_path / "zip/small-1.0.0", expected_sha256=release.sha256).is_intact
    assert entry.doi in zipped.read("small-1.0.0/CITATION.cff").decode()
    assert not release.identifiers.exists()
    assert verify_release(release).is_intact


def test_a_release_that_was_published_before_gets_its_doi_recorded_beside_it(archive, published, mira):
    deposited(published, mira)
    assert published.doi == "10.5072/zenodo.1000"
    assert published.identifiers.count() == 1
    with pytest.raises(WrongState, match="is published, so its files cannot name another DOI"):
        reserve_doi(published, by=mira)


@pytest.mark.parametrize("when", ["breaks_before", "breaks_after"])
@pytest.mark.parametrize(
    "place", ["POST /api/deposit/depositions", "GET /api/deposit/depositions/1000", "PUT /api/files", "actions/publish"]
)
def test_a_second_try_after_a_crash_makes_no_second_deposit(archive, suite, mira, place, when):
    release = make_candidate(suite, by=mira)
    setattr(archive, when, place)
    if place.startswith(("POST", "GET")):
        with pytest.raises(HubFailed):
            reserve_doi(release, by=mira)
        setattr(archive, when, "")
    reserve_doi(release, by=mira)
    publish_release(release, by=mira, reason="A test.")
    if place.startswith(("PUT", "actions")):
        with pytest.raises(HubFailed):
            deposited(release, mira)
        setattr(archive, when, "")
    deposited(release, mira)
    deposited(release, mira)
    assert list(archive.deposits) == [1000]
    assert archive.deposits[1000]["submitted"]
    assert archive.lines("POST").count("POST /api/deposit/depositions/1000/actions/publish") <= 2


def test_access_on_request_makes_a_restricted_deposit(archive, suite, mira):
    release = make_release(suite, by=mira, access="request", terms="Use it for <research> only.")
    deposited(release, mira)
    said = archive.deposits[1000]["metadata"]
    assert said["access_right"] == "restricted"
    assert said["access_conditions"] == "<p>Use it for &lt;research&gt; only.</p>"


def test_a_deleted_draft_discards_its_deposit(archive, suite, mira):
    release = make_candidate(suite, by=mira)
    reserve_doi(release, by=mira)
    delete_release(release, by=mira)
    job = Job.objects.get(kind="curation.discard_deposit")
    perform(job.key, worker="test")
    job.refresh_from_db()
    assert job.result == {"deposit": "1000", "discarded": True}
    assert archive.deposits == {}


def test_building_again_keeps_the_reserved_doi(archive, suite, mira):
    release = make_candidate(suite, by=mira)
    first = reserve_doi(release, by=mira)
    assert reserve_doi(release, by=mira) == first
    assert archive.lines("POST") == ["POST /api/deposit/depositions"]


def test_nothing_is_asked_of_a_host_that_is_not_listed(hub, published, mira, settings):
    settings.ALLOWED_HUB_HOSTS = []
    with pytest.raises(BadInput, match="Hugging Face Hub is not set up here"):
        at_hub(published, mira)
    settings.ALLOWED_HUB_HOSTS = [f"127.0.0.1:{hub.server_port}"]  # the storage has another port
    with pytest.raises(HubFailed, match="not on this installation's list of permitted hosts"):
        at_hub(published, mira)
    assert hub.storage.requests == []


def test_tokens_are_sent_to_their_own_server_and_kept_nowhere(hub, archive, published, mira, caplog, capsys):
    with caplog.at_level("DEBUG"):
        at_hub(published, mira)
        deposited(published, mira)
    for stub, token in ((hub, TOKEN), (archive, OTHER)):
        assert {headers["authorization"] for _verb, _path, headers in stub.requests} == {f"Bearer {token}"}
    assert all("authorization" not in headers for _verb, _path, headers in hub.storage.requests)
    rows = [*HubEntry.objects.all(), *AuditEvent.objects.all(), *Job.objects.all()]
    written = serializers.serialize("json", rows) + caplog.text + "".join(capsys.readouterr())
    assert TOKEN not in written
    assert OTHER not in written


def test_a_wrong_token_is_refused_without_being_repeated(hub, published, mira, settings):
    settings.HUGGINGFACE_TOKEN = "hf_some-other-token"
    with pytest.raises(HubFailed) as refused:
        at_hub(published, mira)
    assert "HTTP 401" in str(refused.value)
    assert "hf_some-other-token" not in str(refused.value)


def test_a_server_that_is_away_is_worth_another_try():
    with running(ZenodoStub(OTHER)) as stub:
        address = stub.url
    client = HubClient(address, OTHER, hosts=["127.0.0.1"], agent="test", retrying=Retrying(attempts=1))
    with pytest.raises(HubAway, match="the connection failed"):
        client.ask("GET", "/api/deposit/depositions")


def test_only_what_is_open_and_published_here_goes_to_a_hub(hub, archive, suite, mira, emil):
    candidate = make_candidate(suite, by=mira)
    with pytest.raises(WrongState, match="not published here yet"):
        at_hub(candidate, mira)
    with pytest.raises(NotAllowed):
        at_hub(candidate, emil)
    with pytest.raises(NotAllowed):
        reserve_doi(candidate, by=emil)
    private = make_release(suite, "1.1.0", by=mira, access="private")
    with pytest.raises(BadInput, match="is private"):
        at_hub(private, mira)
    gone = make_release(suite, "1.2.0", by=mira, access="public")
    withdraw_release(gone, reason="Wrong labels.", by=mira)
    with pytest.raises(BadInput, match="is withdrawn"):
        at_hub(gone, mira)
    suite.licence = ""
    suite.save()
    with pytest.raises(BadInput, match="needs a licence by its identifier"):
        reserve_doi(make_candidate(suite, "1.3.0", by=mira, access="public"), by=mira)
    assert hub.requests == archive.requests == []


@pytest.mark.parametrize("name", ["small", "/small", "lab/../x", "lab/small/en", "lab small/x"])
def test_a_wrong_name_of_a_data_set_is_refused(hub, published, mira, name):
    with pytest.raises(BadInput, match="is not the name of a data set"):
        at_hub(published, mira, repository=name)
    assert hub.requests == []


def test_jobs_publish_with_progress_and_are_not_queued_twice(hub, archive, suite, mira):
    release = make_candidate(suite, by=mira)
    reserving = request_reservation(release, by=mira)
    assert request_reservation(release, by=mira) == reserving
    perform(reserving.key, worker="test")
    publish_release(release, by=mira, reason="A test.")
    options = PublishToHubOptions(hub="huggingface", repository="lab/named")
    job = request_publication(release, options, by=mira)
    assert request_publication(release, options, by=mira) == job
    steps = []
    perform(job.key, worker="test", on_progress=lambda done, total, message: steps.append((done, total, message)))
    job.refresh_from_db()
    assert job.state == "done"
    assert job.result["url"] == f"{hub.url}/datasets/lab/named/tree/1.0.0"
    assert steps[0][2] == "Sending data/en/test.parquet"
    assert steps[-1][:2] == (2, 2)


def test_commands_freeze_with_a_doi_and_publish(hub, archive, suite):
    frozen = run("freeze", "small", "--release", "1.0.0", "--reserve-doi", "--reason", "A test.")
    assert frozen["doi"] == "10.5072/zenodo.1000"
    assert run("publish_to_hub", "small@1.0.0", "--hub", "zenodo")["doi"] == frozen["doi"]
    pushed = run("publish_to_hub", "small@1.0.0", "--hub", "huggingface", "--repository", "team/tests")
    assert pushed["url"] == f"{hub.url}/datasets/team/tests/tree/1.0.0"
    assert archive.deposits[1000]["submitted"]


def run(*arguments):
    out = io.StringIO()
    call_command(*arguments, "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def test_an_entry_at_another_server_is_not_continued_elsewhere(archive, suite, mira, settings):
    release = make_candidate(suite, by=mira)
    reserve_doi(release, by=mira)
    settings.ZENODO_URL = "http://127.0.0.1:9"
    publish_release(release, by=mira, reason="A test.")
    with pytest.raises(BadInput, match="was begun at"):
        deposited(release, mira)
    drop_entries(release, by=mira)
    assert not HubEntry.objects.exists()
