"""The lexicon: cells, pasted blocks, suggestions, CSV in and out."""

import csv
import io

import pytest

from accounts.errors import NotAllowed
from accounts.models import AuditEvent
from core.errors import BadInput
from curation.authoring.wording import expander_for, orthography_of
from curation.catalogue.languages import add_language, change_language
from curation.catalogue.loading import load_catalogue
from curation.catalogue.options import LanguageOptions
from curation.catalogue.services import add_group
from curation.formats.values import VariantValue
from curation.lexicon import files as lexicon_files
from curation.lexicon import services as lexicon
from curation.lexicon.checks import target_choices
from curation.lexicon.paradigms import Cell, cell_from_title, cells_of_schema, grid_of
from curation.models import Form, Language, LexiconEntry, Suite, TargetGroup

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
    assert {SINGULAR, PLURAL} < set(grid.cells)
    used = grid_of(suite, german, "identity", columns="used")
    assert set(used.cells) == {SINGULAR, PLURAL}
    assert used.missing == 2


def test_a_paradigm_keeps_its_empty_columns_once_the_first_cell_is_filled(suite, german, emil):
    entry = add(suite, german, emil)
    asked = cells_of_schema(german, "identity")
    lexicon.set_form(entry, asked[0], "Frau", by=emil)
    assert list(grid_of(suite, german, "identity").cells) == asked


def test_an_imported_list_keeps_its_own_columns_unless_all_are_asked_for(suite, german, emil):
    entry = add(suite, german, emil)
    Form.objects.create(entry=entry, features="Number=Plur", text="Frauen", source="import")
    assert grid_of(suite, german, "identity").cells == (PLURAL,)
    assert len(grid_of(suite, german, "identity", columns="all").cells) > 10
    extra = Cell("", "Gender=Fem|Number=Plur")
    assert grid_of(suite, german, "identity", extra=[extra]).cells == (PLURAL, extra)


def test_an_empty_grid_has_the_cells_of_the_languages_schema(german):
    cells = cells_of_schema(german, "identity")
    assert Cell("", "Case=Dat|Definite=Def|Number=Plur") in cells
    assert Cell("", "Pos=Adj") in cells


def test_a_block_from_a_spreadsheet_fills_cells_down_and_along(suite, german, emil):
    first, second = add(suite, german, emil), add(suite, german, emil, lemma="Migrantin")
    for cell in (SINGULAR, PLURAL):
        lexicon.set_form(first, cell, "?", by=emil)
    place = {"first_entry": first.key, "first_cell": SINGULAR, "perturbed": False, "columns": "used", "by": emil}
    assert (
        lexicon.paste_forms(suite, german, "identity", text="Frau\tFrauen\r\nMigrantin\tMigrantinnen\r\n", **place) == 4
    )
    assert second.forms.get(features="Number=Plur").text == "Migrantinnen"


def test_a_block_larger_than_the_grid_changes_nothing(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, SINGULAR, "Frau", by=emil)
    place = {"first_entry": entry.key, "first_cell": SINGULAR, "perturbed": False, "by": emil}
    with pytest.raises(BadInput, match="2 rows, but from here on the lexicon has only 1 word"):
        lexicon.paste_forms(suite, german, "identity", text="a\nb", **place)
    assert entry.forms.get().text == "Frau"


def test_suggestions_count_only_once_they_are_accepted(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, Cell("", "Case=Nom|Number=Sing"), "Frau", by=emil)
    other = add(suite, german, emil, lemma="Mann")
    assert lexicon.suggest_forms(suite, german, "identity", columns="used", by=emil) == 1
    assert other.forms.get().text == "Mann"
    assert not Form.objects.usable().filter(entry=other).exists()
    assert lexicon.accept_suggestions(suite, german, "identity", by=emil) == 1
    assert Form.objects.usable().filter(entry=other).exists()


def test_what_is_downloaded_can_be_read_back(suite, german, emil):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, PLURAL, "Frauen", by=emil)
    lexicon.set_form(entry, Cell("leet", "Number=Plur"), "Fr4uen", by=emil)
    out = io.StringIO()
    csv.writer(out).writerows(lexicon_files.csv_rows(suite, german, "identity"))
    before = set(Form.objects.values_list("entry__key", "features", "perturbation", "text"))
    Form.objects.all().delete()
    assert lexicon_files.import_words(suite, german, "identity", out.getvalue().encode(), by=emil) == 1
    assert set(Form.objects.values_list("entry__key", "features", "perturbation", "text")) == before


def test_every_problem_of_a_file_is_named_and_nothing_is_written(suite, german, emil):
    with pytest.raises(BadInput) as refused:
        lexicon_files.import_words(suite, german, "identity", b"lemma,Plural\nFrau,Frauen\n,x\n", by=emil)
    assert {(p["row"], p["column"]) for p in refused.value.problems} == {(1, "Plural"), (3, "lemma")}
    assert not LexiconEntry.objects.exists()


def test_the_refusal_of_a_file_says_what_is_wrong_where(suite, german, emil):
    rows = ["lemma,inherent", *(f"Wort{number},male" for number in range(7))]
    with pytest.raises(BadInput) as refused:
        lexicon_files.import_words(suite, german, "identity", "\n".join(rows).encode(), by=emil)
    assert "Row 2, column 'inherent': 'male' is not a list of features" in str(refused.value)
    assert str(refused.value).endswith(" And 2 more problems.")
    assert len(refused.value.problems) == 7


def test_reading_new_words_twice_adds_them_once(suite, german, emil):
    table = "target,lemma,Number=Plur\nwomen,Frau,Frauen\nwomen,Dame,Damen\nrefugees,Frau,Frauen\n"
    for _ in range(2):
        lexicon_files.import_words(suite, german, "identity", table.encode(), by=emil)
    words = LexiconEntry.objects.order_by("position").values_list("lemma", "target__name")
    assert list(words) == [("Frau", "women"), ("Dame", "women"), ("Frau", "refugees")]


@pytest.mark.parametrize("title", ["Number=Plur", "Case=Dat|Number=Plur ~ leet", "base form"])
def test_a_columns_title_means_the_cell_it_was_made_from(title):
    assert cell_from_title(title).title == title


def test_a_cell_of_another_gender_is_not_missing(suite, german, emil):
    feminine, masculine = Cell("", "Gender=Fem|Number=Sing"), Cell("", "Gender=Masc|Number=Sing")
    woman = add(suite, german, emil, inherent="Gender=Fem")
    man = add(suite, german, emil, lemma="Mann", inherent="Gender=Masc")
    lexicon.set_form(woman, feminine, "Frau", by=emil)
    lexicon.set_form(man, masculine, "Mann", by=emil)
    assert grid_of(suite, german, "identity", columns="used").missing == 0


@pytest.mark.parametrize(
    ("code", "properties", "kept"),
    [
        ("fr", {"elides": "no"}, {"elides": "no"}),
        ("it", {"article": "lo", "elides": ""}, {"article": "lo"}),
        ("en", {"article": "an"}, {"article": "an"}),
        ("es", {"stressed_a": "yes"}, {"stressed_a": "yes"}),
    ],
)
def test_a_word_has_the_spelling_properties_of_its_language(suite, german, mira, code, properties, kept):
    language = Language.objects.get(code=code)
    entry = lexicon.add_entry(suite, language, kind="identity", lemma="x", properties=properties, by=mira)
    assert entry.properties == kept


def test_a_property_that_the_rules_do_not_know_is_refused(suite, german, mira):
    with pytest.raises(BadInput, match=r"no property 'elides'\. Leave it out"):
        lexicon.add_entry(suite, german, kind="identity", lemma="x", properties={"elides": "no"}, by=mira)
    french = Language.objects.get(code="fr")
    with pytest.raises(BadInput, match=r"'elides' cannot be 'maybe'. Leave it empty, or use one of: yes, no"):
        lexicon.add_entry(suite, french, kind="identity", lemma="x", properties={"elides": "maybe"}, by=mira)


def test_a_kind_of_word_has_a_plain_name(suite, german, emil):
    with pytest.raises(BadInput, match="cannot be a kind of word"):
        lexicon.add_entry(suite, german, kind="Two words", lemma="x", by=emil)
    assert lexicon.add_entry(suite, german, kind="profession", lemma="x", by=emil).key == "profession-01"


def test_a_file_without_a_column_leaves_alone_what_the_column_says(suite, german, mira):
    french = Language.objects.get(code="fr")
    facts = {"target": "women", "inherent": "Gender=Fem", "properties": {"elides": "no"}}
    entry = lexicon.add_entry(suite, french, kind="identity", lemma="hyène", **facts, by=mira)
    LexiconEntry.objects.update(severity="mild")
    table = f"key;lemma;Number=Plur\n{entry.key};hyène;hyènes\n"
    lexicon_files.import_words(suite, french, "identity", table.encode(), by=mira)
    entry = LexiconEntry.objects.get()
    said = (entry.target.name, entry.inherent, entry.properties, entry.severity, entry.forms.get().text)
    assert said == ("women", "Gender=Fem", {"elides": "no"}, "mild", "hyènes")


def test_every_bad_row_of_a_file_is_named_by_its_number(suite, german, emil):
    rows = ["lemma,inherent,Number=Plur", "Frau,Gender=Fem,Frauen", "Mann,male,x", f"Kind,,{'x' * 301}", "a,b"]
    with pytest.raises(BadInput) as refused:
        lexicon_files.import_words(suite, german, "identity", "\n".join(rows).encode(), by=emil)
    found = [(problem["row"], problem["column"]) for problem in refused.value.problems]
    assert found == [(5, None), (3, "inherent"), (4, "Number=Plur")]
    assert not LexiconEntry.objects.exists()


def test_the_spelling_of_a_language_can_be_settled(suite, german, mira, emil):
    entry = add(suite, german, mira, lemma="alle")
    lexicon.set_form(entry, PLURAL, "alle", by=mira)
    variants = [VariantValue("", "Gut. [identity:Number=Plur] kommen.")]
    assert [case.text for case in expander_for(suite, german).expand(variants)] == ["Gut. alle kommen."]
    change_language(german, capitalise="sentences", articles="", by=mira)
    assert [case.text for case in expander_for(suite, german).expand(variants)] == ["Gut. Alle kommen."]
    with pytest.raises(BadInput, match="Choose from: no, start, sentences"):
        LanguageOptions(name="German", capitalise="loud")
    with pytest.raises(NotAllowed):
        change_language(german, capitalise="no", by=emil)
    change_language(german, capitalise="", by=mira)
    assert german.features["spelling"] == {}


def test_a_language_without_rules_takes_the_genders_of_its_schema(suite, german, mira):
    features = {"Gender": ["Neut", "Masc", "Fem"]}
    swahili = add_language(code="sw", name="Swahili", script="Latn", direction="ltr", features=features, by=mira)
    assert orthography_of(swahili).genders == ("Neut", "Masc", "Fem")
    assert orthography_of(german).genders == ("Masc", "Fem", "Neut")


@pytest.mark.parametrize(
    ("inherent", "sentence"),
    [
        ("Gender=Feminine", "Gender has no value 'Feminine' in German. Did you mean Fem? Known: Fem, Masc, Neut."),
        ("Kase=Dat", "German has no feature 'Kase'. Did you mean Case? Known: Case, Definite, Gender, Number, Pos."),
        ("Prep=Se", "German has no feature 'Prep'. Known: "),
    ],
)
def test_a_feature_the_language_does_not_have_is_refused_with_what_was_meant(suite, german, emil, inherent, sentence):
    with pytest.raises(BadInput) as refused:
        add(suite, german, emil, inherent=inherent)
    assert sentence in str(refused.value)
    assert "page of the language" in str(refused.value)
    assert not LexiconEntry.objects.exists()


def test_cells_and_columns_are_checked_like_words(suite, german, emil):
    entry = add(suite, german, emil)
    for cell, what in ((Cell("", "Number=Plural"), "Did you mean Plur"), (Cell("leett", "Number=Plur"), "mean leet")):
        with pytest.raises(BadInput, match=what):
            lexicon.set_form(entry, cell, "Frauen", by=emil)
    table = "lemma,Case=Nominative|Number=Plur,Kase=Gen,Number=Plur ~ swap\nFrau,a,b,c\n"
    with pytest.raises(BadInput) as refused:
        lexicon_files.import_words(suite, german, "identity", table.encode(), by=emil)
    assert [problem["column"] for problem in refused.value.problems] == [
        "Case=Nominative|Number=Plur", "Kase=Gen", "Number=Plur ~ swap"
    ]  # fmt: skip
    assert not Form.objects.exists()


def test_features_of_an_imported_suite_count_as_known(suite, german, emil):
    entry = add(suite, german, emil)
    Form.objects.create(entry=entry, features="Case=Abl", text="x", source="import")
    assert lexicon.set_form(entry, Cell("", "Case=Abl|Number=Plur"), "y", by=emil) is not None


def test_a_word_is_added_once(suite, german, emil):
    first = add(suite, german, emil)
    with pytest.raises(BadInput, match=r"already has the word 'Frau' \(kind identity, group women\)\. .* identity-01"):
        add(suite, german, emil)
    other = add(suite, german, emil, lemma="Dame")
    with pytest.raises(BadInput, match="already"):
        lexicon.change_entry(other, **(lexicon.entry_values(other) | {"lemma": "Frau"}), by=emil)
    lexicon.change_entry(first, **lexicon.entry_values(first), by=emil)


def test_a_group_comes_from_the_catalogue(suite, german, emil):
    with pytest.raises(BadInput, match=r"no group 'woman'. Did you mean women\?"):
        lexicon.add_entry(suite, german, kind="identity", lemma="Frau", target="woman", by=emil)
    assert not TargetGroup.objects.filter(language=german, name="woman").exists()
    add_group(name="Roma", characteristic="origin", by=emil)
    entry = lexicon.add_entry(suite, german, kind="identity", lemma="Rom", target="roma", by=emil)
    assert [group.name for group in entry.target.groups.all()] == ["Roma"]
    other = lexicon.add_entry(suite, german, kind="identity", lemma="Roma", target="Roma", by=emil)
    assert other.target == entry.target
    both = lexicon.add_entry(suite, german, kind="identity", lemma="x", target="Roma + women", by=emil)
    assert {group.name for group in both.target.groups.all()} == {"Roma", "women"}
    offered = dict(target_choices(german))
    assert {"Jews", "roma"} <= set(offered)
    assert "Roma" not in offered


def test_the_second_of_two_people_in_one_cell_is_told(suite, german, emil, mira):
    entry = add(suite, german, emil)
    lexicon.set_form(entry, PLURAL, "Frauen", by=emil, was="")
    with pytest.raises(lexicon.CellChanged) as refused:
        lexicon.set_form(entry, PLURAL, "Fraun", by=mira, was="")
    assert (refused.value.fields["now"], refused.value.status) == ("Frauen", 409)
    assert "Another person wrote 'Frauen' here meanwhile, you wrote 'Fraun'." in str(refused.value)
    assert entry.forms.get().text == "Frauen"
    lexicon.set_form(entry, PLURAL, "Fraun", by=mira, was="Frauen")
    assert entry.forms.get().text == "Fraun"
    lexicon.set_form(entry, PLURAL, "Fraun", by=emil, was="Frauen")
    told = AuditEvent.objects.filter(action="lexicon_changed").order_by("id").last()
    assert (told.facts["was"], told.facts["text"]) == ("Fraun", "Fraun")
