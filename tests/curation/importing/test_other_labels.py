"""Suites whose labels are not hateful and non-hateful: what may be written in them, and all the way to a result."""

import json

import pytest
from django.core.management import call_command

from core.errors import BadInput
from curation.authoring.bulk_editing import change_many
from curation.authoring.services import create_template
from curation.authoring.wording_checks import VariantText
from curation.cases.coverage import coverage_matrix
from curation.cases.handwritten import write_case
from curation.catalogue.services import add_functionality
from curation.catalogue.suites import save_suite
from curation.models import Functionality, Language, Suite
from evaluation.models import EvaluationRun
from tests.curation.authoring.factories import functionality, german, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(emil) -> Suite:
    suite = make_suite()
    Suite.objects.filter(pk=suite.pk).update(labels=["rude", "fine"])
    for title, label in (("Curt answers", "rude"), ("Thanks", "fine")):
        facts = {"functionality_class": "Tone", "definition": "", "example": ""}
        add_functionality(key="", title=title, gold_label=label, by=emil, **facts)
    suite.refresh_from_db()
    return suite


def test_a_functionality_with_another_gold_label_cannot_be_tested(suite, emil):
    texts = [VariantText("", "Geh weg.")]
    with pytest.raises(BadInput, match="gold label 'hateful', but the labels of 'Mild suite' are rude, fine"):
        create_template(suite, german(), functionality(), by=emil, variants=texts)
    with pytest.raises(BadInput, match="gold label"):
        write_case(suite, german(), functionality(), by=emil, text="Geh weg.")
    curt = Functionality.objects.get(key="curt_answers")
    template = create_template(suite, german(), curt, by=emil, variants=texts)
    report = change_many([template], "functionality", by=emil, value="derog_neg_emote_h")
    assert (report.done, len(report.refused)) == (0, 1)


def test_the_coverage_asks_only_for_functionalities_with_the_suites_labels(suite):
    asked = {row.functionality.key for row in coverage_matrix(suite, german()).rows}
    assert asked == {"curt_answers", "thanks"}


def test_labels_and_languages_that_are_used_stay(suite, emil, mira):
    curt = Functionality.objects.get(key="curt_answers")
    write_case(suite, german(), curt, by=emil, text="Geh weg.")
    both = list(suite.languages.all())
    suite.labels = ["harsh", "fine"]
    with pytest.raises(BadInput, match="gold label 'rude'"):
        save_suite(suite, both, by=mira)
    suite.labels = ["rude", "fine", "unclear"]
    with pytest.raises(BadInput, match="language 'de'"):
        save_suite(suite, [Language.objects.get(code="en")], by=mira)
    save_suite(suite, both, by=mira)
    assert Suite.objects.get(pk=suite.pk).labels == ["rude", "fine", "unclear"]


@pytest.fixture
def run(capsys):
    def run(*arguments):
        call_command(*arguments, "--json")
        return json.loads(capsys.readouterr().out.strip().splitlines()[-1])

    return run


def test_three_labels_from_a_file_to_the_pages_of_results(tmp_path, run, mira, client):
    cases, predictions = tmp_path / "cases.csv", tmp_path / "predictions.csv"
    rows = ["a,curt,Go away.,rude", "b,thanks,Well done.,fine", "c,weather,It rains.,neutral"]
    cases.write_text("\n".join(["case_id,functionality,test_case,label_gold", *rows]), encoding="utf-8")
    labels = ["rude", "neutral", "fine"]
    run("import_suite", "tone", "--format", "csv", "--path", str(cases), "--labels", *labels)
    run("freeze", "tone", "--release", "1.0.0")
    for model, said in {"grumpy": "rude rude neutral", "kind": "rude fine fine"}.items():
        answers = [f"{case},{label}" for case, label in zip("abc", said.split(), strict=True)]
        predictions.write_text("\n".join(["case_id,label", *answers]), encoding="utf-8")
        found = run("import_predictions", "tone@1.0.0", "--model", model, "--path", str(predictions))["models"][model]
        assert set(found["overall"]["f1"]) == set(found["by_label"]) == set(labels)
        assert found["overall"]["accuracy"] == pytest.approx(2 / 3)
    client.force_login(mira)
    results = client.get("/results/?release=tone@1.0.0").content.decode()
    assert all(f"always {label}" in results for label in labels)
    runs = list(EvaluationRun.objects.order_by("id"))
    for page in (
        *(one.get_absolute_url() for one in runs),
        f"/results/compare/?first={runs[0].key}&second={runs[1].key}",
    ):
        assert client.get(page).status_code == 200, page


def test_from_a_file_to_a_result(tmp_path, run):
    cases, predictions = tmp_path / "cases.csv", tmp_path / "predictions.csv"
    rows = ["case_id,functionality,test_case,label_gold", "a,curt,Go away.,rude", "b,thanks,Well done.,fine"]
    cases.write_text("\n".join(rows), encoding="utf-8")
    predictions.write_text("case_id,label\na,rude\nb,rude\n", encoding="utf-8")
    imported = run("import_suite", "tone", "--format", "csv", "--path", str(cases), "--labels", "rude", "fine")
    assert imported["cases"] == 2
    assert run("freeze", "tone", "--release", "1.0.0")["included"] == 2
    result = run("import_predictions", "tone@1.0.0", "--model", "grumpy", "--path", str(predictions))
    assert result["models"]["grumpy"]["by_label"]["rude"]["accuracy"] == 1.0
    assert result["models"]["grumpy"]["by_label"]["fine"]["accuracy"] == 0.0
