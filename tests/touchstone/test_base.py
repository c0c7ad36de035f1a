"""The base without any extra: what needs a package that is missing names the extra, and the rest works."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.api_errors import problem_response
from config.middleware import DomainErrorMiddleware
from core.extras import EXTRAS, is_installed, missing_extra
from core.jobs import services as jobs
from core.jobs.running import KINDS
from tests.touchstone.releases import small_release

ROOT = Path(__file__).resolve().parent.parent.parent
# Loaded by Python at its start: hides the packages of all extras.
HIDE = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named '{{name}}'", name=name)
sys.meta_path.insert(0, Hidden())
"""
HIDDEN = set(EXTRAS) - {"threadpoolctl"}  # that one also comes with scikit-learn


class Service(BaseHTTPRequestHandler):
    """A detector behind HTTP."""

    def do_POST(self) -> None:
        text = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"]
        body = json.dumps({"score": 0.9 if "dislike" in text else 0.2}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service(tmp_path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    file = tmp_path / "service.yaml"
    file.write_text(
        f"url: http://127.0.0.1:{server.server_port}/score\n"
        'body: {text: "{text}"}\nanswer: {score: score}\nthreshold: 0.5\nconcurrency: 8\n'
    )
    yield f"http:{file}"
    server.shutdown()


def base(tmp_path: Path, *arguments: object) -> subprocess.CompletedProcess:
    """Run `python ARGUMENTS` with the base alone."""
    (tmp_path / "sitecustomize.py").write_text(HIDE.format(names=sorted(HIDDEN)))
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "TOUCHSTONE_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
    )


def test_the_base_evaluates_a_table_with_an_http_model(service, tmp_path):
    cases = small_release(tmp_path / "release") / "cases.csv"
    written = ["--out", "out", "--format", "html", "latex", "csv", "json", "junit"]
    done = base(tmp_path, "-m", "touchstone", "evaluate", cases, "--model", service, "--json", *written)
    assert done.returncode == 0, done.stderr
    (values,) = json.loads(done.stdout)["models"].values()
    assert values["overall"]["accuracy"] == 1.0
    assert values["discrimination"]["overall"]["auroc"] == 1.0
    assert "<svg" not in (tmp_path / "out" / "report-cases.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "module", "extra"),
    [
        (["--model", "hf:model"], "", "models"),
        (["--model", "{service}", "--out", "out", "--format", "pdf"], "typst", "reports"),
    ],
)
def test_what_is_missing_names_its_extra(service, tmp_path, arguments, module, extra):
    cases = small_release(tmp_path / "release") / "cases.csv"
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    (tmp_path / "model" / "model.safetensors").write_bytes(b"")
    arguments = [argument.format(service=service) for argument in arguments]
    done = base(tmp_path, "-m", "touchstone", "evaluate", cases, *arguments)
    assert done.returncode == 1
    assert f"{module} is not installed. Install it with: pip install 'touchstone-workbench[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_pages_api_and_worker_start_on_the_base(tmp_path):
    code = (
        "import django; from touchstone.management import prepare; prepare(); django.setup();"
        "from django.urls import get_resolver; get_resolver().reverse_dict;"
        "import config.celery; config.celery.app.loader.import_default_modules()"
    )
    done = base(tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr


def missing(*_: object, **__: object) -> None:
    raise ModuleNotFoundError("No module named 'torch'", name="torch.nn")


SENTENCE = "torch is not installed. Install it with: pip install 'touchstone-workbench[models]'"


def test_a_command_names_the_extra(monkeypatch):
    monkeypatch.setattr("evaluation.management.commands.rescore.Command.perform", missing)
    with pytest.raises(CommandError) as refused:
        call_command("rescore")
    assert str(refused.value) == SENTENCE


def test_pages_and_api_name_the_extra(rf):
    error = ModuleNotFoundError("No module named 'torch'", name="torch.nn")
    answer = problem_response(error, {})
    assert (answer.status_code, answer.data["code"], answer.data["title"]) == (501, "extra_missing", SENTENCE)
    page = DomainErrorMiddleware(missing).process_exception(rf.get("/", headers={"accept": "application/json"}), error)
    assert (page.status_code, json.loads(page.content)["title"]) == (501, SENTENCE)


@pytest.mark.django_db
def test_a_job_fails_with_the_extra(monkeypatch, mira):
    name, kind = next(iter(KINDS.items()))
    monkeypatch.setitem(KINDS, name, replace(kind, run=missing))
    job = jobs.request_job(name, {}, title="Try", by=mira)
    done = jobs.perform(job.key, worker="test")
    assert (done.state, done.error) == ("failed", SENTENCE)


def test_other_missing_modules_are_defects():
    assert missing_extra(ModuleNotFoundError("No module named 'curation.gone'", name="curation.gone")) is None
    assert missing_extra(ValueError()) is None
    assert is_installed("numpy")
    assert not is_installed("numpy", "no_such_module")
