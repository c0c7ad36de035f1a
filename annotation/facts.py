"""What a release says about its labels: agreement, people, pay, guidelines. Aggregates only, never a person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Max, Min

from annotation.models import Assignment, Campaign, DemographicAnswer
from annotation.models.campaigns import CampaignState
from annotation.services.agreement_report import agreement_on
from annotation.services.importing_labels import PLATFORM
from annotation.services.labelled_cases import campaigns_about
from curation.models import Suite

WELLBEING = (
    "People were warned of the content and agreed to it before they began, set a daily limit and breaks for "
    "themselves, could cover each text until they were ready, skip any text, and leave at any time without loss."
)


def facts_about_labels(suite: Suite) -> dict[str, Any]:
    """Facts about the labels of closed campaigns. Campaigns that still run are not part of a release."""
    campaigns = [campaign for campaign in campaigns_about(suite) if campaign.state == CampaignState.CLOSED]
    given = Assignment.objects.filter(campaign__in=[one.pk for one in campaigns], label__isnull=False)
    span = given.aggregate(
        first=Min("done_at"), last=Max("done_at"), people=Count("annotator", distinct=True), labels=Count("id")
    )
    if not span["labels"]:
        return {}
    made_here = given.exclude(annotator__platform=PLATFORM).exists()
    return {
        "agreement": _agreement(suite, campaigns),
        "annotators": span["people"],
        "demographics": _demographics(campaigns),
        "pay": _pay(campaigns),
        "wellbeing": WELLBEING if made_here else "",
        # Labels that were made elsewhere have no time of their own.
        "labelled_from": span["first"].date().isoformat() if span["first"] and made_here else "",
        "labelled_until": span["last"].date().isoformat() if span["last"] and made_here else "",
        "guidelines": _guidelines(campaigns),
    }


def _agreement(suite: Suite, campaigns: Sequence[Campaign]) -> list[dict[str, Any]]:
    found = agreement_on(suite, campaigns, by="language", draws=0)
    parts = {"all": found, **(found["by"] if len(found["by"]) > 1 else {})}
    return [
        {
            "part": part,
            "cases": values["cases"],
            "raters": values["raters"] or round(values["labels"] / values["cases"]),
            "fleiss_kappa": values["fleiss_kappa"],
            "krippendorff_alpha": values["krippendorff_alpha"],
        }
        for part, values in parts.items()
    ]


def _demographics(campaigns: Sequence[Campaign]) -> dict[str, dict[str, int]]:
    """Question by question, so that no person's set of answers can be seen."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for answers in DemographicAnswer.objects.filter(campaign__in=campaigns).values_list("answers", flat=True):
        for question, answer in answers.items():
            counted[question][str(answer)] += 1
    return {question: dict(sorted(answers.items())) for question, answers in sorted(counted.items())}


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
