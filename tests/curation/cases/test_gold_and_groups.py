"""The gold label and the set of target groups of a case, however it is made."""

import pytest
from django.urls import reverse

from core.errors import BadInput
from curation.cases.adding import add_case
from curation.cases.coverage import coverage_matrix
from curation.cases.generating import generate_cases
from curation.cases.handwritten import edit_case, write_case
from curation.catalogue.loading import find_or_create_targets, target_set
from curation.catalogue.services import add_functionality
from curation.formats.values import CaseValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.services import import_values
from curation.models import Functionality, Suite, TargetGroup, TestCase
from tests.curation.authoring.factories import functionality, german, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(db) -> Suite:
    return make_suite()


@pytest.fixture
def mixed(suite) -> Functionality:
    return Functionality.objects.create(
        key="weather", title="Weather", gold_label="", functionality_class=functionality().functionality_class
    )


def test_a_case_takes_the_label_of_its_functionality_unless_it_has_its_own(suite, emil):
    about = functionality("ident_neutral_nh")
    assert write_case(suite, german(), about, by=emil, text="Eins.").gold_label == "non-hateful"
    assert write_case(suite, german(), about, by=emil, text="Zwei.", label="hateful").gold_label == "hateful"
    with pytest.raises(BadInput, match="'rude' is not a label"):
        write_case(suite, german(), about, by=emil, text="Drei.", label="rude")


def test_a_case_of_a_mixed_functionality_needs_a_label(suite, mixed, emil):
    with pytest.raises(BadInput, match="Choose a gold label: hateful, non-hateful"):
        write_case(suite, german(), mixed, by=emil, text="Es regnet.")
    case = write_case(suite, german(), mixed, by=emil, text="Es regnet.", label="hateful")
    assert edit_case(case, by=emil, text=case.text, target=None).gold_label == "hateful"
    assert edit_case(case, by=emil, text=case.text, target=None, label="non-hateful").gold_label == "non-hateful"


def test_templates_of_a_mixed_functionality_bring_their_own_label(suite, mixed):
    def template(key: str, label: str, text: str) -> TemplateValue:
        return TemplateValue(key, "de", mixed.key, (VariantValue("", text),), label, 0)

    values = SuiteValues(templates=[template("a", "hateful", "Eins."), template("b", "non-hateful", "Zwei.")])
    import_values(suite.key, values, format_name="csv")
    suite.templates.create(language=german(), functionality=mixed, key="c").versions.create(number=1, state="draft")
    generate_cases(suite)
    assert dict(TestCase.objects.values_list("text", "gold_label")) == {"Eins.": "hateful", "Zwei.": "non-hateful"}


def test_a_template_without_a_label_in_a_mixed_functionality_is_skipped_with_the_reason(suite, mixed):
    template = suite.templates.create(language=german(), functionality=mixed, key="c")
    version = template.versions.create(number=1, state="draft")
    version.variants.create(text="Drei.")
    template.versions.filter(pk=version.pk).update(state="approved")
    report = generate_cases(suite)
    assert (report.generated, [one["template"] for one in report.warnings]) == (0, ["c"])
    assert "no gold label" in report.warnings[0]["problem"]


def test_groups_are_a_set_whatever_their_order(suite):
    one, other = target_set(german(), ["women", "Muslims"]), target_set(german(), ["Muslims", "women", "women"])
    assert one is not None
    assert one == other
    assert sorted(one.groups.values_list("key", flat=True)) == ["muslims", "women"]
    assert find_or_create_targets(german(), {"women + Muslims"})["women + Muslims"] == one
    assert target_set(german(), []) is None


def test_a_case_about_two_groups_counts_for_both_and_is_found_by_either(suite, client, emil):
    both = target_set(german(), ["women", "Muslims"])
    write_case(suite, german(), functionality("ident_neutral_nh"), by=emil, text="Hallo.", target=both)
    matrix = coverage_matrix(suite, german())
    [row] = [row for row in matrix.rows if row.functionality.key == "ident_neutral_nh"]
    assert {cell.target: cell.cases for cell in row.cells if cell.cases} == {"Muslims": 1, "women": 1}
    assert row.cases == 1
    assert not [name for name in matrix.targets if "+" in name]
    client.force_login(emil)
    for group in ("women", "Muslims"):
        assert "Hallo." in client.get(reverse("curation:cases"), {"suite": suite.key, "target": group}).content.decode()
    assert TargetGroup.objects.naming(["women"]).count() == 2


def test_cases_without_a_template_are_about_an_identity_when_they_have_a_group(suite, emil):
    women = target_set(german(), ["women"])
    about = functionality("ident_neutral_nh")
    assert write_case(suite, german(), about, by=emil, text="Eins.", target=women).is_about_identity
    assert not write_case(suite, german(), about, by=emil, text="Zwei.").is_about_identity
    assert add_case(suite, german(), about, by=emil, text="Drei.", target=women).is_about_identity
    case = CaseValue("four", "de", about.key, "Vier.", "non-hateful", target="women")
    import_values(suite.key, SuiteValues(cases=[case]), format_name="csv")
    assert TestCase.objects.get(key="four").is_about_identity


def test_page_and_api_take_several_groups_a_label_and_a_contrast_set(suite, client, emil):
    client.force_login(emil)
    said = {
        "suite": suite.key, "language": "de", "functionality": "ident_neutral_nh", "test_case": "Hallo.",
        "target_ident": ["women", "Muslims"], "label_gold": "hateful", "contrast_set": "s1",
        "perturbation_set": "polarity",
    }  # fmt: skip
    client.post(reverse("curation:case-new"), said)
    made = client.post("/api/v1/cases/", said | {"test_case": "Hm."}, content_type="application/json").json()
    assert (made["target_ident"], made["label_gold"], made["contrast_set"]) == ("Muslims + women", "hateful", "s1")
    facts = TestCase.objects.values_list("target__name", "gold_label", "contrast_set", "perturbation_set")
    assert set(facts) == {("Muslims + women", "hateful", "s1", "polarity")}
    edit = reverse("curation:case-edit", args=[suite.key, made["case_id"]])
    page = client.get(edit).content.decode()
    assert page.count("checked") == 2
    client.post(edit, {"test_case": "Hm.", "label_gold": "non-hateful", "target_ident": ["women"]})
    case = TestCase.objects.get(key=made["case_id"])
    assert (case.gold_label, case.target.name) == ("non-hateful", "women")


def test_a_mixed_functionality_can_be_added(mira):
    about = {"key": "", "title": "Rain", "functionality_class": "Weather", "definition": "", "example": ""}
    assert add_functionality(**about, gold_label="", by=mira).gold_label == ""


def test_a_functionality_without_a_gold_label_is_mixed_on_page_and_api(client, mira):
    client.force_login(mira)
    about = {"functionality_class": "Plain", "definition": "Its cases have several labels."}
    made = client.post("/api/v1/functionalities/", {**about, "title": "Mixed one"}, content_type="application/json")
    assert (made.status_code, made.json()["gold_label"]) == (201, "")
    page = client.get(f"/catalogue/functionalities/{made.json()['key']}/").content.decode()
    assert "mixed, each case has its own" in page
