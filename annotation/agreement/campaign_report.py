"""What the labels of one campaign say so far: agreement, people, a second opinion."""

from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any, cast

import numpy as np
from django.db.models import Count, Max
from django.utils import timezone

from annotation.agreement.suite_report import summary_json
from annotation.campaigns.models import CampaignState
from annotation.labels.imported import PLATFORM
from annotation.labels.labelled_cases import WHY_NO_PEOPLE, LabelledCases, has_unidentified, read_labelled
from annotation.labels.vote_counting import vote_patterns
from annotation.measures.coefficients import Counts, fleiss_kappa, krippendorff_alpha
from annotation.measures.curve import GivenLabel, kappa_curve
from annotation.measures.dawid_skene import SecondOpinion, dawid_skene
from annotation.measures.quality import AnnotatorQuality, TimedLabel, rate_annotators
from annotation.measures.votes import Vote, VoteTable, majority_labels, split_table, vote_distribution
from annotation.models import AgreementReport, Annotator, Assignment, Campaign
from annotation.questions import Question, question_of
from core.jobs.services import request_job
from core.models import Job
from core.text import _

FRESH_FOR = timedelta(seconds=60)
MEASURE = "annotation.measure_campaign"
MEASURED_AT_ONCE = 20_000  # labels: about a second
LARGE_FRESH_FOR = timedelta(minutes=10)
ONE_KEPT_EVERY = timedelta(minutes=30)
FEWEST_FOR_OUTLIER = 20
CLEARLY_LESS = 0.15
SECOND_OPINIONS_SHOWN = 50
MEMBERS = {"curve", "annotators_reason"}  # which measurements of earlier versions lack


def current_report(campaign: Campaign, *, now: datetime | None = None) -> AgreementReport | None:
    """Agreement as it stands: the last measurement while no label was added since, else a new one; None without labels.

    While people label, a measurement is good for a minute, and one is kept every half hour. A large campaign is
    measured by a job, so that nobody waits: until then the last measurement is returned, or None.
    """
    now = now or timezone.now()
    newest = campaign.agreement_reports.order_by("-measured_at", "-id").first()
    count, last = _given_until_now(campaign)
    if not count:
        return None
    if newest is not None:
        same = (
            newest.labels == count and newest.values.get("last_label") == _iso(last) and newest.values.keys() >= MEMBERS
        )
        fresh_for = FRESH_FOR if count <= MEASURED_AT_ONCE else LARGE_FRESH_FOR
        if same or (campaign.state == CampaignState.OPEN and now - newest.measured_at < fresh_for):
            return newest
    if count > MEASURED_AT_ONCE:
        request_measurement(campaign)
        return newest
    return keep_measurement(campaign, now=now)


def request_measurement(campaign: Campaign) -> None:
    """Have a large campaign measured in the background; asking again while that waits changes nothing."""
    waiting = Job.objects.unfinished().filter(kind=MEASURE, payload={"campaign": campaign.key})
    if not waiting.exists():
        request_job(
            MEASURE,
            {"campaign": campaign.key},
            title=_("Measure agreement on “%(campaign)s”", campaign=campaign.title),
            by=None,
        )


def keep_measurement(campaign: Campaign, *, now: datetime) -> AgreementReport:
    """Measure and keep the result; within half an hour it takes the place of the one before."""
    count, last = _given_until_now(campaign)
    values = measure(campaign) | {"last_label": _iso(last)}
    newest = campaign.agreement_reports.order_by("-measured_at", "-id").first()
    if newest is not None and now - newest.measured_at < ONE_KEPT_EVERY:
        AgreementReport.objects.filter(pk=newest.pk).update(labels=count, values=values, measured_at=now)
        newest.refresh_from_db()
        return newest
    return AgreementReport.objects.create(campaign=campaign, labels=count, values=values, measured_at=now)


def agreement_now(campaign: Campaign) -> dict[str, Any]:
    """Kappa of every label given until this moment, counted by the database in one pass: {labels, fleiss_kappa, ...}.

    What a measurement adds to it (intervals, people, the second opinion) takes longer and may be some minutes old.
    """
    patterns, cases = vote_patterns([campaign.pk], campaign.labels)
    given = int(cases @ patterns.sum(axis=1))
    kappa = fleiss_kappa(_counted(question_of(campaign), patterns, campaign.labels), cases_per_row=cases)
    return {"labels": given, "fleiss_kappa": kappa.value, "fleiss_kappa_reason": kappa.reason}


def _given_until_now(campaign: Campaign) -> tuple[int, datetime | None]:
    state = Assignment.objects.filter(campaign=campaign, label__isnull=False).aggregate(
        labels=Count("id"), last=Max("done_at")
    )
    return state["labels"], state["last"]


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def measure(campaign: Campaign) -> dict[str, Any]:
    """All measures of a campaign as plain values. A scale is cut in two first, and its alpha is ordinal as well."""
    question = question_of(campaign)
    raw = read_labelled([campaign], campaign.labels)
    labels = question.counted_labels
    # The right label of each case; "" where the question knows none.
    gold = {case: question.wanted(facts.gold) or "" for case, facts in raw.facts.items()}
    facts = {case: one._replace(gold=gold[case]) for case, one in raw.facts.items()}
    table, standing = (
        VoteTable(one.cases, tuple(labels), _counted(question, one.counts, one.labels))
        for one in (raw.table, raw.standing)
    )
    labelled = LabelledCases(table, standing, facts, raw.items)
    groups = {case: (facts.functionality,) for case, facts in labelled.facts.items()}
    votes, timed, given = _votes(campaign, labelled)
    quality = rate_annotators(timed, gold={case: label for case, label in gold.items() if label})
    why_no_people = WHY_NO_PEOPLE if has_unidentified([campaign]) else ""
    opinion = SecondOpinion(tuple(labels), reason=why_no_people) if why_no_people else dawid_skene(votes, labels=labels)
    values = {
        "labels_asked": list(labels),
        "overall": summary_json(table, labelled, threshold=campaign.threshold),
        "by_functionality": {
            key: summary_json(part, labelled, threshold=campaign.threshold)
            for key, part in sorted(split_table(table, groups).items())
        },
        "votes": [[list(pattern), cases] for pattern, cases in vote_distribution(table.counts).items()],
        "annotators": _annotators(quality),
        "annotators_reason": why_no_people,
        "second_opinion": _second_opinion(opinion, table, labelled, gold),
        "curve": [
            {"time": _iso(point.time), "labels": point.labels, "kappa": point.kappa}
            for point in kappa_curve(given, labels=labels)
        ],
    }
    if question.is_ordinal:
        alpha = krippendorff_alpha(raw.table.counts, level="ordinal")
        values["ordinal_alpha"] = {"value": alpha.value, "reason": alpha.reason}
    return values


def _counted(question: Question, counts: Counts, labels: Sequence[str]) -> Counts:
    """Add up the columns of labels that count as the same one."""
    counted = [question.counted(label) for label in labels]
    columns = [[place for place, one in enumerate(counted) if one == label] for label in question.counted_labels]
    return np.column_stack([counts[:, column].sum(axis=1) for column in columns])


def _votes(
    campaign: Campaign, labelled: LabelledCases
) -> tuple[list[Vote[int]], list[TimedLabel], list[GivenLabel[datetime | None]]]:
    """Every label in the order it was given; seconds are those the text was looked at."""
    rows = (
        Assignment.objects.filter(campaign=campaign, label__isnull=False)
        .order_by("done_at", "id")
        .values_list("item_id", "annotator_id", "label", "done_at", Max("annotations__milliseconds"))
    )
    question = question_of(campaign)
    votes, timed, given = [], [], []
    for item, annotator, label, done_at, milliseconds in rows.iterator(chunk_size=5000):
        case = labelled.items.get(item)
        if case is not None and annotator is not None:
            counted = question.counted(label or "")
            votes.append(Vote(case, annotator, counted))
            timed.append(TimedLabel(case, annotator, counted, None if milliseconds is None else milliseconds / 1000))
            given.append(GivenLabel(case, counted, done_at))
    return votes, timed, given


def _annotators(quality: Mapping[Hashable, AnnotatorQuality]) -> list[dict[str, Any]]:
    """Rate people. A place in a list of labels is none: it took part in the majority of the others, and that is all."""
    people = {person.pk: person for person in Annotator.objects.filter(pk__in=list(quality), is_identified=True)}
    quality = {annotator: one for annotator, one in quality.items() if annotator in people}
    usual_with_others = _middle([one.with_majority for one in quality.values()])
    usual_with_gold = _middle([one.with_gold for one in quality.values()])
    found = []
    for annotator, one in quality.items():
        person = people[cast(int, annotator)]
        # Labels made elsewhere come in the order of a file: runs of one label say nothing about the person.
        warnings = [] if person.platform == PLATFORM else list(one.warnings)
        standing_out: list[str] = []
        if low := _clearly_less(one.with_majority, one.with_majority_of, usual_with_others):
            standing_out.append(
                _("Agrees with the other annotators on %(percent)s%% of the cases; %(usual)s%% is usual", **low)
            )
        if low := _clearly_less(one.with_gold, one.with_gold_of, usual_with_gold):
            standing_out.append(
                _("Agrees with the gold label on %(percent)s%% of the cases; %(usual)s%% is usual", **low)
            )
        warnings += standing_out
        found.append(
            {
                "annotator": person.pseudonym,
                "labels": one.labels,
                "with_gold": one.with_gold,
                "with_gold_of": one.with_gold_of,
                "with_majority": one.with_majority,
                "with_majority_of": one.with_majority_of,
                "median_seconds": one.median_seconds,
                "is_outlier": bool(standing_out),
                "warnings": warnings,
            }
        )
    return sorted(found, key=lambda row: row["annotator"])


def _clearly_less(share: float | None, of: int, usual: float | None) -> dict[str, int]:
    """An annotator's share and the usual one in percent, where it is clearly less and rests on enough cases."""
    if share is None or usual is None or of < FEWEST_FOR_OUTLIER or share >= usual - CLEARLY_LESS:
        return {}
    return {"percent": round(100 * share), "usual": round(100 * usual)}


def _middle(shares: Sequence[float | None]) -> float | None:
    """The median; None with fewer than three people, where nobody can stand out."""
    known = [share for share in shares if share is not None]
    return median(known) if len(known) >= 3 else None


def _second_opinion(
    opinion: SecondOpinion[int], table: VoteTable[int], labelled: LabelledCases, gold: Mapping[int, str]
) -> dict[str, Any]:
    """Where weighing people by their reliability says something else than counting heads."""
    majority = majority_labels(table)
    differs = [case for case in opinion.probabilities if opinion.label_of(case) != majority.get(case)]
    against_gold = [case for case in opinion.probabilities if gold[case] and opinion.label_of(case) != gold[case]]
    probability = {case: max(opinion.probabilities[case]) for case in differs}
    shown = sorted(differs, key=lambda case: -probability[case])[:SECOND_OPINIONS_SHOWN]
    return {
        "reason": opinion.reason,
        "is_settled": opinion.is_settled,
        "cases": len(opinion.probabilities),
        "against_majority": len(differs),
        "against_gold": len(against_gold),
        "differs": [
            {
                "case": labelled.facts[case].key,
                "majority": majority.get(case) or "",
                "opinion": opinion.label_of(case) or "",
                "probability": probability[case],
            }
            for case in shown
        ],
    }
