"""The lexicon: cells, pasted blocks, suggestions, CSV in and out."""

from __future__ import annotations

import csv
import io

import pytest

from accounts.errors import NotAllowed
from curation.errors import BadInput
from curation.models import Form, Language, LexiconEntry, Suite
from curation.services import lexicon
from curation.services.catalogue import load_catalogue
from curation.services.paradigms import Cell, cell_from_title, cells_of_schema, grid_of

pytestmark = pytest.mark.django_db
SINGULAR, PLURAL = Cell("", "Number=Sing"), Cell("", "Number=Plur")


@pytest.fixture
def german() -> Language:
    load_catalogue()
    return Language.objects.get(code="de")


@pytest.fixture
def suite(german) -> Suite:
    suite = Suite.objects.create(key="small", name="Small")
    suite.languages.add(german)
    return suite


def add(suite, german, emil, lemma="Frau", **facts) -> LexiconEntry:
    return lexicon.add_entry(suite, german, kind="identity", lemma=lemma, target="women", by=emil, **facts)


def test_a_word_belongs_to_the_group_its_name_means(suite, german, emil):
    entry = add(suite, german, emil, inherent="Gender=Fem")
    assert (entry.key, entry.target.groups.get().key, entry.inherent) == ("identity-01", "women", "Gender=Fem")


def test_only_experts_of_the_language_write(suite, german, ana):
    with pytest.raises(NotAllowed, match="language expert"):
        add(suite, german, ana)


def test_features_that_are_none_are_refused_with_an_example(suite, german, emil):
    with pytest.raises(BadInput, match=r"Gender=Fem\|Number=Plur"):
        add(suite, german, emil, inherent="feminine")


def test_a_cell_is_written_corrected_and_emptied(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, PLURAL, "Fraun", by=emil)
    lexicon.set_form(entry, PLURAL, "Frauen", by=emil)
    assert [form.text for form in entry.forms.all()] == ["Frauen"]
    assert lexicon.set_form(entry, PLURAL, "", by=emil) is None
    assert not entry.forms.exists()


def test_the_grid_shows_what_is_missing(suite, german, emil):
    first = add(suite, german, emil)
    add(suite, german, emil, lemma="Migrantin")
    lexicon.set_form(first, SINGULAR, "Frau", by=emil)
    lexicon.set_form(first, PLURAL, "Frauen", by=emil)
    grid = grid_of(suite, german, "identity")
    assert set(grid.cells) == {SINGULAR, PLURAL}
    assert grid.missing == 2


def test_an_empty_grid_has_the_cells_of_the_languages_schema(german):
    cells = cells_of_schema(german, "identity")
    assert Cell("", "Case=Dat|Definite=Def|Number=Plur") in cells
    assert Cell("", "Pos=Adj") in cells


def test_a_block_from_a_spreadsheet_fills_cells_down_and_along(suite, german, emil):
    first, second = add(suite, german, emil), add(suite, german, emil, lemma="Migrantin")
    for cell in (SINGULAR, PLURAL):
        lexicon.set_form(first, cell, "?", by=emil)
    place = {"first_entry": first.key, "first_cell": SINGULAR, "respelt": False, "by": emil}
    assert (
        lexicon.paste_forms(suite, german, "identity", text="Frau\tFrauen\r\nMigrantin\tMigrantinnen\r\n", **place) == 4
    )
    assert second.forms.get(features="Number=Plur").text == "Migrantinnen"


def test_a_block_larger_than_the_grid_changes_nothing(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, SINGULAR, "Frau", by=emil)
    place = {"first_entry": entry.key, "first_cell": SINGULAR, "respelt": False, "by": emil}
    with pytest.raises(BadInput, match="2 rows, but only 1"):
        lexicon.paste_forms(suite, german, "identity", text="a\nb", **place)
    assert entry.forms.get().text == "Frau"


def test_suggestions_count_only_once_they_are_accepted(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, Cell("", "Case=Nom|Number=Sing"), "Frau", by=emil)
    other = add(suite, german, emil, lemma="Mann")
    assert lexicon.suggest_forms(suite, german, "identity", by=emil) == 1
    assert other.forms.get().text == "Mann"
    assert not Form.objects.usable().filter(entry=other).exists()
    assert lexicon.accept_suggestions(suite, german, "identity", by=emil) == 1
    assert Form.objects.usable().filter(entry=other).exists()


def test_what_is_downloaded_can_be_read_back(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, PLURAL, "Frauen", by=emil)
    lexicon.set_form(entry, Cell("leet", "Number=Plur"), "Fr4uen", by=emil)
    out = io.StringIO()
    csv.writer(out).writerows(lexicon.csv_rows(suite, german, "identity"))
    before = set(Form.objects.values_list("entry__key", "features", "perturbation", "text"))
    Form.objects.all().delete()
    assert lexicon.import_csv(suite, german, "identity", out.getvalue(), by=emil) == 1
    assert set(Form.objects.values_list("entry__key", "features", "perturbation", "text")) == before


def test_every_problem_of_a_file_is_named_and_nothing_is_written(suite, german, emil):
    with pytest.raises(BadInput) as refused:
        lexicon.import_csv(suite, german, "identity", "lemma,Plural\nFrau,Frauen\n,x\n", by=emil)
    assert {(p["row"], p["column"]) for p in refused.value.problems} == {(1, "Plural"), (3, "lemma")}
    assert not LexiconEntry.objects.exists()


@pytest.mark.parametrize("title", ["Number=Plur", "Case=Dat|Number=Plur ~ leet", "base form"])
def test_a_columns_title_means_the_cell_it_was_made_from(title):
    assert cell_from_title(title).title == title


def test_a_cell_of_another_gender_is_not_missing(suite, german, emil):
    feminine, masculine = Cell("", "Gender=Fem|Number=Sing"), Cell("", "Gender=Masc|Number=Sing")
    woman = add(suite, german, emil, inherent="Gender=Fem")
    man = add(suite, german, emil, lemma="Mann", inherent="Gender=Masc")
    lexicon.set_form(woman, feminine, "Frau", by=emil)
    lexicon.set_form(man, masculine, "Mann", by=emil)
    assert grid_of(suite, german, "identity").missing == 0
