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
    run(
        "report", "hc@1.0.0", "--models", *MODELS, "--out", tmp_path, "--format", "json", "latex", "csv", "pdf", "paper"
    )

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

    lines = (tmp_path / "report-hc-1.0.0.paper.tex").read_text().splitlines()
    names = report["names"]["functionalities"]
    first_table = [line for line in published if line["table"] == "1"]
    assert len(first_table) == 29
    for line in first_table:
        name = names[line["key"]]
        (found,) = [row.split(" & ") for row in lines if f"{name['number']}: {name['title']} &" in row]
        assert found[-2:] == [marked(line, model) + (r" \\" if model == MODELS[-1] else "") for model in MODELS]
        assert found[3] == ("hateful" if line["key"].endswith("_h") else "non-hateful")
        assert found[2].startswith("``")


def marked(line: dict[str, str], model: str) -> str:
    """The figure as it was published, below one half underlined, the best in bold."""
    text = rf"\underline{{{line[model]}}}" if float(line[model]) < 50 else line[model]
    is_best = float(line[model]) == max(float(line[other]) for other in MODELS)
    return rf"\textbf{{{text}}}" if is_best else text
