"""What a release says about its labels: agreement, people, pay, guidelines. Aggregates only, never a person."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db.models import Count, Max, Min, Q, Sum

from annotation.agreement.suite_report import SEED, labels_of
from annotation.campaigns.models import CampaignState
from annotation.labelling.models import AssignmentQuerySet
from annotation.labels.imported import PLATFORM
from annotation.labels.labelled_cases import UNIDENTIFIED, campaigns_about
from annotation.labels.vote_counting import TemplatePatterns, patterns_by_language
from annotation.measures.coefficients import fleiss_kappa, krippendorff_alpha
from annotation.measures.intervals import fleiss_interval
from annotation.models import Assignment, Campaign, DemographicAnswer
from curation.models import Suite
from curation.publishing.demographics import SMALLEST_SHOWN

WELLBEING = (
    "People were warned of the content and agreed to it before they began, set a daily limit and breaks for "
    "themselves, could cover each text until they were ready, skip any text, and leave at any time without loss."
)


def facts_about_labels(suite: Suite) -> dict[str, Any]:
    """Facts about the labels of closed campaigns. Campaigns that still run are not part of a release."""
    campaigns = [campaign for campaign in campaigns_about(suite) if campaign.state == CampaignState.CLOSED]
    given = Assignment.objects.filter(campaign__in=[one.pk for one in campaigns], label__isnull=False)
    is_person = Q(annotator__is_identified=True)
    span = given.aggregate(
        first=Min("done_at"),
        last=Max("done_at"),
        people=Count("annotator", distinct=True, filter=is_person),
        labels=Count("id"),
    )
    if not span["labels"]:
        return {}
    made_here = given.exclude(annotator__platform=PLATFORM).exists()
    return {
        "agreement": _agreement(suite, campaigns),
        "annotators": span["people"] or None,
        UNIDENTIFIED: _unidentified(given.exclude(is_person)),
        "campaigns": len(campaigns),
        "demographics": _demographics(campaigns),
        "pay": _pay(campaigns),
        "wellbeing": WELLBEING if made_here else "",
        # Labels that were made elsewhere have no time of their own.
        "labelled_from": span["first"].date().isoformat() if span["first"] and made_here else "",
        "labelled_until": span["last"].date().isoformat() if span["last"] and made_here else "",
        "guidelines": _guidelines(campaigns),
    }


def _unidentified(labels: AssignmentQuerySet) -> dict[str, int] | None:
    """How many labels were given by people whom their source does not identify, and how many a case has of them."""
    per_case = labels.order_by().values("item__case").annotate(labels=Count("id"))
    found = per_case.aggregate(all=Sum("labels"), fewest=Min("labels"), most=Max("labels"))
    return {"labels": found["all"], "fewest": found["fewest"], "most": found["most"]} if found["all"] else None


def _agreement(suite: Suite, campaigns: Sequence[Campaign]) -> list[dict[str, Any]]:
    parts = patterns_by_language([one.pk for one in campaigns], labels_of(suite, campaigns))
    if not parts:
        return []
    everything = TemplatePatterns(*(np.concatenate(columns) for columns in zip(*parts.values(), strict=True)))
    return [_measured(part, found) for part, found in {"all": everything, **(parts if len(parts) > 1 else {})}.items()]


def _measured(part: str, found: TemplatePatterns) -> dict[str, Any]:
    patterns, cases, templates = found
    interval = fleiss_interval(patterns, templates.tolist(), cases_per_row=cases, seed=SEED)
    given = patterns.sum(axis=1)
    return {
        "part": part,
        "cases": int(cases.sum()),
        "raters": round(int((given * cases).sum()) / int(cases.sum())),
        "fewest_labels": int(given.min()),
        "most_labels": int(given.max()),
        "fleiss_kappa": fleiss_kappa(patterns, cases_per_row=cases).value,
        "fleiss_kappa_ci95": interval and list(interval),
        "krippendorff_alpha": krippendorff_alpha(np.repeat(patterns, cases, axis=0)).value,
    }


def _demographics(campaigns: Sequence[Campaign]) -> dict[str, dict[str, int]]:
    """Question by question, so that no person's set of answers can be seen.

    Answers have no link to people, so somebody in two campaigns counts twice. Whether a cell is too small to show must
    not depend on that: below the smallest number shown, the largest campaign's number stands for all.
    """
    counted: defaultdict[str, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    given = DemographicAnswer.objects.filter(campaign__in=campaigns).values_list("campaign_id", "answers")
    for campaign, answers in given:
        for question, answer in answers.items():
            counted[question][str(answer)][campaign] += 1
    return {
        question: {answer: _people(by_campaign) for answer, by_campaign in sorted(answers.items())}
        for question, answers in sorted(counted.items())
    }


def _people(by_campaign: Counter[int]) -> int:
    most = max(by_campaign.values())
    return most if most < SMALLEST_SHOWN else by_campaign.total()


def _pay(campaigns: Sequence[Campaign]) -> str:
    paid = [one for one in campaigns if one.pay_unit and one.pay_amount is not None]
    told = {f"{one.pay_amount.normalize():f} {one.pay_currency} per {one.pay_unit}" for one in paid if one.pay_amount}
    return "; ".join(sorted(told))


def _guidelines(campaigns: Sequence[Campaign]) -> list[dict[str, str]]:
    rows = (
        Campaign.objects.filter(pk__in=[one.pk for one in campaigns], guideline__isnull=False)
        .order_by("guideline__language__code", "guideline__version")
        .values_list("guideline__language__code", "guideline__version", "guideline__title")
        .distinct()
    )
    return [{"language": code, "version": str(version), "title": title} for code, version, title in rows]
