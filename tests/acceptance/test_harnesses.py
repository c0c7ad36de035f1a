"""An exported release runs in the harnesses people use, and what they log comes back with the figures they print."""

import csv
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command

from evaluation.models import EvaluationRun, Prediction
from tests.peers.environment import ROOT, run_peer

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TEXTS = {
    "I dislike {people} like you.": "hateful",
    "=1+1 is what I dislike about them.": "hateful",
    "You are a fine person.": "non-hateful",
    'She said: "fine", and left.': "non-hateful",
    "I really dislike all of you.": "hateful",
}


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


@pytest.fixture
def exported(db, settings, tmp_path) -> Path:
    """A release in two languages as a folder; one text looks like a formula, one has braces."""
    settings.VAR = tmp_path / "var"
    cases = tmp_path / "cases.csv"
    with cases.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["case_id", "functionality", "test_case", "label_gold", "language"])
        for language in ("en", "de"):
            for number, (text, label) in enumerate(TEXTS.items(), 1):
                row = [f"{language}-{number}", f"words_{label[:3]}", f"{text} ({language})", label, language]
                rows.writerow(row)
    run("import_suite", "tiny", "--format", "csv", "--path", cases)
    run("freeze", "tiny", "--release", "1.0.0", "--without-labels", "include")
    run("export_release", "tiny@1.0.0", "--out", tmp_path / "release", "--format", "csv", "huggingface")
    return tmp_path / "release"


def imported(log: Path, name: str, *more: object) -> float:
    """The accuracy of a log that was brought back."""
    (measures,) = run("import_predictions", "tiny@1.0.0", "--model", name, "--path", log, *more)["models"].values()
    return measures["overall"]["accuracy"]


def lm_eval(exported: Path, out: Path, *, model: str, task: str) -> tuple[float, Path]:
    """Accuracy that the harness printed, and its samples."""
    done = subprocess.run(
        [
            sys.executable, ROOT / "tests" / "peers" / "run_lm_eval.py", "--model", model, "--tasks", task,
            "--include_path", exported / "harnesses" / "lm_eval", "--output_path", out / "out", "--log_samples",
        ],
        cwd=exported,
        env={"PATH": "", "HOME": str(out), "HF_HUB_OFFLINE": "1", "HF_HOME": str(out / "hub")},
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (results,) = out.rglob("results_*.json")
    (samples,) = out.rglob("samples_*.jsonl")
    found = json.loads(results.read_text())["results"][task]
    return next(value for name, value in found.items() if name in ("acc,none", "exact_match,label")), samples


@pytest.mark.parametrize(("task", "model"), [("touchstone_tiny", "dummy"), ("touchstone_tiny_generate", "words")])
def test_lm_evaluation_harness_runs_a_release_and_its_samples_come_back(exported, tmp_path, task, model):
    (tmp_path / "lm").mkdir()
    accuracy, samples = lm_eval(exported, tmp_path / "lm", model=model, task=task)
    assert imported(samples, "LM") == pytest.approx(accuracy)
    run("verify_release", exported)  # nothing was left in the folder
    scored = Prediction.objects.filter(score__isnull=False).count()
    assert scored == (10 if model == "dummy" else 0)
    if model == "words":
        assert accuracy > 0
        assert EvaluationRun.objects.get().report.values["overall"]["errors"] == 4


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_inspect_runs_a_release_and_its_log_comes_back(exported, tmp_path, log_format):
    task = "harnesses/inspect_ai/release.py"
    found = last_line(
        run_peer("run_inspect.py", task, tmp_path / "logs", log_format, cwd=exported, home=tmp_path / "hub")
    )
    assert found["status"] == "success"
    assert 0 < found["metrics"]["accuracy"] < 1
    assert {"words_hat", "words_non"} <= found["metrics"].keys()
    renamed = tmp_path / "what it is called does not matter"
    Path(found["log"]).rename(renamed)
    assert imported(renamed, "Inspect") == pytest.approx(found["metrics"]["accuracy"])
    overall = EvaluationRun.objects.get().report.values["overall"]
    assert (overall["errors"], overall["refusals"]) == (3, 1)
    run("verify_release", exported)  # nothing was left in the folder


def test_inspect_runs_the_dataset_of_the_hub_by_its_eval_yaml(exported, tmp_path):
    """The hub's files lie in its cache as they would after a download, and the folder is a dataset as on the hub."""
    work = tmp_path / "work"
    dataset = work / "lab" / "tiny"
    dataset.parent.mkdir(parents=True)
    (exported / "huggingface").rename(dataset)
    known = tmp_path / "hub" / "hub" / "datasets--lab--tiny"
    for path, content in {
        known / "refs" / "main": b"0123456789abcdef0123456789abcdef01234567",
        known / "snapshots" / "0123456789abcdef0123456789abcdef01234567" / "eval.yaml": (
            dataset / "eval.yaml"
        ).read_bytes(),
    }.items():
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    tasks = [task["id"] for task in yaml.safe_load((dataset / "eval.yaml").read_text())["tasks"]]
    assert tasks == ["tiny", "tiny_de", "tiny_en"]
    found = last_line(
        run_peer("run_inspect.py", "hf/lab/tiny/tiny", tmp_path / "logs", "eval", cwd=work, home=tmp_path / "hub")
    )
    assert found["status"] == "success"
    assert imported(Path(found["log"]), "Inspect") == pytest.approx(found["metrics"]["accuracy"])


def test_guard_eval_harness_runs_a_release_and_its_predictions_come_back(exported, tmp_path):
    config = exported / "harnesses" / "geh.yaml"
    values = yaml.safe_load(config.read_text())
    values["model"]["args"] = {"strategy": "keywords", "unsafe_keywords": ["really", "fine person"]}
    for data_set in values["datasets"]:
        data_set["path"] = str(exported / "harnesses" / data_set["path"])
    own = tmp_path / "own.yaml"
    own.write_text(yaml.safe_dump(values))
    for name, file in (("echo", config), ("words", own)):
        command = [sys.executable, "-m", "guard_eval_harness", "run", "--config", file, "--output-dir", tmp_path / name]
        done = subprocess.run(list(map(str, command)), cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        folders = [tmp_path / name / "datasets" / f"touchstone_tiny_{language}" for language in ("de", "en")]
        found = [json.loads((folder / "metrics.json").read_text()) for folder in folders]
        accuracies = [value for metrics in found for key, value in _flat(metrics) if key == "accuracy"]
        assert set(accuracies) == {1.0 if name == "echo" else 0.4}
        together = tmp_path / f"{name}.jsonl"
        together.write_text("".join((folder / "predictions.jsonl").read_text() for folder in folders))
        assert imported(together, name) == pytest.approx(accuracies[0])
    run("verify_release", exported)  # nothing was left in the folder


def last_line(printed: str) -> dict:
    return json.loads(printed.splitlines()[-1])


def _flat(values: dict) -> list[tuple[str, object]]:
    found = []
    for name, value in values.items():
        found += _flat(value) if isinstance(value, dict) else [(name, value)]
    return found
