"""Hand-written cases, misspelt versions, coverage and adaptation."""

import csv
import io

import pytest

from core.errors import BadInput, NotAllowed, WrongState
from curation.authoring.adapting import adaptations, start_adaptation
from curation.authoring.services import create_template, save_draft
from curation.authoring.wording_checks import VariantText
from curation.cases.coverage import coverage_matrix
from curation.cases.generating import generate_cases
from curation.cases.handwritten import edit_case, retire_case, write_case
from curation.cases.perturbing import perturb_cases, spelling_functionalities
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.exporting.cases import write_cases
from curation.exporting.suites import values_of
from curation.models import Language, TargetGroup, Template, TestCase
from tests.curation.authoring.factories import approve_template, functionality, german, make_suite, write_template
from tests.curation.releases.factories import make_release

pytestmark = pytest.mark.django_db
PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def suite():
    return make_suite()


@pytest.fixture
def generated(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    return template


def write(suite, by, text="Meine Nachbarin ist nett.", **facts):
    return write_case(suite, german(), functionality("ident_neutral_nh"), by=by, text=text, **facts)


def test_a_case_written_by_hand_keeps_its_author(suite, emil):
    case = write(suite, emil, target=TargetGroup.objects.get(name="women"))
    assert (case.key, case.origin, case.author, case.state) == ("de-00001", "hand", emil, "ready")


def test_no_release_names_who_wrote_a_case(suite, emil, mira):
    case = write(suite, emil)
    TestCase.objects.filter(pk=case.pk).update(provenance={"written_by": str(emil), "note": "kept"})
    release = make_release(suite, by=mira, without_labels="include")
    assert release.cases.get(key=case.key).provenance == '{"note":"kept"}'


def test_the_same_text_is_one_case(suite, emil):
    write(suite, emil)
    with pytest.raises(BadInput, match="already"):
        write(suite, emil, text=" Meine Nachbarin ist nett. ")
    assert TestCase.objects.count() == 1


def test_a_hand_written_case_is_checked(suite, emil, ana):
    with pytest.raises(BadInput, match="empty"):
        write(suite, emil, text=" ")
    with pytest.raises(BadInput, match="no such case"):
        write(suite, emil, refers_to="de-99999")
    with pytest.raises(NotAllowed):
        write(suite, ana)


def test_a_labelled_text_is_not_changed(suite, emil):
    case = write(suite, emil)
    assert edit_case(case, by=emil, text="Meine Nachbarin singt.", target=None).text == "Meine Nachbarin singt."
    record_verdicts([VerdictValue(case.pk, ("hateful",), 0)], source="test")
    with pytest.raises(BadInput, match="has labels"):
        edit_case(case, by=emil, text="Anders.", target=None)
    assert edit_case(case, by=emil, text=case.text, target=None, direction="general").direction == "general"


def test_cases_of_templates_are_not_changed_by_hand(generated, emil):
    case = generated.cases.first()
    with pytest.raises(WrongState):
        edit_case(case, by=emil, text="x", target=None)
    with pytest.raises(WrongState):
        retire_case(case, by=emil, reason="x")


def test_retiring_needs_a_reason_and_nobody_referring(suite, emil):
    case = write(suite, emil)
    other = write(suite, emil, text="Meine Nachbarin ist gemein.", refers_to=case.key)
    with pytest.raises(BadInput, match="Give a reason"):
        retire_case(other, by=emil, reason="")
    with pytest.raises(BadInput, match="refers to"):
        retire_case(case, by=emil, reason="x")
    retire_case(other, by=emil, reason="Unclear.")
    assert retire_case(case, by=emil, reason="Unclear.").state == "retired"


def test_misspelt_cases_refer_to_their_originals_and_are_made_once(suite, generated, emil):
    spelling = functionality("spell_leet_h")
    report = perturb_cases(suite, 7, language=german(), functionality=spelling, by=emil)
    assert (report.made, report.unchanged) == (2, 0)
    made = TestCase.objects.filter(functionality=spelling)
    originals = {case.key: case.text for case in generated.cases.all()}
    assert {case.refers_to for case in made} == set(originals)
    assert all(case.text != originals[case.refers_to] for case in made)
    assert set(made.values_list("template__refers_to", "template__relation")) == {(generated.key, "perturbs")}
    texts = set(made.values_list("text", flat=True))
    again = perturb_cases(suite, 7, language=german(), functionality=spelling, by=emil)
    assert (again.made, again.unchanged) == (0, 2)
    assert set(made.values_list("text", flat=True)) == texts


def test_misspelt_cases_go_with_their_originals(suite, generated, emil, mira):
    perturb_cases(suite, 7, language=german(), functionality=functionality("spell_leet_h"), by=emil)
    save_draft(generated, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    approve_template(generated, author=emil, reviewer=mira)
    assert TestCase.objects.in_use().count() == 0


def test_misspelling_is_refused_with_the_reason(suite, generated, emil, ana):
    spelling = functionality("spell_leet_h")
    with pytest.raises(BadInput, match="not a spelling functionality"):
        perturb_cases(suite, 7, language=german(), functionality=functionality("ident_neutral_nh"), by=emil)
    with pytest.raises(BadInput, match="no cases to perturb"):
        perturb_cases(suite, 7, language=german(), functionality=spelling, by=emil, template="nothing")
    with pytest.raises(NotAllowed):
        perturb_cases(suite, 7, language=german(), functionality=spelling, by=ana)


def test_a_template_nothing_can_be_made_of_gets_no_companion_and_is_named(suite, generated, emil, mira):
    short = write_template(suite, "[identity:Number=Plur]", by=emil, focus_words="Frauen")
    approve_template(short, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    spelling = functionality("spell_space_del_h")  # needs a blank between two words
    report = perturb_cases(suite, 7, language=german(), functionality=spelling, by=emil)
    assert (report.made, len(report.skipped)) == (2, 2)
    assert [key for key, _ in report.without_cases] == [short.key]
    assert [item.refers_to for item in Template.objects.filter(functionality=spelling)] == [generated.key]


def test_a_perturbation_for_another_script_is_refused_and_leaves_nothing(suite, generated, emil):
    spelling = functionality("spell_pinyin_h")
    before = Template.objects.count()
    with pytest.raises(BadInput, match=r"'Pinyin' is made for the language zh, not for German \(script Latn\)"):
        perturb_cases(suite, 7, language=german(), functionality=spelling, by=emil)
    assert Template.objects.count() == before


def test_only_perturbations_that_act_on_the_script_are_offered(suite):
    offered = set(spelling_functionalities(german()).values_list("perturbation", flat=True))
    assert {"leet", "char_swap"} <= offered
    assert not offered & {"pinyin", "homophone", "char_comp", "arabizi", "char_eng_replace", "word_variation"}
    arabic = set(spelling_functionalities(Language.objects.get(code="ar")).values_list("perturbation", flat=True))
    assert "arabizi" in arabic
    assert "pinyin" not in arabic


def test_an_export_leaves_out_companions_without_text_and_cases(suite, generated, emil):
    spelling = functionality("spell_leet_h")
    facts = {"suite": suite, "language": german(), "functionality": spelling, "relation": "perturbs"}
    empty = Template.objects.create(**facts, key="de-009-leet", refers_to="de-009")
    perturb_cases(suite, 7, language=german(), functionality=spelling, by=emil)
    written = {template.key for template in values_of(suite).templates}
    assert empty.key not in written
    assert {generated.key, f"{generated.key}-leet"} <= written


def test_the_matrix_counts_cases_and_shows_holes(suite, generated, emil):
    write(suite, emil, target=TargetGroup.objects.get(name="women"))
    matrix = coverage_matrix(suite, german())
    assert matrix.targets == ("Muslims", "women", "")
    rows = {row.functionality.key: row for row in matrix.rows}
    assert [cell.cases for cell in rows["derog_neg_emote_h"].cells] == [1, 1, 0]
    assert [cell.is_hole for cell in rows["ident_neutral_nh"].cells] == [True, False, False]
    assert matrix.totals == (1, 2, 0)
    assert "spell_arabizi_h" not in rows


def test_the_matrix_needs_few_queries(suite, generated, django_assert_max_num_queries):
    language = german()
    with django_assert_max_num_queries(5):
        coverage_matrix(suite, language)


def test_adapting_keeps_what_is_said_about_the_source(suite, generated, mira):
    english = Language.objects.get(code="en")
    rows = adaptations(suite, german(), suite, english)
    assert [(row.source, row.text, row.status) for row in rows] == [(generated, PLURAL, "not started")]
    adapted = start_adaptation(generated, suite, english, by=mira)
    assert (adapted.functionality, adapted.adapted_from, adapted.source_text) == (
        generated.functionality, generated, PLURAL
    )  # fmt: skip
    assert start_adaptation(generated, suite, english, by=mira) == adapted
    save_draft(adapted, [VariantText("", "I do not like them.")], by=mira)
    assert [row.status for row in adaptations(suite, german(), suite, english)] == ["draft"]


def test_what_was_adapted_is_found_from_both_sides(suite, generated, mira):
    english = Language.objects.get(code="en")
    adapted = start_adaptation(generated, suite, english, by=mira)
    save_draft(adapted, [VariantText("", "I do not like them.")], by=mira)
    assert [(row.source, row.template) for row in adaptations(suite, english, suite, german())] == [
        (adapted, generated)
    ]
    assert start_adaptation(adapted, suite, german(), by=mira) == generated


def test_languages_imported_together_stand_for_each_other_by_key(suite, generated, mira):
    english = Language.objects.get(code="en")
    other = create_template(suite, english, generated.functionality, by=mira, key=generated.key)
    assert [row.template for row in adaptations(suite, german(), suite, english)] == [None]
    Template.objects.filter(pk__in=[other.pk, generated.pk]).update(source_text="Je ne les aime pas.")
    assert [row.template for row in adaptations(suite, german(), suite, english)] == [other]
    generated.refresh_from_db()
    assert start_adaptation(generated, suite, english, by=mira) == other


def test_an_adapted_template_refers_to_the_adapted_original(suite, generated, emil, mira):
    english = Language.objects.get(code="en")
    contrast = write_template(
        suite, "Ich mag [identity:Number=Plur].", by=emil, refers_to=generated.key, relation="contrasts"
    )
    first = start_adaptation(generated, suite, english, by=mira)
    second = start_adaptation(contrast, suite, english, by=mira)
    assert (second.refers_to, second.relation) == (first.key, "contrasts")


def test_experts_adapt_only_into_own_languages(suite, generated, emil):
    with pytest.raises(NotAllowed):
        start_adaptation(generated, suite, Language.objects.get(code="en"), by=emil)
    assert Template.objects.filter(language__code="en").count() == 0


def test_carriage_returns_survive_the_export(suite, emil):
    write(suite, emil, text="erste\rzweite")
    write(suite, emil, text='a "b", c\nd')
    stream = io.StringIO(newline="")
    assert write_cases(suite, stream) == 2
    rows = list(csv.DictReader(io.StringIO(stream.getvalue(), newline="")))
    assert [row["test_case"] for row in rows] == ["erste\rzweite", 'a "b", c\nd']


def test_a_case_about_two_groups_counts_for_both_whatever_their_order(suite, emil, mira):
    text = "Ich mag [identity#1:Number=Plur] und [identity#2:Number=Plur] {#1+#2:Number=Sing:nicht|sehr}."
    approve_template(write_template(suite, text, by=emil), author=emil, reviewer=mira)
    assert generate_cases(suite).generated == 2
    names = set(TestCase.objects.values_list("target__name", flat=True))
    assert names == {"Muslims + women"}
    assert {group.name for case in TestCase.objects.all() for group in case.target.groups.all()} == {"women", "Muslims"}
    matrix = coverage_matrix(suite, german())
    assert matrix.targets == ("Muslims", "women", "")
    [row] = [row for row in matrix.rows if row.cases]
    assert ([cell.cases for cell in row.cells], row.cases) == ([2, 2, 0], 2)
