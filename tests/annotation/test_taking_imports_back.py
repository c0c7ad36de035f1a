"""An import of labels can be taken back: its labels stay stored and count nowhere; earlier verdicts count again."""

import pytest
from django.db import DatabaseError, transaction

from annotation.agreement.adjudicating import adjudicate
from annotation.agreement.deciding import apply_decision, preview_decision
from annotation.agreement.suite_report import suite_agreement
from annotation.annexes import label_annexes
from annotation.campaigns.choosing import Selection, matching_cases
from annotation.errors import NotInThisState
from annotation.facts import facts_about_labels
from annotation.labels.imported import imported_labels, take_in_labels
from annotation.labels.reversing import take_import_back
from annotation.labels.storing import import_label_file
from annotation.models import Annotation, ImportReversal
from core.errors import BadInput, NotAllowed
from curation.cases.verdicts import standing_verdicts
from curation.formats.values import LabelValue
from curation.models import CaseVerdict, Exclusion
from curation.publishing.values import ReleaseHead
from curation.releases.building import build_release
from curation.releases.services import request_release
from tests.annotation.factories import make_open_campaign, make_suite
from tests.annotation.managing_factories import gold_votes, label_cases

pytestmark = pytest.mark.django_db
FIRST = "small-0000-0"


@pytest.fixture
def suite():
    return make_suite(templates=2, per_template=2, raters=3, threshold=2)


def wrong_votes(suite, *keys):
    votes = gold_votes(suite)
    return votes | {key: ["non-hateful" if votes[key][0] == "hateful" else "hateful"] * 3 for key in keys}


def labelled(suite):
    return {verdict.key for verdict in standing_verdicts(suite) if verdict.verdict_id}


def test_labels_of_an_import_that_was_taken_back_count_nowhere(suite, mira):
    campaign = label_cases(suite, gold_votes(suite))
    apply_decision(suite, by=mira)
    assert set(suite.cases.values_list("state", flat=True)) == {"validated"}
    effect = take_import_back(campaign, by=mira, reason="Wrong file")
    assert (effect.labels, effect.annotators, effect.no_verdict, effect.earlier_verdict) == (12, 3, 4, 0)
    assert labelled(suite) == set()
    assert set(suite.cases.values_list("state", flat=True)) == {"ready"}
    assert suite_agreement(suite, draws=0)["labels"] == 0
    assert facts_about_labels(suite) == {}
    assert matching_cases(suite, None, Selection(only_unlabelled=True)).count() == 4
    assert Annotation.objects.filter(assignment__campaign=campaign).count() == 12
    assert (campaign.state, campaign.reversal.reason, campaign.reversal.made_by) == ("cancelled", "Wrong file", mira)


def test_the_verdict_of_earlier_labels_counts_again_and_the_decision_follows(suite, mira):
    label_cases(suite, gold_votes(suite), title="First")
    apply_decision(suite, by=mira)
    second = label_cases(suite, wrong_votes(suite, FIRST), title="Second")
    assert set(Exclusion.objects.standing().values_list("case__key", flat=True)) == {FIRST, "small-0000-1"}
    effect = take_import_back(second, by=mira, reason="Labelled with the wrong guideline")
    # Three cases had the same verdict before, so nothing about them changes.
    assert (effect.earlier_verdict, effect.unchanged, effect.restored, effect.left_out) == (1, 3, 2, 0)
    assert not Exclusion.objects.standing().exists()
    newest = CaseVerdict.objects.counting().get(case__key=FIRST)
    assert (newest.labels, newest.agreeing, newest.source) == (
        ["hateful"] * 3, 3, f"taken-back:campaign:{second.key}",
    )  # fmt: skip


def test_a_dry_run_says_the_same_and_changes_nothing(suite, mira):
    label_cases(suite, gold_votes(suite), title="First")
    apply_decision(suite, by=mira)
    second = label_cases(suite, wrong_votes(suite, FIRST), title="Second")
    before = (CaseVerdict.objects.count(), Exclusion.objects.standing().count())
    shown = take_import_back(second, by=mira, dry_run=True)
    second.refresh_from_db()
    assert (shown.restored, shown.dry_run, second.state) == (2, True, "closed")
    assert before == (CaseVerdict.objects.count(), Exclusion.objects.standing().count())
    assert not ImportReversal.objects.exists()
    done = take_import_back(second, by=mira, reason="As shown")
    assert (done.earlier_verdict, done.restored, done.labels) == (shown.earlier_verdict, shown.restored, shown.labels)


def test_labels_that_came_later_stay_what_counts(suite, mira):
    first = label_cases(suite, wrong_votes(suite, FIRST), title="First")
    label_cases(suite, gold_votes(suite), title="Second")
    effect = take_import_back(first, by=mira, reason="Wrong")
    assert (effect.unchanged, effect.earlier_verdict, effect.no_verdict) == (4, 0, 0)
    assert preview_decision(suite).going == {}


def test_two_imports_can_be_taken_back_in_any_order(suite, mira):
    first = label_cases(suite, gold_votes(suite), title="First")
    second = label_cases(suite, wrong_votes(suite, FIRST), title="Second")
    take_import_back(first, by=mira, reason="Wrong")
    assert labelled(suite) == set(gold_votes(suite))
    assert take_import_back(second, by=mira, reason="Wrong too").no_verdict == 4
    assert labelled(suite) == set()


def test_what_a_person_decided_about_a_case_stays(suite, mira):
    campaign = label_cases(suite, wrong_votes(suite, FIRST))
    case = suite.cases.get(key=FIRST)
    adjudicate(campaign, case, decision="keep", reason="They overlooked the irony", by=mira)
    effect = take_import_back(campaign, by=mira, reason="Wrong")
    assert (effect.decided, effect.no_verdict) == (1, 3)
    counts = CaseVerdict.objects.counting().get(case=case)
    assert (counts.adjudicated, counts.reason, counts.labels) == ("keep", "They overlooked the irony", [])


def test_a_release_that_was_built_before_keeps_its_labels(suite, mira):
    campaign = label_cases(suite, gold_votes(suite))
    build_release(request_release(suite, "1.0.0", by=None))
    head = ReleaseHead(suite=suite.key, version="1.0.0", title="Small", created="2026-01-01")
    before = list(next(iter(label_annexes(head))).rows)
    effect = take_import_back(campaign, by=mira, reason="Wrong")
    assert effect.releases == ("1.0.0",)
    assert list(next(iter(label_annexes(head))).rows) == before
    build_release(request_release(suite, "2.0.0", by=None, without_labels="include"))
    later = ReleaseHead(suite=suite.key, version="2.0.0", title="Small", created="2026-01-01")
    assert list(label_annexes(later)) == []


def test_the_same_file_can_be_imported_again(suite, mira, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(f"case_id,annotator,label\n{FIRST},bo,hateful\n")
    first = import_label_file(suite, path, by=mira)
    take_import_back(suite.campaigns.get(key=first["campaign"]), by=mira, reason="Too early")
    again = import_label_file(suite, path, by=mira)
    assert (again["new"], import_label_file(suite, path, by=mira)["new"]) == (1, 0)
    assert again["campaign"] != first["campaign"]
    assert labelled(suite) == {FIRST}


def test_labels_that_came_with_a_suite_can_be_taken_back_and_brought_again(suite, mira):
    labels = [LabelValue(FIRST, name, "hateful") for name in ("label_1", "label_2")]
    cases = dict(suite.cases.values_list("key", "id"))
    assert take_in_labels(suite, labels, case_ids=cases, by=None) == 2
    take_import_back(suite.campaigns.get(), by=mira, reason="Wrong")
    assert list(imported_labels(suite)) == []
    assert take_in_labels(suite, labels, case_ids=cases, by=None) == 2
    assert sorted(label.annotator for label in imported_labels(suite)) == ["label_1", "label_2"]


def test_only_imports_are_taken_back_once_with_a_reason_by_maintainers(suite, mira, emil):
    campaign = label_cases(suite, gold_votes(suite))
    with pytest.raises(NotAllowed):
        take_import_back(campaign, by=emil, reason="Wrong")
    with pytest.raises(BadInput, match="reason"):
        take_import_back(campaign, by=mira, reason="  ")
    take_import_back(campaign, by=mira, reason="Wrong")
    with pytest.raises(NotInThisState):
        take_import_back(campaign, by=mira, reason="Again")
    running = make_open_campaign(suite, mira)
    with pytest.raises(NotInThisState):
        take_import_back(running, by=mira, reason="Wrong")
    running.state = "closed"
    running.save()
    with pytest.raises(BadInput, match="not imported"):
        take_import_back(running, by=mira, reason="Wrong")


@pytest.mark.database
def test_the_record_of_a_reversal_cannot_be_changed(suite, mira):
    campaign = label_cases(suite, gold_votes(suite))
    take_import_back(campaign, by=mira, reason="Wrong")
    with pytest.raises(DatabaseError, match="for good"), transaction.atomic():
        ImportReversal.objects.update(reason="Right")


def test_the_page_of_a_case_says_that_its_labels_were_taken_back(suite, mira, client):
    campaign = label_cases(suite, gold_votes(suite))
    client.force_login(mira)
    page = f"/cases/{suite.key}/{FIRST}/"
    assert "The labels were taken back." not in client.get(page).content.decode()
    take_import_back(campaign, by=mira, reason="Wrong")
    assert "The labels were taken back." in client.get(page).content.decode()
