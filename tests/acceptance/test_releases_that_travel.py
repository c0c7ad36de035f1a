"""HateCheck, published on one instance, is verified, evaluated and reported on another one."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.db import transaction

from curation.models import Release

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> dict:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def predictions(folder, target) -> None:
    """A made-up model that calls everything with an exclamation mark hateful."""
    with (folder / "cases.csv").open(encoding="utf-8", newline="") as file, target.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["case_id", "label"])
        for case in csv.DictReader(file):
            writer.writerow([case["case_id"], "hateful" if "!" in case["test_case"] else "non-hateful"])


def measured(release, answers) -> dict:
    run("import_predictions", release, "--model", "Marks", "--path", answers)
    told = run("report", release, "--models", "marks", "--out", answers.parent / f"report{Release.objects.count()}")
    return {name: value for name, value in told["models"]["Marks"].items() if name != "run"}


@pytest.mark.parametrize("name", ["hatecheck", "mhc"])
def test_a_release_gives_the_same_results_on_another_instance(shared_data, tmp_path, name):
    folder, answers = tmp_path / "release", tmp_path / "answers.csv"
    with transaction.atomic():
        language = ["--language", "de"] if name == "mhc" else []
        run("import_suite", name, "--format", name, "--path", shared_data / name, *language)
        frozen = run("freeze", name, "--release", "1.0.0")
        run("export_release", f"{name}@1.0.0", "--out", folder)
        predictions(folder, answers)
        before = measured(f"{name}@1.0.0", answers)
        transaction.set_rollback(True)
    assert not Release.objects.exists()
    told = run("import_release", folder)
    assert told["sha256"] == frozen["sha256"]
    run("verify_release", f"{name}@1.0.0", "--sha256", frozen["sha256"])
    after = measured(f"{name}@1.0.0", answers)
    assert sorted(after["by_target"]) == sorted(before["by_target"])
    assert after == before
