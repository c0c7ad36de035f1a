"""Which cases of Multilingual HateCheck compare groups: those of templates that are filled with the words for each."""

from collections import Counter

import pytest

from curation.cases.generating import generate_cases
from curation.formats.mhc import NAMES, read_mhc
from curation.formats.values import SuiteValues
from curation.importing.services import import_values
from curation.models import Suite, TestCase
from curation.morphology.placeholders import has_identity
from curation.releases.building import build_release
from curation.releases.services import request_release
from evaluation.runs.scoring import case_rows

pytestmark = pytest.mark.django_db

# Cases of identity templates in final_cases.csv, by the target as the file spells it.
RELEASED = {
    "ar": (437, {"women": 438}),
    "nl": (435, {}),
    "fr": (432, {"women": 429}),
    "de": (436, {"women": 434}),
    "zh": (398, {}),
    "pt": (436, {"women": 433, "trans people": 433}),
    "es": (441, {"women": 429}),
}


def bring_in(shared_data, *languages, templates_only=False):
    for code in languages:
        folder = shared_data / "mhc" / NAMES[code]
        values: SuiteValues = read_mhc(folder, language=code, templates_only=templates_only)
        import_values("mhc", values, format_name="mhc")
    return Suite.objects.get(key="mhc")


def about_identity(suite) -> Counter[str]:
    cases = TestCase.objects.of(suite).filter(is_about_identity=True, target__isnull=False)
    return Counter(cases.values_list("target__name", flat=True))


@pytest.mark.parametrize("language", RELEASED)
def test_every_group_has_its_cases_also_where_the_template_has_a_text_per_gender(shared_data, language):
    usual, others = RELEASED[language]
    found = about_identity(bring_in(shared_data, language))
    assert len(found) == 7
    assert found == dict.fromkeys(found, usual) | others


@pytest.mark.parametrize("language", ["it", "pl", "hi"])
def test_cases_made_from_templates_are_about_an_identity_as_released_ones_are(shared_data, language):
    suite = bring_in(shared_data, language, templates_only=True)
    generate_cases(suite)
    found = about_identity(suite)
    assert found
    assert set(found.values()) == {435}


def test_results_of_a_release_count_one_group_under_one_name(shared_data):
    """German and Spanish spell it "jews", Arabic "Jews"; nearly all Spanish templates have a text per gender."""
    suite = bring_in(shared_data, "ar", "de", "es")
    release = build_release(request_release(suite, "1.0.0", policy="mark", by=None))
    rows = [row for _, row in case_rows(release)]
    measured = Counter(
        (row["language"], target) for row in rows if row["is_identity_template"] for target in row["targets"]
    )
    assert {language: measured[language, "Jews"] for language in ("ar", "de", "es")} == {
        "ar": 437,
        "de": 436,
        "es": 441,
    }
    assert not any(target == "jews" for _, target in measured)
    spelt = {target for targets in release.cases.values_list("targets", flat=True) for target in targets}
    assert {"Jews", "jews"} <= spelt  # what is published stays as the source spells it
    assert release.facts["statistics"]["by_group"]["Jews"] == sum("Jews" in row["targets"] for row in rows)


def test_what_was_published_with_a_case_says_whether_it_is_about_an_identity(shared_data):
    """So that another instance, which has only the exported files, measures groups on the same cases."""
    release = build_release(request_release(bring_in(shared_data, "fr", "es"), "1.0.0", policy="mark", by=None))
    for case in release.cases.iterator():
        texts = (case.template_text, case.extra.get("gender_male", ""), case.extra.get("gender_female", ""))
        assert case.is_about_identity == any(has_identity(text) for text in texts)
