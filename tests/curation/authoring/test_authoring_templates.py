"""Writing templates: keys, drafts, versions, references, who may."""

import pytest

from accounts.models import Action, AuditEvent
from core.errors import BadInput, ChangedMeanwhile, NotAllowed, WrongState
from curation.authoring.details import edit_details
from curation.authoring.services import create_template, delete_template, save_draft, submit_version, withdraw_version
from curation.authoring.wording_checks import VariantText, fingerprint
from curation.cases.generating import generate_cases
from curation.models import Language, Template, TemplateVersion
from tests.curation.authoring.factories import (
    approve_template,
    functionality,
    german,
    make_suite,
    newest,
    write_template,
)

pytestmark = pytest.mark.django_db
PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def suite():
    return make_suite()


def test_a_template_gets_the_next_free_key(suite, emil):
    assert write_template(suite, PLURAL, by=emil).key == "de-001"
    assert write_template(suite, PLURAL, by=emil, key="de-041").key == "de-041"
    assert write_template(suite, PLURAL, by=emil).key == "de-042"


def test_keys_go_on_in_the_style_of_the_suite(suite, emil):
    Template.objects.create(suite=suite, language=german(), functionality=functionality(), key="german-9")
    assert write_template(suite, PLURAL, by=emil).key == "german-10"


def test_a_key_is_used_once(suite, emil):
    write_template(suite, PLURAL, by=emil, key="a1")
    with pytest.raises(BadInput, match="already"):
        write_template(suite, PLURAL, by=emil, key="a1")


@pytest.mark.parametrize("key", ["a/b", "ü", " x y", "-a", "a" * 81])
def test_a_key_must_fit_into_addresses(suite, emil, key):
    with pytest.raises(BadInput, match="cannot be a key"):
        write_template(suite, PLURAL, by=emil, key=key)


def test_an_expert_writes_only_in_own_languages(suite, emil):
    with pytest.raises(NotAllowed):
        create_template(suite, Language.objects.get(code="en"), functionality(), by=emil)


def test_annotators_do_not_write(suite, ana):
    with pytest.raises(NotAllowed):
        write_template(suite, PLURAL, by=ana)


def test_a_language_outside_the_suite_is_refused(suite, mira):
    with pytest.raises(BadInput, match="Add the language"):
        create_template(suite, Language.objects.get(code="fr"), functionality(), by=mira)


def test_saving_changes_the_open_draft(suite, emil):
    template = write_template(suite, PLURAL, by=emil)
    save_draft(template, [VariantText("", "Ich mag [identity:Number=Sing].")], by=emil)
    assert [version.number for version in template.versions.all()] == [1]
    assert newest(template).variants.get().text == "Ich mag [identity:Number=Sing]."


def test_saving_after_approval_begins_a_new_version(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approved = approve_template(template, author=emil, reviewer=mira)
    draft = save_draft(template, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    assert (draft.number, draft.state) == (2, "draft")
    approved.refresh_from_db()
    assert approved.state == "approved"
    assert approved.variants.get().text == PLURAL


def test_saving_the_same_text_makes_no_version(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approve_template(template, author=emil, reviewer=mira)
    assert save_draft(template, [VariantText("", PLURAL)], by=emil).state == "approved"
    assert template.versions.count() == 1


def test_a_submitted_version_cannot_be_changed_until_it_is_withdrawn(suite, emil):
    template = write_template(suite, PLURAL, by=emil)
    submit_version(newest(template), by=emil)
    with pytest.raises(WrongState, match="Withdraw it"):
        save_draft(template, [VariantText("", "Anders.")], by=emil)
    withdraw_version(newest(template), by=emil)
    assert save_draft(template, [VariantText("", "Anders.")], by=emil).state == "draft"


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    seen = fingerprint(newest(template))
    save_draft(template, [VariantText("", "Von Mira.")], by=mira)
    with pytest.raises(ChangedMeanwhile):
        save_draft(template, [VariantText("", "Von Emil.")], by=emil, based_on=seen)
    assert newest(template).variants.get().text == "Von Mira."


def test_gendered_variants_are_told_apart_by_features(suite, emil):
    template = write_template(suite, PLURAL, by=emil)
    two = [
        VariantText("Gender=Masc", "Kein [identity:Number=Sing]."),
        VariantText("Gender=Fem", "Keine [identity:Number=Sing]."),
    ]
    version = save_draft(template, two, by=emil)
    assert [variant.features for variant in version.variants.all()] == ["Gender=Masc", "Gender=Fem"]
    with pytest.raises(BadInput, match="two variants are for words with the same features: feminine"):
        save_draft(template, [VariantText("Gender=Fem", "a"), VariantText("Gender=Fem", "b")], by=emil)


@pytest.mark.parametrize(
    ("variants", "why"),
    [
        ([VariantText("", " ")], "no text"),
        ([VariantText("Geschlecht", "x")], "Name=Value"),
        ([VariantText("", "x" * 5001)], "5,001 characters"),
        ([VariantText("Gender=Fem", "x"), VariantText("Gender=Masc", "")], "Variant 2: the variant has no text"),
    ],
)
def test_texts_that_cannot_be_kept_are_refused_with_their_place(suite, emil, variants, why):
    template = write_template(suite, PLURAL, by=emil)
    with pytest.raises(BadInput, match=why):
        save_draft(template, variants, by=emil)


def test_a_text_that_cannot_be_read_is_kept_as_draft_but_not_submitted(suite, emil):
    template = write_template(suite, "Ich mag [identty].", by=emil)
    with pytest.raises(BadInput, match="identty") as refusal:
        submit_version(newest(template), by=emil)
    assert refusal.value.problems[0]["column"] == 9
    assert newest(template).state == "draft"


def test_a_text_no_word_fits_is_not_submitted(suite, emil):
    template = write_template(suite, "Ein [identity:Case=Voc].", by=emil)
    with pytest.raises(BadInput, match="produces no cases"):
        submit_version(newest(template), by=emil)


def test_a_version_is_submitted_once(suite, emil):
    template = write_template(suite, PLURAL, by=emil)
    submit_version(newest(template), by=emil)
    with pytest.raises(WrongState):
        submit_version(newest(template), by=emil)


def test_references_are_checked(suite, emil):
    first = write_template(suite, PLURAL, by=emil, key="one")
    second = write_template(suite, "Ich mag [identity:Number=Plur].", by=emil, refers_to="one", relation="contrasts")
    assert (second.refers_to, second.relation) == ("one", "contrasts")
    with pytest.raises(BadInput, match="There is no template 'nothing' in German"):
        edit_details(first, by=emil, refers_to="nothing", relation="contrasts")
    with pytest.raises(BadInput, match="varies this template itself"):
        edit_details(first, by=emil, refers_to=second.key, relation="perturbs")
    with pytest.raises(BadInput, match="Choose the relation"):
        edit_details(first, by=emil, refers_to=second.key)


def test_cases_follow_a_changed_direction_but_never_get_another_gold_label(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    edit_details(template, by=emil, functionality=functionality("ident_neutral_nh"))
    edit_details(template, by=emil, functionality=functionality("derog_neg_emote_h"))
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    edit_details(template, by=emil, direction="general", focus_words="mag nicht")
    assert set(template.cases.values_list("direction", "focus_words")) == {("general", "mag nicht")}
    with pytest.raises(BadInput, match="gold label"):
        edit_details(template, by=emil, functionality=functionality("ident_neutral_nh"))


def test_only_what_was_never_approved_can_be_deleted(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil, key="kept")
    approve_template(template, author=emil, reviewer=mira)
    with pytest.raises(WrongState):
        delete_template(template, by=emil)
    draft = write_template(suite, "Weg.", by=emil, key="gone")
    delete_template(draft, by=emil)
    assert not Template.objects.filter(key="gone").exists()


def test_a_template_others_refer_to_stays(suite, emil):
    template = write_template(suite, PLURAL, by=emil, key="one")
    write_template(suite, PLURAL, by=emil, refers_to="one", relation="contrasts")
    with pytest.raises(BadInput, match="is a variation of one"):
        delete_template(template, by=emil)


def test_who_wrote_is_on_record(suite, emil):
    template = write_template(suite, PLURAL, by=emil)
    submit_version(newest(template), by=emil)
    events = AuditEvent.objects.about("template", template.key).order_by("id")
    assert [event.action for event in events] == [
        Action.TEMPLATE_CHANGED, Action.TEMPLATE_CHANGED, Action.VERSION_SUBMITTED
    ]  # fmt: skip
    assert all(event.facts["suite"] == "mild" and event.facts["language"] == "de" for event in events)
    assert TemplateVersion.objects.get().author == emil
