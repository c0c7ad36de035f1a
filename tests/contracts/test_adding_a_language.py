"""The recipe "Add a language" of docs/architecture.md, followed with a language that exists nowhere."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.cases.generating import generate_cases
from curation.catalogue import loading as catalogue
from curation.catalogue.applicability import applicability
from curation.formats.values import EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.services import import_values
from curation.models import Functionality, Language, Suite, TestCase
from curation.morphology.orthography import loading as orthography

pytestmark = pytest.mark.django_db
TOY = {
    "code": "qaa", "bcp47": "qaa", "name": "Toyish", "autonym": "Toy", "script": "Latn", "direction": "ltr",
    "orthography": "qaa", "words": "blanks",
    "feature_schema": {
        "features": [{"name": "Number", "values": ["Sing", "Plur"]}], "paradigms": {"identity": ["Number"]},
    },
}  # fmt: skip
TABLE = """
capitalise = "start"
[sounds.vowel]
pattern = '[aeiou]'
[before.vowel]
"lo" = "l'"
"""
MISSING = "slur_reclaimed_nh"


@pytest.fixture(autouse=True)
def toyish(tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Edit copies of the files that the recipe names."""
    fixtures = tmp_path / "fixtures"
    shutil.copytree(settings.FIXTURES / "catalogue", fixtures / "catalogue")
    languages = fixtures / "catalogue" / "languages.json"
    content = json.loads(languages.read_text(encoding="utf-8"))
    content["languages"].append(TOY)
    languages.write_text(json.dumps(content), encoding="utf-8")
    coverage = fixtures / "catalogue" / "coverage.json"
    content = json.loads(coverage.read_text(encoding="utf-8"))
    for row in content["coverage"]:
        if row["functionality"] == MISSING:
            row["not_in"].append({"languages": ["qaa"], "reason": "Toyish has no slurs."})
        else:
            row["applies"].append("qaa")
    coverage.write_text(json.dumps(content), encoding="utf-8")
    tables = tmp_path / "tables"
    shutil.copytree(orthography.TABLES, tables)
    (tables / "qaa.toml").write_text(TABLE, encoding="utf-8")
    settings.FIXTURES = fixtures
    monkeypatch.setattr(orthography, "TABLES", tables)
    forget = (catalogue._fixture.cache_clear, catalogue._group_aliases.cache_clear, orthography._load.cache_clear)
    for clear in forget:
        clear()
    yield
    for clear in forget:
        clear()


def test_the_recipe_names_the_files_that_this_test_edits():
    root = Path(__file__).resolve().parents[2]
    recipe = (root / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Add a language")[2]
    files = ["fixtures/catalogue/languages.json", "fixtures/catalogue/coverage.json"]
    for name in [*files, "curation/morphology/orthography/tables"]:
        assert f"`{name}" in recipe
        assert (root / name).exists()


def test_a_new_language_is_in_the_catalogue_with_what_applies_in_it():
    catalogue.load_catalogue()
    language = Language.objects.get(code="qaa")
    assert (language.name, language.features["paradigms"]) == ("Toyish", {"identity": ["Number"]})
    known = applicability([language], Functionality.objects.all())[language.pk]
    missing = Functionality.objects.get(key=MISSING)
    assert (known[missing.pk].applies, known[missing.pk].reason) == (False, "Toyish has no slurs.")
    assert known[Functionality.objects.get(key="ident_pos_nh").pk].applies


def test_templates_of_a_new_language_follow_its_spelling():
    words = {"amika": ("women", "amiki"), "beti": ("Muslims", "betis")}
    values = SuiteValues(
        entries=[
            EntryValue(lemma, "qaa", "identity", group, lemma, place)
            for place, (lemma, (group, _)) in enumerate(words.items())
        ],
        forms=[
            FormValue(lemma, f"Number={number}", "", text, language="qaa")
            for lemma, (_, plural) in words.items()
            for number, text in (("Sing", lemma), ("Plur", plural))
        ],
        templates=[
            TemplateValue(
                "t1", "qaa", "ident_pos_nh", (VariantValue("", "lo [identity:Number=Sing] esta bon."),),
                "non-hateful", 0,
            )
        ],
    )  # fmt: skip
    import_values("toys", values, format_name="csv")
    report = generate_cases(Suite.objects.get(key="toys"))
    assert (report.generated, report.warnings) == (2, [])
    cases = dict(TestCase.objects.values_list("key", "text"))
    assert cases == {"qaa-00001": "L'amika esta bon.", "qaa-00002": "Lo beti esta bon."}
