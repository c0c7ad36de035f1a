"""Agreement from the database: the same as from the labels themselves, whatever the campaigns look like."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.agreement import campaign_report
from annotation.agreement.campaign_report import agreement_now, current_report, measure
from annotation.agreement.suite_report import suite_agreement
from annotation.labels.vote_counting import vote_patterns
from annotation.measures.coefficients import fleiss_kappa, fleiss_kappa_unequal
from annotation.models import AgreementReport, Assignment
from core.jobs.services import perform
from core.models import Job
from tests.annotation.factories import make_suite
from tests.annotation.managing_factories import gold_votes, label_cases
from tests.html import one_line

pytestmark = pytest.mark.django_db
LABELS = ["hateful", "non-hateful"]


@pytest.fixture
def suite():
    return make_suite(raters=3, threshold=2)


def test_a_suite_without_labels_has_no_agreement_and_says_why(suite):
    found = suite_agreement(suite)
    assert (found["cases"], found["fleiss_kappa"], found["by"]) == (0, None, {})
    assert found["fleiss_kappa_reason"] == "No case has been labelled yet."


def test_one_label_everywhere_is_undefined_not_perfect(suite):
    label_cases(suite, {key: ["hateful"] * 3 for key in gold_votes(suite)})
    found = suite_agreement(suite, by="functionality")
    assert found["fleiss_kappa"] is None
    assert "All labels are the same" in found["fleiss_kappa_reason"]
    assert all(part["fleiss_kappa"] is None and part["fleiss_kappa_reason"] for part in found["by"].values())


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_the_database_counts_as_the_formula_does(suite, data):
    votes = {
        key: data.draw(st.lists(st.sampled_from(LABELS), min_size=3, max_size=3)) for key in list(gold_votes(suite))[:8]
    }
    campaign = label_cases(suite, votes, title=f"Labels {abs(hash(str(votes)))}")
    table = [[given.count(label) for label in LABELS] for given in votes.values()]
    patterns, cases = vote_patterns([campaign.pk], LABELS)
    found, expected = fleiss_kappa(patterns, cases_per_row=cases), fleiss_kappa(table)
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert found.reason == expected.reason
    assert cases.sum() == len(votes)
    assert (patterns.sum(axis=1) == 3).all()


def test_unequal_numbers_of_labels_are_measured_and_said(suite):
    votes = gold_votes(suite)
    keys = list(votes)
    votes[keys[0]] = ["hateful", "non-hateful"]
    votes[keys[1]] = ["hateful"]
    label_cases(suite, votes)
    found = suite_agreement(suite)
    table = [[given.count(label) for label in LABELS] for given in votes.values()]
    assert (found["raters"], found["fewest_labels"], found["most_labels"]) == (None, 1, 3)
    assert "unequal" in found["measure"]
    assert found["fleiss_kappa"] == pytest.approx(fleiss_kappa_unequal(table).value, abs=1e-12)


def test_below_the_threshold_counts_the_newest_round(suite):
    votes = gold_votes(suite)
    first = next(iter(votes))
    votes[first] = ["hateful", "non-hateful", "non-hateful"]
    label_cases(suite, votes)
    assert suite_agreement(suite)["below_threshold"] == 1
    label_cases(suite, {first: ["hateful", "hateful", "hateful"]}, title="Again")
    found = suite_agreement(suite)
    assert (found["below_threshold"], found["cases"], found["most_labels"]) == (0, len(votes), 6)


def test_a_round_too_small_for_the_suite_is_not_below_its_threshold(suite):
    votes = gold_votes(suite)
    label_cases(suite, votes)
    first = next(iter(votes))
    label_cases(suite, {first: votes[first][:1]}, title="One label")
    assert suite_agreement(suite)["below_threshold"] == 0


def test_the_number_of_queries_does_not_depend_on_the_labels(suite, django_assert_max_num_queries):
    label_cases(suite, gold_votes(suite))
    for by in ("functionality", "language", "group", "annotator"):
        with django_assert_max_num_queries(5):
            found = suite_agreement(suite, by=by, draws=10)
        assert found["by"] or by == "group"


def test_called_off_campaigns_do_not_count(suite):
    campaign = label_cases(suite, gold_votes(suite))
    type(campaign).objects.filter(pk=campaign.pk).update(state="cancelled")
    assert suite_agreement(suite)["cases"] == 0


def test_a_campaign_is_measured_again_only_when_labels_changed(suite, django_assert_num_queries):
    campaign = label_cases(suite, gold_votes(suite))
    first = current_report(campaign)
    assert first is not None
    assert first.values["overall"]["fleiss_kappa"] == 1
    with django_assert_num_queries(2):
        assert current_report(campaign).pk == first.pk
    assert AgreementReport.objects.count() == 1
    assert [point["kappa"] for point in first.values["curve"]] == [1]


def test_a_large_campaign_is_measured_by_one_job_while_the_last_measurement_is_shown(suite, monkeypatch):
    monkeypatch.setattr(campaign_report, "MEASURED_AT_ONCE", 10)
    campaign = label_cases(suite, gold_votes(suite))
    assert current_report(campaign) is None
    assert current_report(campaign) is None
    job = Job.objects.get()
    perform(job.key, worker="here")
    first = current_report(campaign)
    assert first.values["overall"]["fleiss_kappa"] == 1
    Assignment.objects.filter(pk=Assignment.objects.first().pk).update(label="non-hateful", done_at=timezone.now())
    assert current_report(campaign).pk == first.pk
    assert Job.objects.unfinished().count() == 1


def test_kappa_is_there_at_once_though_a_large_campaign_is_not_measured_yet(suite, monkeypatch, mira, client):
    monkeypatch.setattr(campaign_report, "MEASURED_AT_ONCE", 10)
    campaign = label_cases(suite, gold_votes(suite))
    assert agreement_now(campaign) == {"labels": 72, "fleiss_kappa": 1, "fleiss_kappa_reason": ""}
    client.force_login(mira)
    shown = one_line(client.get(campaign.get_absolute_url()).content.decode())
    assert "On 72 labels. The interval is being measured." in shown


def test_kappa_over_time_has_points_though_nobody_looked_in_between(suite):
    campaign = label_cases(suite, gold_votes(suite))
    start = timezone.now() - timedelta(days=5)
    for number, slot in enumerate(Assignment.objects.order_by("item_id", "slot")):
        Assignment.objects.filter(pk=slot.pk).update(done_at=start + timedelta(hours=number))
    curve = current_report(campaign).values["curve"]
    assert len(curve) == 30
    assert (curve[-1]["labels"], curve[-1]["kappa"]) == (24 * 3, 1)
    assert curve[0]["time"] < curve[-1]["time"]


def test_somebody_who_differs_from_the_others_stands_out(suite):
    votes = gold_votes(suite)
    for row in votes.values():
        row[2] = "hateful" if row[0] == "non-hateful" else "non-hateful"
    values = measure(label_cases(suite, votes))
    outliers = [row for row in values["annotators"] if row["is_outlier"]]
    assert len(outliers) == 1
    assert outliers[0]["with_gold"] == 0
    assert "usual" in outliers[0]["warnings"][-1]
    assert values["second_opinion"]["reason"] == ""
    assert sum(cases for _, cases in values["votes"]) == len(votes)
