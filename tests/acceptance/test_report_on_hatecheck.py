"""Every published cell of HateCheck's tables, through the commands a script would call."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import call_command

from evaluation.metrics.scores import percent

pytestmark = pytest.mark.django_db
MODELS = ("B-D", "B-F")


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def test_the_published_tables_come_out_of_the_report(shared_data, tmp_path):
    data = shared_data / "hatecheck"
    run("import_suite", "hc", "--format", "hatecheck", "--path", data)
    run("freeze", "hc", "--release", "1.0.0", "--min-agree", "4", "--cascade", "closure")
    for model in MODELS:
        run("import_predictions", "hc@1.0.0", "--model", model, "--path", data / "model_predictions.csv")
    run("report", "hc@1.0.0", "--models", *MODELS, "--out", tmp_path, "--format", "json", "latex", "csv", "pdf")

    report = json.loads((tmp_path / "report-hc-1.0.0.json").read_text())
    with (tmp_path / "report-hc-1.0.0.csv").open(newline="") as file:
        printed = {(row["section"], row["key"], row["model"]): row for row in csv.DictReader(file)}
    sections = {"1": "by_functionality", "2": "by_label", "3": "by_slur.slur_reclaimed_nh", "4": "by_target"}
    wrong = {}
    with (data / "published_accuracy.csv").open(newline="") as file:
        published = list(csv.DictReader(file))
    assert len(published) == 44
    for line in published:
        place = ("overall", "overall") if line["key"] == "total" else (sections[line["table"]], line["key"])
        for model in MODELS:
            row = printed[*place, model]
            found = str(percent(int(row["correct"]), int(row["n"])))
            if found != line[model]:
                wrong[line["table"], line["key"], model] = (found, line[model])
    assert wrong == {}
    assert report["models"]["B-D"]["overall"]["n"] == 3728
    assert report["models"]["B-F"]["by_target"]["women"]["ci95"]
    assert r"\toprule" in (tmp_path / "report-hc-1.0.0.tex").read_text()
    assert (tmp_path / "report-hc-1.0.0.pdf").read_bytes().startswith(b"%PDF-")
