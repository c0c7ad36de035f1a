"""The recipe "add a format" of CONTRIBUTING.md, followed with a format that keeps a whole suite in one JSON file."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from core.tables.problems import Problem
from curation.catalogue.forms import ImportForm
from curation.formats.base import ReadOptions, SuiteFormat
from curation.formats.registry import FORMATS
from curation.formats.values import EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.models import Suite, TestCase

pytestmark = pytest.mark.django_db
LABEL = "non-hateful"


def read_toy(path: Path, options: ReadOptions) -> SuiteValues:
    values = SuiteValues()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        values.problems.append(Problem(path.name, None, None, f"it is not JSON ({error})", "write one JSON object"))
        return values
    for place, (word, group) in enumerate(content["words"].items()):
        key = f"identity-{place}"
        values.entries.append(EntryValue(key, "en", "identity", group, word, place))
        values.forms.append(FormValue(key, "Number=Plur", "", word, language="en"))
    for place, (key, text) in enumerate(content["templates"].items()):
        variants = (VariantValue("", text),)
        values.templates.append(TemplateValue(key, "en", "ident_pos_nh", variants, LABEL, place))
    return values


def write_toy(values: SuiteValues, suite: str) -> dict[str, bytes]:
    if not values.entries:
        raise ValueError("a toy needs words")
    content = {
        "words": {entry.lemma: entry.target for entry in values.entries},
        "templates": {template.key: template.variants[0].text for template in values.templates},
        "cases": {case.key: case.text for case in values.cases},
    }
    return {f"{suite}.toy": json.dumps(content, sort_keys=True).encode()}


TOY = SuiteFormat(
    name="toy",
    title="One JSON file",
    read=read_toy,
    write=write_toy,
    defaults={"raters": 7, "threshold": 6},
    case_key=lambda language: f"toy/{language}/{{number}}",
)
CONTENT = {
    "words": {"women": "women", "Muslims": "Muslims"},
    "templates": {"praise": "I admire [identity:Number=Plur]."},
}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, TOY.name, TOY)


def run(*arguments: object) -> dict:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def test_a_suite_in_a_new_format_is_imported_generated_and_exported(tmp_path):
    path = tmp_path / "greetings.toy"
    path.write_text(json.dumps(CONTENT), encoding="utf-8")
    report = run("import_suite", "greetings", "--format", "toy", "--path", path)
    assert (report["entries"], report["templates"], report["problems"]) == (2, 1, [])
    suite = Suite.objects.get(key="greetings")
    assert (suite.format, suite.raters, suite.threshold) == ("toy", 7, 6)

    assert run("generate_cases", "greetings")["generated"] == 2
    texts = dict(TestCase.objects.of(suite).values_list("key", "text"))
    assert texts == {"toy/en/1": "I admire women.", "toy/en/2": "I admire Muslims."}

    written = run("export_suite", "greetings", "--out", tmp_path / "out")
    assert (written["format"], written["files"]) == ("toy", ["greetings.toy"])
    assert json.loads((tmp_path / "out" / "greetings.toy").read_text(encoding="utf-8")) == {**CONTENT, "cases": texts}


def test_what_is_wrong_with_a_file_of_a_new_format_is_reported(tmp_path):
    path = tmp_path / "broken.toy"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(Exception, match=r"broken\.toy: it is not JSON"):
        run("import_suite", "broken", "--format", "toy", "--path", path)


def test_the_page_offers_a_new_format_by_its_title():
    assert ("toy", "One JSON file") in list(ImportForm().fields["format"].choices)
