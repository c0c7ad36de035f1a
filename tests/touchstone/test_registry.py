"""Releases by name, without a server of ours: an index in a folder, on a web server, on a hub; and what is refused."""

import functools
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from curation.publishing.signature import generate_key_pair, key_line, sign_folder
from tests.touchstone.releases import small_release
from touchstone import load_release
from touchstone.cli import has_database, main

ROOT = Path(__file__).resolve().parent.parent.parent
GOOD = "python:tests.touchstone.releases:by_word"


@pytest.fixture(autouse=True)
def _own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))
    for name in ("DATABASE_URL", "SIGNING_KEY_FILE", "TOUCHSTONE_INDEXES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    """The file with a secret key, and the line of its public key."""
    pair = generate_key_pair()
    file = tmp_path_factory.mktemp("keys") / "secret.pem"
    file.write_bytes(pair.secret)
    return file, key_line(pair.public)


@pytest.fixture
def published(tmp_path, key, capsys):
    """A folder with one signed release and a signed index."""
    folder = tmp_path / "published"
    release = small_release(folder / "small-1.0.0")
    sign_folder(release, secret=key[0].read_bytes(), comment="small@1.0.0")
    assert main(["index", str(folder), "--key", str(key[0]), "--name", "Example"]) == 0
    capsys.readouterr()
    return folder


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def serve():
    """Serve a folder and return the address and what ends it."""
    servers = []

    def start(folder):
        handler = functools.partial(Quiet, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)

        def end():
            server.shutdown()
            server.server_close()

        return f"http://127.0.0.1:{server.server_address[1]}", end

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def refused(arguments, capsys) -> str:
    assert main(arguments) == 1
    return capsys.readouterr().err


def change_index(folder: Path, **facts) -> None:
    """Change an index and its checksum, as somebody would who has no key."""
    import hashlib

    from curation.indexes.values import sealed_bytes

    file = folder / "touchstone.json"
    content = json.loads(file.read_text()) | facts
    content["sha256"] = hashlib.sha256(sealed_bytes(content)).hexdigest()
    file.write_text(json.dumps(content))


def test_an_index_says_what_a_release_is(published, key):
    content = json.loads((published / "touchstone.json").read_text())
    assert content["format"] == "touchstone-index/1"
    assert content["public_key"] == key[1]
    (entry,) = content["releases"]
    manifest = json.loads((published / "small-1.0.0" / "manifest.json").read_text())
    assert (entry["suite"], entry["version"], entry["languages"]) == ("small", "1.0.0", ["en"])
    assert (entry["sha256"], entry["cases"]) == (manifest["sha256"], 48)
    assert (entry["download"], entry["signature_key"]) == ("small-1.0.0.zip", key[1])


def test_writing_an_index_again_changes_nothing(published, key):
    before = {file.name: file.read_bytes() for file in published.iterdir() if file.is_file()}
    assert main(["index", str(published), "--key", str(key[0]), "--name", "Example"]) == 0
    assert {file.name: file.read_bytes() for file in published.iterdir() if file.is_file()} == before


@pytest.mark.parametrize("kind", ["folder", "web server", "file", "hub"])
def test_a_release_is_listed_fetched_and_evaluated_by_its_name(published, serve, kind, tmp_path, capsys, monkeypatch):
    source = str(published)
    if kind == "web server":
        source, _end = serve(published)
    elif kind == "file":
        source = (published / "touchstone.json").as_uri()
    elif kind == "hub":
        hub = tmp_path / "hub" / "datasets" / "example" / "suites" / "resolve"
        hub.mkdir(parents=True)
        shutil.copytree(published, hub / "main")
        monkeypatch.setenv("HF_ENDPOINT", serve(tmp_path / "hub")[0])
        source = "hf:example/suites"
    assert main(["suites", source]) == 0
    told = capsys.readouterr().out
    assert "small@1.0.0  en" in told
    assert "Example" in told
    assert main(["get", "small@1.0.0", "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    assert Path(got["folder"]).parts[-2:] == (got["sha256"], "small@1.0.0")
    assert main(["evaluate", "small@1.0.0", "--model", GOOD, "--json"]) == 0
    (measures,) = json.loads(capsys.readouterr().out)["models"].values()
    assert measures["overall"]["accuracy"] == 1.0
    assert load_release("small@1.0.0").sha256 == got["sha256"]
    assert main(["suites", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["indexes"]
    assert listed["releases"][0]["is_kept"] is True


def test_what_was_fetched_is_not_fetched_again_and_works_offline(published, serve, capsys):
    source, end = serve(published)
    assert main(["get", "small@1.0.0", "--from", source]) == 0
    end()
    capsys.readouterr()
    assert main(["get", "small@1.0.0"]) == 0
    out = capsys.readouterr()
    assert "is verified: 48 cases" in out.out
    assert "cannot be reached" in out.err
    assert "The copy of its index from" in out.err
    assert main(["evaluate", "small@1.0.0", "--model", GOOD]) == 0
    assert main(["suites"]) == 0


def test_a_missing_network_is_said(serve, tmp_path, capsys):
    source, end = serve(tmp_path)
    end()
    told = refused(["suites", source], capsys)
    assert "cannot be reached" in told
    assert "name it in the environment variable HTTPS_PROXY" in told
    assert "cannot be reached" in refused(["get", "small@1.0.0", "--from", source], capsys)


def test_a_release_that_was_never_fetched_needs_the_network(published, serve, capsys):
    source, end = serve(published)
    assert main(["suites", source]) == 0
    end()
    told = refused(["get", "small@1.0.0"], capsys)
    assert "small@1.0.0 was not fetched before" in told


def test_a_proxy_is_used_and_named_without_its_password(published, serve, monkeypatch, capsys):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("http_proxy", f"http://ann:secret-word@127.0.0.1:{port}")
    monkeypatch.setenv("no_proxy", "")
    told = refused(["suites", "http://suites.example.org"], capsys)
    assert f"through the proxy http://127.0.0.1:{port}" in told
    assert "NO_PROXY" in told
    assert "secret-word" not in told


def test_a_tampered_index_is_refused(published, capsys):
    file = published / "touchstone.json"
    file.write_text(file.read_text().replace('"Small"', '"Smaller"'))
    told = refused(["suites", str(published)], capsys)
    assert "was changed: its content has the checksum" in told
    assert "Ask its publisher" in told


def test_an_index_with_a_wrong_signature_is_refused(published, capsys):
    change_index(published, name="Somebody else")
    assert "The signature of the index" in refused(["suites", str(published)], capsys)
    content = json.loads((published / "touchstone.json").read_text())
    change_index(published, signature="")
    assert "is wrong" in refused(["suites", str(published)], capsys)
    assert content["signature"]


def test_an_index_signed_by_another_key_is_refused(published, tmp_path, key, capsys):
    assert main(["suites", str(published)]) == 0
    other = tmp_path / "other.pem"
    other.write_bytes(generate_key_pair().secret)
    public = tmp_path / "key.pub"
    public.write_text(key[1] + "\n")
    arguments = ["index", str(published), "--name", "Example", "--release-key", str(public)]
    assert main([*arguments, "--key", str(other)]) == 0
    capsys.readouterr()
    assert "which was used before" in refused(["suites", str(published)], capsys)
    assert main(arguments) == 0  # and one that is no longer signed
    assert "is signed with the key none" in refused(["suites", str(published)], capsys)
    assert main(["suites", str(published.resolve()), "--forget"]) == 0
    assert main(["suites", str(published)]) == 0
    assert "not signed" in capsys.readouterr().out
    assert "is signed with the key none" in refused(["suites", str(published), "--public-key", key[1]], capsys)


def test_a_stale_index_is_refused(published, key, capsys):
    old = (published / "touchstone.json").read_bytes()
    content = json.loads(old)
    assert main(["suites", str(published)]) == 0
    from dataclasses import replace

    from curation.indexes.reading import read_index

    newer = replace(read_index(old, address="x"), updated="2999-01-01T00:00:00+00:00")
    (published / "touchstone.json").write_bytes(newer.to_bytes(secret=key[0].read_bytes()))
    assert main(["suites", str(published)]) == 0
    (published / "touchstone.json").write_bytes(old)
    told = refused(["suites", str(published)], capsys)
    assert f"is stale: it is from {content['updated']}, and one from 2999-01-01" in told


def test_a_release_that_changed_is_refused(published, key, capsys):
    assert main(["suites", str(published)]) == 0
    from dataclasses import replace

    from curation.indexes.reading import read_index

    index = read_index((published / "touchstone.json").read_bytes(), address="x")
    entry = replace(index.releases[0], sha256="0" * 64)
    changed = replace(index, releases=(entry,)).to_bytes(secret=key[0].read_bytes())
    (published / "touchstone.json").write_bytes(changed)
    assert "A published release never changes" in refused(["suites", str(published)], capsys)
    # Somebody who reads it for the first time is told when the release comes.
    assert main(["suites", str(published), "--forget"]) == 0
    told = refused(["get", "small@1.0.0", "--from", str(published)], capsys)
    assert "is not small@1.0.0 as the index names it" in told
    assert "Nothing was kept" in told


def test_a_release_with_a_wrong_signature_is_refused(published, tmp_path, key, capsys):
    """The archive is replaced by the same release, signed by somebody else."""
    sign_folder(published / "small-1.0.0", secret=generate_key_pair().secret, comment="small@1.0.0")
    from curation.publishing.archives import pack

    pack(published / "small-1.0.0", published / "small-1.0.0.zip", top="small-1.0.0")
    told = refused(["get", "small@1.0.0", "--from", str(published)], capsys)
    assert "the file was signed with another key" in told


def test_a_changed_copy_is_refused_and_fetched_anew(published, capsys):
    assert main(["get", "small@1.0.0", "--from", str(published), "--json"]) == 0
    folder = Path(json.loads(capsys.readouterr().out)["folder"])
    cases = folder / "cases.csv"
    cases.write_text(cases.read_text().replace("I respect women", "I respect nobody", 1))
    told = refused(["evaluate", "small@1.0.0", "--model", GOOD], capsys)
    assert "The stored copy of small@1.0.0" in told
    assert "Delete the folder" in told
    shutil.rmtree(folder)
    assert main(["get", "small@1.0.0"]) == 0


def test_two_versions_with_the_same_cases_are_kept_apart(published, capsys):
    from curation.publishing.blocks import in_blocks
    from curation.publishing.export import export_blocks
    from curation.publishing.values import ReleaseHead
    from tests.touchstone.releases import small_cases

    head = ReleaseHead("small", "1.0.1", "Small, described better", "2026-02-01")
    export_blocks(head, in_blocks(small_cases()), published / "small-1.0.1", formats=("csv",))
    assert main(["index", str(published)]) == 0
    capsys.readouterr()
    found = {}
    for version in ("1.0.0", "1.0.1"):
        assert main(["get", f"small@{version}", "--from", str(published), "--json"]) == 0
        found[version] = json.loads(capsys.readouterr().out)
    assert found["1.0.0"]["sha256"] == found["1.0.1"]["sha256"]
    assert found["1.0.0"]["folder"] != found["1.0.1"]["folder"]


def test_an_index_leads_nowhere_else_on_this_machine(published, tmp_path, capsys):
    shutil.copy(published / "small-1.0.0.zip", tmp_path / "elsewhere.zip")
    content = json.loads((published / "touchstone.json").read_text())
    content["releases"][0]["download"] = "../elsewhere.zip"
    change_index(published, releases=content["releases"], public_key="", signature="")
    told = refused(["get", "small@1.0.0", "--from", str(published)], capsys)
    assert "is outside its folder" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["suites"], "No index is known yet"),
        (["suites", "ftp://example.org"], "is no address of an index"),
        (["suites", "https://user@example.org"], "is no address of an index"),
        (["get", "small"], "'small' is no release. Write SUITE@VERSION"),
        (["get", "small@1.0.0"], "No index is known yet that could name small@1.0.0"),
        (["index", "gone"], "There is no folder 'gone'"),
        (["index", "."], "holds no exported release"),
        (["evaluate", "small@1.0.0", "--model", GOOD], "No index is known yet"),
    ],
)
def test_a_refusal_says_what_to_do(arguments, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused(arguments, capsys)


def test_an_unknown_version_is_answered_with_those_there_are(published, capsys):
    assert "Known: small@1.0.0" in refused(["get", "small@2.0.0", "--from", str(published)], capsys)
    assert "has a release of 'other'" in refused(["get", "other@2.0.0", "--from", str(published)], capsys)


def test_two_indexes_that_disagree_are_told_apart(published, tmp_path, capsys):
    other = tmp_path / "other"
    shutil.copytree(published, other)
    content = json.loads((other / "touchstone.json").read_text())
    content["releases"][0]["sha256"] = "1" * 64
    change_index(other, releases=content["releases"], public_key="", signature="")
    for folder in (published, other):
        assert main(["suites", str(folder)]) == 0
    assert "Say which one you mean with --from" in refused(["get", "small@1.0.0"], capsys)
    assert main(["get", "small@1.0.0", "--from", str(published)]) == 0


def test_an_index_gives_a_terminal_no_commands(published, capsys):
    change_index(published, name="Evil\x1b[2J\nname", public_key="", signature="")
    assert main(["suites", str(published)]) == 0
    assert "Evil[2J name" in capsys.readouterr().out


def test_a_web_page_is_no_index(serve, tmp_path, capsys):
    (tmp_path / "touchstone.json").write_text("<html>")
    source, _end = serve(tmp_path)
    assert "is not an index of releases, or it is damaged" in refused(["suites", source], capsys)
    (tmp_path / "touchstone.json").unlink()
    assert "There is no index of releases at" in refused(["suites", source], capsys)


def test_an_instance_with_a_database_comes_first(tmp_path, monkeypatch):
    assert not has_database()
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "touchstone.sqlite3").touch()
    assert has_database()
    called = []
    monkeypatch.setattr("touchstone.cli.run_management_command", called.append)
    main(["evaluate", "small@1.0.0", "--model", GOOD])
    assert called == [["touchstone", "evaluate", "small@1.0.0", "--model", GOOD]]


def test_no_django_is_imported(published, tmp_path):
    """In a process of its own; the list of modules tells."""
    look = (
        "import sys, json; from touchstone.cli import main; code = main(sys.argv[1:]);"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules}))); sys.exit(code)"
    )
    environment = {**os.environ, "TOUCHSTONE_TOKEN": "x"}
    commands = [
        ["suites", str(published)],
        ["get", "small@1.0.0"],
        ["evaluate", "small@1.0.0", "--model", GOOD, "--out", str(tmp_path / "out"), "--format", "json"],
        ["push", str(tmp_path / "out" / "report-small-1.0.0.json"), "--to", "http://127.0.0.1:1"],
        ["index", str(published)],
    ]
    for arguments in commands:
        done = subprocess.run(
            [sys.executable, "-c", look, *arguments], cwd=ROOT, capture_output=True, text=True, env=environment
        )
        assert done.returncode == (1 if arguments[0] == "push" else 0), done.stderr
        loaded = set(json.loads(done.stdout.splitlines()[-1]))
        assert loaded & {"django", "celery", "rest_framework", "torch", "config"} == set(), arguments
    assert "cannot be reached" in done.stderr or arguments[0] == "index"
