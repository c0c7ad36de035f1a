"""Groups are compared on cases about an identity, each group under one name however the data spell it."""

from importlib import import_module

import pytest
from django.apps import apps

from curation.cases.generating import generate_cases
from curation.cases.perturbing import perturb_cases
from curation.formats.values import CaseValue, EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.services import import_values
from curation.models import Functionality, Language, ProtectedGroup, ReleaseCase, Suite, TargetGroup, TestCase
from curation.releases.documents import statement_of
from curation.releases.export import export_release
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import FreezeSettings
from evaluation.runs.failing import matching_predictions
from tests.curation.releases.factories import make_candidate, make_release
from tests.evaluation.factories import allow_models, run_model

pytestmark = pytest.mark.django_db

# Language, the group as its data spell it, its word, a text about the group, a text with a target but without its word.
WORDS = [
    ("en", "Jews", "Jews", "I dislike [identity].", "I dislike rain."),
    ("de", "jews", "Juden", "Ich mag [identity] nicht.", "Ich mag keinen Regen."),
]


@pytest.fixture
def suite(settings):
    allow_models(settings)
    values = SuiteValues()
    for language, target, word, *texts in WORDS:
        values.entries.append(EntryValue("identity-01", language, "identity", target, word, 0))
        values.forms.append(FormValue("identity-01", "", "", word, language=language))
        for number, (text, named) in enumerate(zip(texts, ("", target), strict=True), 1):
            variants = (VariantValue("", text),)
            template = TemplateValue(
                str(number), language, "derog_neg_emote_h", variants, "hateful", number, target=named
            )
            values.templates.append(template)
    import_values("two", values, format_name="csv")
    made = Suite.objects.get(key="two")
    generate_cases(made)
    return made


def test_cases_know_whether_their_template_is_filled_with_groups(suite):
    about = TestCase.objects.of(suite).values_list("language__code", "template__key", "is_about_identity").distinct()
    assert set(about) == {("en", "1", True), ("de", "1", True), ("en", "2", False), ("de", "2", False)}


def test_cases_that_bring_their_texts_per_gender_are_about_an_identity():
    texts = {"1": "Ella es [female_IDENT_S].", "2": "Ella es [female_SLR_S].", "3": "-"}
    cases = [
        CaseValue(
            key, "es", "derog_neg_emote_h", "Una frase.", "hateful", target="Jews", template=key,
            extra=(("gender_male", ""), ("gender_female", text)),
        )
        for key, text in texts.items()
    ]  # fmt: skip
    templates = [TemplateValue(key, "es", "derog_neg_emote_h", (), "hateful", int(key)) for key in texts]
    import_values("copy", SuiteValues(cases=cases, templates=templates), format_name="csv")
    assert list(TestCase.objects.filter(is_about_identity=True).values_list("key", flat=True)) == ["1"]


def test_misspelt_cases_are_about_an_identity_as_their_originals_are(suite, mira):
    leet = Functionality.objects.get(key="spell_leet_h")
    perturb_cases(suite, 1, language=Language.objects.get(code="en"), functionality=leet, by=mira)
    made = TestCase.objects.filter(functionality=leet)
    originals = dict(TestCase.objects.of(suite).values_list("key", "is_about_identity"))
    assert {case.is_about_identity for case in made} == {True, False}
    assert all(case.is_about_identity == originals[case.refers_to] for case in made)


def test_a_group_that_languages_spell_differently_is_measured_once(suite, mira):
    run = run_model(make_release(suite, by=mira, without_labels="include"), "always_hateful", name="Always", by=mira)
    measured = run.report.values["by_target"]
    assert set(measured) == {"Jews"}
    found = matching_predictions(run, {"show": "all", "target": "Jews"})
    assert found.count() == measured["Jews"]["n"] == TestCase.objects.of(suite).filter(is_about_identity=True).count()
    assert set(found.values_list("release_case__language", flat=True)) == {"en", "de"}


def test_a_name_that_another_language_gives_to_another_group_is_not_mixed_up(suite, mira):
    others = ProtectedGroup.objects.get(key="muslims")
    TargetGroup.objects.get(language__code="de", name="jews").groups.set([others])
    run = run_model(make_release(suite, by=mira, without_labels="include"), "always_hateful", name="Always", by=mira)
    assert set(run.report.values["by_target"]) == {"Jews", "Muslims"}
    for group, language in (("Jews", "en"), ("Muslims", "de")):
        found = matching_predictions(run, {"show": "all", "target": group})
        assert found.count() == run.report.values["by_target"][group]["n"]
        assert set(found.values_list("release_case__language", flat=True)) == {language}


def test_a_release_keeps_the_groups_it_was_built_with(suite, mira):
    release = make_release(suite, by=mira, without_labels="include")
    TargetGroup.objects.get(language__code="de", name="jews").groups.clear()
    run = run_model(release, "always_hateful", name="Always", by=mira)
    assert set(run.report.values["by_target"]) == {"Jews"}


def test_documents_count_groups_and_the_cases_keep_their_spelling(suite, mira, tmp_path):
    release = make_release(suite, by=mira, without_labels="include")
    cases = release.cases.count()
    assert f"| Jews | {cases} |" in statement_of(release)
    export_release(release, tmp_path / "out", formats=["csv"])
    written = (tmp_path / "out" / "DATA_STATEMENT.md").read_text(encoding="utf-8")
    assert f"| Jews | {cases} |" in written
    assert "| jews |" not in written
    assert ",jews," in (tmp_path / "out" / "cases.csv").read_text(encoding="utf-8")
    plan = plan_freeze(suite, FreezeSettings("mark", 0, "none", "include"))
    assert preview(suite, plan)["by_target"] == {"Jews": cases}


def test_cases_without_a_template_count_for_their_groups(suite, mira):
    """Texts written by hand or by a language model have groups like all others, under their one name."""
    texts = {"en": ("Jews", "A sentence of its own."), "de": ("jews", "Ein eigener Satz.")}
    cases = [
        CaseValue(f"own-{language}", language, "derog_neg_emote_h", text, "hateful", target=target)
        for language, (target, text) in texts.items()
    ]
    import_values("two", SuiteValues(cases=cases), format_name="csv")
    TestCase.objects.filter(key="own-de").update(origin="llm")
    run = run_model(make_release(suite, by=mira, without_labels="include"), "always_hateful", name="Always", by=mira)
    about = TestCase.objects.of(suite).filter(is_about_identity=True).count()
    assert run.report.values["by_target"]["Jews"]["n"] == about == 4
    assert run.report.values["composition"]["by_target"]["Jews"] == {"hateful": about}
    assert matching_predictions(run, {"show": "all", "target": "Jews"}).count() == about


def identity_cases():
    return [set(model.objects.filter(is_about_identity=True).values_list("pk")) for model in (TestCase, ReleaseCase)]


def test_cases_that_were_there_before_are_told_apart_by_the_migration(suite, mira):
    leet = Functionality.objects.get(key="spell_leet_h")
    perturb_cases(suite, 1, language=Language.objects.get(code="en"), functionality=leet, by=mira)
    release = make_candidate(suite, by=mira, without_labels="include")
    imported = release.cases.filter(is_about_identity=True, origin="template").first()
    ReleaseCase.objects.filter(pk=imported.pk).update(  # as Multilingual HateCheck publishes texts per gender
        template_text="", extra={"gender_male": imported.template_text, "gender_female": "-"}
    )
    wanted = identity_cases()
    TestCase.objects.update(is_about_identity=False)
    ReleaseCase.objects.update(is_about_identity=False)
    migration = import_module("curation.migrations.0007_fill_cases_about_an_identity")
    migration.fill_cases(apps, None)
    migration.fill_released_cases(apps, None)
    assert identity_cases() == wanted
    assert all(wanted)
