"""Review: never by the author, one decision, and what it does to the cases."""

import pytest

from core.errors import BadInput, ChangedMeanwhile, NotAllowed, WrongState
from curation.authoring.bulk_editing import change_many
from curation.authoring.case_changes import change_by
from curation.authoring.reviewing import approve_version, comment_on, reject_version, waiting_for
from curation.authoring.services import save_draft, submit_version
from curation.authoring.wording_checks import VariantText
from curation.cases.generating import generate_cases
from curation.models import Form, TemplateVersion, TestCase
from tests.curation.authoring.factories import approve_template, make_suite, newest, write_template

pytestmark = pytest.mark.django_db
PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def suite():
    return make_suite()


@pytest.fixture
def submitted(suite, emil):
    return submit_version(newest(write_template(suite, PLURAL, by=emil)), by=emil)


def test_somebody_else_approves(submitted, mira):
    version = approve_version(submitted, by=mira)
    assert (version.state, version.reviewer) == ("approved", mira)
    assert version.decided_at is not None


def test_the_author_cannot_approve(submitted, emil):
    with pytest.raises(NotAllowed, match="Another person"):
        approve_version(submitted, by=emil)


def test_whoever_changed_the_draft_cannot_approve_it(suite, emil, mira, max_):
    template = write_template(suite, PLURAL, by=emil)
    save_draft(template, [VariantText("", "Ich meide [identity:Number=Plur].")], by=mira)
    version = submit_version(newest(template), by=emil)
    with pytest.raises(NotAllowed, match="You wrote"):
        approve_version(version, by=mira)
    assert approve_version(version, by=max_).state == "approved"


def test_a_hand_in_an_earlier_version_does_not_count(suite, emil, mira):
    template = write_template(suite, PLURAL, by=mira)
    approve_template(template, author=mira, reviewer=emil)
    save_draft(template, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    assert approve_version(submit_version(newest(template), by=emil), by=mira).number == 2


def test_strangers_do_not_review(submitted, ana, vic):
    for person in (ana, vic):
        with pytest.raises(NotAllowed, match="language expert"):
            approve_version(submitted, by=person)


def test_a_draft_cannot_be_approved(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    with pytest.raises(WrongState):
        approve_version(newest(template), by=mira)


def test_two_reviewers_at_once_decide_once(submitted, mira, max_):
    twin = TemplateVersion.objects.select_related("template__suite", "template__language").get(pk=submitted.pk)
    reject_version(submitted, by=mira, reason="Too long.")
    with pytest.raises(ChangedMeanwhile):
        approve_version(twin, by=max_)
    twin.refresh_from_db()
    assert twin.state == "rejected"


def test_rejecting_needs_a_reason(submitted, mira):
    with pytest.raises(BadInput, match="Say why"):
        reject_version(submitted, by=mira, reason=" ")
    assert reject_version(submitted, by=mira, reason="Not idiomatic.").reason == "Not idiomatic."


def test_after_a_rejection_the_author_goes_on_with_a_new_version(submitted, emil, mira):
    reject_version(submitted, by=mira, reason="Not idiomatic.")
    draft = save_draft(submitted.template, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    assert (draft.number, draft.state) == (2, "draft")


def test_a_new_approved_wording_replaces_the_old_one_and_its_cases(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    first = approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    assert TestCase.objects.in_use().count() == 2
    save_draft(template, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    second = submit_version(newest(template), by=emil)
    change = change_by(second)
    assert [text for text, _ in change.added] == ["Ich meide Frauen.", "Ich meide Muslime."]
    assert [case.text for case in change.removed] == ["Ich mag Frauen nicht.", "Ich mag Muslime nicht."]
    approve_version(second, by=mira)
    first.refresh_from_db()
    assert first.state == "superseded"
    assert TestCase.objects.in_use().count() == 0
    generate_cases(suite, by=mira)
    assert set(TestCase.objects.in_use().values_list("text", flat=True)) == {"Ich meide Frauen.", "Ich meide Muslime."}


def test_cases_come_back_with_their_wording(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    before = set(TestCase.objects.values_list("key", "text"))
    for text in ("Ich meide [identity:Number=Plur].", PLURAL):
        save_draft(template, [VariantText("", text)], by=emil)
        approve_template(template, author=emil, reviewer=mira)
    assert set(TestCase.objects.in_use().values_list("key", "text")) == before


def test_a_case_that_comes_back_with_its_wording_is_still_excluded_if_it_was(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    excluded = TestCase.objects.first()
    excluded.exclusions.create(reason="adjudication", because_of=excluded.key)
    TestCase.objects.filter(pk=excluded.pk).update(state="excluded")
    for text in ("Ich meide [identity:Number=Plur].", PLURAL):
        save_draft(template, [VariantText("", text)], by=emil)
        approve_template(template, author=emil, reviewer=mira)
    assert {case.key: case.state for case in TestCase.objects.all()} == {
        case.key: "excluded" if case == excluded else "ready" for case in TestCase.objects.all()
    }


def test_a_word_left_out_keeps_the_other_cases(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    Form.objects.filter(entry__key="frau", features__contains="Plur").delete()
    save_draft(template, [VariantText("", "Ich mag [identity:Number=Plur]  nicht.")], by=emil)
    save_draft(template, [VariantText("", PLURAL)], by=emil)
    approve_template(template, author=emil, reviewer=mira)
    assert list(TestCase.objects.in_use().values_list("text", flat=True)) == ["Ich mag Muslime nicht."]


def test_comments_stay_with_the_version(submitted, emil, mira):
    comment_on(submitted, by=mira, text="Is this said?")
    comment_on(submitted, by=emil, text="Yes, often.")
    assert [comment.text for comment in submitted.comments.all()] == ["Is this said?", "Yes, often."]
    with pytest.raises(BadInput, match="empty"):
        comment_on(submitted, by=mira, text="  ")


def test_strangers_do_not_comment(submitted, ana):
    with pytest.raises(NotAllowed):
        comment_on(submitted, by=ana, text="Hello")


def test_the_queue_shows_what_waits_in_own_languages(submitted, emil, mira, suite):
    assert list(waiting_for(emil)) == [submitted]
    assert list(waiting_for(mira)) == [submitted]
    emil.grants.update(language="fr")
    del emil.__dict__["role_grants"]
    assert list(waiting_for(emil)) == []


def test_many_at_once_stand_or_fall_one_by_one(suite, emil, mira):
    good = write_template(suite, PLURAL, by=emil)
    bad = write_template(suite, "Ich mag [identty].", by=emil)
    report = change_many([good, bad], "submit", by=emil)
    assert report.done == 1
    assert report.refused[0][0] == bad
    assert change_many([good, bad], "approve", by=emil).done == 0
    assert change_many([good, bad], "approve", by=mira).done == 1
    changed = change_many([good, bad], "functionality", by=emil, value="ident_neutral_nh")
    assert changed.done == 2
    assert change_many([good, bad], "direction", by=emil, value=" general ").done == 2
    bad.refresh_from_db()
    assert (bad.functionality.key, bad.direction) == ("ident_neutral_nh", "general")
