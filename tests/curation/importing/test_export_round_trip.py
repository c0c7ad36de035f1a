"""What we export can be imported again: the same cases come out of the suite it was read into."""

import csv
import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from config.demo import load_demo
from core.jobs.services import perform
from core.models import Job
from curation.authoring.services import create_template
from curation.authoring.wording_checks import VariantText
from curation.cases.generating import generate_cases
from curation.cases.handwritten import write_case
from curation.cases.perturbing import perturb_cases
from curation.catalogue.languages import add_language
from curation.catalogue.loading import find_or_create_targets, load_catalogue
from curation.formats.registry import read_suite
from curation.importing.services import import_values
from curation.models import Form, Language, LexiconEntry, Suite, Template, TestCase
from tests.curation.authoring.factories import approve_template, functionality
from tests.curation.releases.factories import make_release

pytestmark = pytest.mark.django_db
MASCULINE, FEMININE = "Žádný [identity:Number=Sing] sem nepatří.", "Žádná [identity:Number=Sing] sem nepatří."


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def rows(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def errors(report: dict) -> list[dict]:
    return [problem for problem in report["problems"] if problem["severity"] == "error"]


@pytest.fixture
def czech(mira, max_) -> Suite:
    """Words of two genders, a template with a text for each, misspelt versions, and a case by hand."""
    load_catalogue()
    features = {"Gender": ["Masc", "Fem"], "Number": ["Sing", "Plur"]}
    language = add_language(code="cs", name="Czech", script="Latn", direction="ltr", features=features, by=mira)
    suite = Suite.objects.create(key="cesky", name="Czech suite")
    suite.languages.add(language)
    for position, (lemma, group, gender) in enumerate(
        (("žena", "women", "Fem"), ("přistěhovalec", "immigrants", "Masc"))
    ):
        target = find_or_create_targets(language, {group})[group]
        entry = LexiconEntry.objects.create(
            suite=suite, language=language, key=f"identity-{position}", kind="identity", target=target, lemma=lemma,
            inherent=f"Gender={gender}", position=position,
        )  # fmt: skip
        Form.objects.create(entry=entry, features="Number=Sing", text=lemma)
    for texts in (
        {
            "Gender=Masc": "Žádný [identity:Number=Sing] sem nepatří.",
            "Gender=Fem": "Žádná [identity:Number=Sing] sem nepatří.",
        },
        {"": "Nemám rád: [identity:Number=Sing]."},
    ):
        variants = [VariantText(features, text) for features, text in texts.items()]
        template = create_template(
            suite,
            language,
            functionality(),
            by=mira,
            variants=variants,
            direction="general",
            focus_words="sem, nepatří",
        )
        approve_template(template, author=mira, reviewer=max_)
    generate_cases(suite, by=mira)
    perturb_cases(suite, 3, language=language, functionality=functionality("spell_leet_h"), by=mira)
    write_case(suite, language, functionality("ident_neutral_nh"), by=mira, text="=1, „Dobrý den“\nsousede.")
    return suite


def test_a_suite_with_gender_variants_comes_back_from_its_own_export(czech, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    assert run("export_cases", "cesky", "--out", first)["cases"] == 9
    imported = run("import_suite", "copy", "--format", "csv", "--path", first, "--language", "cs")
    assert (imported["new"]["cases"], errors(imported)) == (9, [])
    run("export_cases", "copy", "--out", second)
    assert rows(second) == rows(first)
    assert {row["case_templ"] for row in rows(second)} >= {MASCULINE, FEMININE, ""}


def test_the_demo_comes_back_with_its_languages(tmp_path):
    load_catalogue()
    load_demo()
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    run("export_cases", "demo", "--out", first)
    imported = run("import_suite", "copy", "--format", "csv", "--path", first)
    assert (imported["languages"], errors(imported)) == (["de", "en", "fr"], [])
    run("export_cases", "copy", "--out", second)
    assert rows(second) == rows(first)
    assert {row["language"] for row in rows(first)} == {"de", "en", "fr"}


@pytest.mark.parametrize("name", ["cases.csv", "cases.jsonl"])
def test_the_cases_of_a_release_come_back(czech, mira, tmp_path, name):
    make_release(czech, by=mira, without_labels="include")
    run("export_release", "cesky@1.0.0", "--out", tmp_path / "release", "--format", "csv", "jsonl")
    imported = run("import_suite", "copy", "--format", "csv", "--path", tmp_path / "release" / name)
    assert (imported["new"]["cases"], imported["languages"], errors(imported)) == (9, ["cs"], [])
    run("export_cases", "cesky", "--out", tmp_path / "first.csv")
    run("export_cases", "copy", "--out", tmp_path / "second.csv")
    by_key = {row["case_id"]: row for row in rows(tmp_path / "second.csv")}
    assert by_key == {row["case_id"]: row for row in rows(tmp_path / "first.csv")}


@pytest.mark.parametrize("name", ["cases.csv", "cases.jsonl"])
def test_a_case_of_a_release_about_two_groups_comes_back_with_both(czech, mira, max_, tmp_path, name):
    both = [VariantText("", "[identity:Number=Sing] a [identity:Number=Sing]")]
    template = create_template(czech, czech.languages.get(), functionality(), by=mira, variants=both)
    approve_template(template, author=mira, reviewer=max_)
    generate_cases(czech, by=mira)
    release = make_release(czech, by=mira, without_labels="include")
    run("export_release", "cesky@1.0.0", "--out", tmp_path / "release", "--format", "csv", "jsonl")
    run("import_suite", "copy", "--format", "csv", "--path", tmp_path / "release" / name)
    names = TestCase.objects.filter(suite__key="copy", text="Žena a přistěhovalec").values_list("target__name")
    assert list(names) == [("immigrants + women",)]
    copied = make_release(Suite.objects.get(key="copy"), by=mira)
    assert [case.targets for case in copied.cases.all()] == [case.targets for case in release.cases.all()]


def test_importing_its_own_export_changes_nothing_in_a_suite(czech, tmp_path):
    run("export_cases", "cesky", "--out", tmp_path / "cases.csv")
    imported = run("import_suite", "cesky", "--format", "csv", "--path", tmp_path / "cases.csv", "--language", "cs")
    assert not any([*imported["new"].values(), *imported["changed"].values()])
    gendered = Template.objects.get(key="cs-001").versions.get().variants
    assert [variant.features for variant in gendered.all()] == ["Gender=Masc", "Gender=Fem"]


def test_words_added_after_the_import_fill_no_text_of_the_wrong_gender(czech, tmp_path, mira):
    run("export_cases", "cesky", "--out", tmp_path / "cases.csv")
    values = read_suite("csv", tmp_path / "cases.csv", language="cs")
    import_values("copy", values, format_name="csv")
    copy, language = Suite.objects.get(key="copy"), Language.objects.get(code="cs")
    for entry in LexiconEntry.objects.of(czech):
        forms = list(entry.forms.all())
        entry.pk, entry.suite = None, copy
        entry.save()
        Form.objects.bulk_create(Form(entry=entry, features=form.features, text=form.text) for form in forms)
    generate_cases(copy, by=mira)
    texts = TestCase.objects.of(copy).in_use().filter(language=language, template__key="cs-001")
    assert sorted(texts.values_list("text", flat=True)) == [
        "Žádná žena sem nepatří.", "Žádný přistěhovalec sem nepatří.",
    ]  # fmt: skip


def test_the_archive_of_the_page_is_imported_as_it_was_downloaded(czech, client, mira, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path
    client.force_login(mira)
    archive = client.get(reverse("curation:suite-download", args=["cesky"]), {"as": "csv"}).content
    form = {"file": SimpleUploadedFile("cesky-csv.zip", archive), "format": "csv", "suite": "copy", "language": "cs"}
    client.post(reverse("curation:import"), form)
    assert perform(Job.objects.get(kind="curation.import_suite").key, worker="test").state == "done"
    copied = TestCase.objects.of(Suite.objects.get(key="copy"))
    assert set(copied.values_list("key", "text")) == set(TestCase.objects.of(czech).values_list("key", "text"))


def test_an_mhc_export_without_words_says_why_it_cannot_be_imported(czech, tmp_path):
    run("export_suite", "cesky", "--format", "mhc", "--out", tmp_path)
    assert (tmp_path / "cs" / "templates.csv").exists()
    with pytest.raises(CommandError, match=r"no files of words.*import its cases as CSV"):
        run("import_suite", "copy", "--format", "mhc", "--path", tmp_path)


def test_a_suite_that_does_not_fit_mhc_is_refused_with_the_template(czech, tmp_path):
    run("export_cases", "cesky", "--out", tmp_path / "cases.csv")
    run("import_suite", "copy", "--format", "csv", "--path", tmp_path / "cases.csv", "--language", "cs")
    with pytest.raises(CommandError, match=r"template cs-001 has a text for Variant=1.*Download the CSV instead"):
        run("export_suite", "copy", "--format", "mhc", "--out", tmp_path / "out")


def test_a_hatecheck_export_has_no_file_of_words_without_words_to_write(czech, tmp_path):
    assert run("export_suite", "cesky", "--format", "hatecheck", "--out", tmp_path)["files"] == ["all_cases.csv"]
