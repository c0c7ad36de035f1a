"""The demo's campaign: English cases, labelled to four fifths by invented annotators who slip, always alike."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.models import Annotation, Annotator, Assignment, Campaign
from annotation.models.annotations import Kind
from annotation.models.campaigns import Mode, Role
from annotation.models.participation import Participation, ParticipationState
from annotation.models.slots import SlotState
from annotation.services.campaigns import create_campaign
from annotation.services.guidelines import load_guidelines
from annotation.services.items import add_examples
from annotation.services.opening import open_campaign
from annotation.services.participation import annotator_for
from curation.models import Language, Suite

PLATFORM = "demo"


def _fixture(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((settings.FIXTURES / "demo" / f"{name}.json").read_text(encoding="utf-8"))
    return found


@transaction.atomic
def load_demo_campaign(by: User) -> Campaign:
    """Open the demo's campaign and label part of it; the rest is left to try. Loading again changes nothing."""
    wanted = _fixture("suite")["campaign"]
    load_guidelines()
    found = Campaign.objects.filter(key=wanted["key"]).first()
    if found is not None:
        return found
    campaign = create_campaign(
        Suite.objects.get(key=wanted["suite"]),
        title=wanted["title"],
        by=by,
        language=Language.objects.get(code=wanted["language"]),
        key=wanted["key"],
        seed=1,
        raters=wanted["raters"],
        threshold=wanted["threshold"],
        mode=Mode.CROWD,
        invited_only=False,
        pass_mark=wanted["pass_mark"],
        batch_size=wanted["batch_size"],
        lease_minutes=wanted["lease_minutes"],
    )
    add_examples(campaign, Role.TRAINING, wanted["training_items"], by=by)
    add_examples(campaign, Role.TEST, wanted["training_items"], by=by)
    open_campaign(campaign, by=by)
    _label(campaign, share=wanted["labelled_share"])
    for user in User.objects.filter(grants__role="annotator", email__endswith="@demo.example").distinct():
        Participation.objects.get_or_create(campaign=campaign, annotator=annotator_for(user))
    return campaign


def _label(campaign: Campaign, *, share: float) -> None:
    recipe = _fixture("labels")
    disputed = {row["template"]: row["slips_per_mille"] for row in recipe["disputed"]}
    annotators = [_annotator(campaign, row["pseudonym"]) for row in recipe["annotators"]]
    slips = {row["pseudonym"]: row["slips_per_mille"] for row in recipe["annotators"]}
    items = list(
        campaign.items.filter(role=Role.LABEL)
        .select_related("case__functionality", "case__template")
        .order_by("position")
    )
    now = timezone.now()
    for item in items[: round(len(items) * share)]:
        case = item.case
        assert case is not None
        template = case.template.key if case.template else ""
        for slot in item.assignments.order_by("slot"):
            annotator = annotators[slot.slot - 1]
            limit = disputed.get(template, slips[annotator.pseudonym])
            gold = case.functionality.gold_label
            slipped = _number(f"{recipe['seed']}:{annotator.pseudonym}:{case.key}") < limit
            label = next(one for one in campaign.labels if one != gold) if slipped else gold
            flagged = (
                _number(f"{recipe['seed']}:unrealistic:{annotator.pseudonym}:{case.key}")
                < recipe["unrealistic_per_mille"]
            )
            Assignment.objects.filter(pk=slot.pk).update(
                annotator=annotator, state=SlotState.DONE, label=label, done_at=now
            )
            Annotation.objects.create(
                assignment=slot, annotator=annotator, client_id=f"demo-{slot.pk}", kind=Kind.LABEL, label=label,
                is_unrealistic=flagged, unrealistic_because="Nobody would say this" if flagged else "",
                milliseconds=1500 + _number(f"time:{annotator.pseudonym}:{case.key}") * 6, created_at=now,
            )  # fmt: skip


def _annotator(campaign: Campaign, pseudonym: str) -> Annotator:
    annotator, _ = Annotator.objects.get_or_create(
        pseudonym=pseudonym, defaults={"platform": PLATFORM, "external_id": pseudonym}
    )
    now = timezone.now()
    Participation.objects.get_or_create(
        campaign=campaign,
        annotator=annotator,
        defaults={
            "state": ParticipationState.ACTIVE,
            "consented_at": now,
            "guidelines_read_at": now,
            "trained_at": now,
            "qualified_at": now,
            "best_share": 1.0,
            "tries": 1,
            "demographics_given": True,
        },
    )
    return annotator


def _number(text: str) -> int:
    """A number below a thousand that depends on nothing but the text."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % 1000
