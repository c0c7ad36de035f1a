"""The demo's campaigns: three that are over and one in progress, labelled by invented annotators who slip."""

import hashlib
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.campaigns.closing import close_campaign
from annotation.campaigns.guidelines import load_guidelines
from annotation.campaigns.known_answers import add_examples
from annotation.campaigns.models import Mode, Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.labelling.models import Kind, SlotState
from annotation.models import Annotation, Annotator, Assignment, Campaign
from annotation.people.models import Participation, ParticipationState
from annotation.people.participation import annotator_for
from curation.demo import demo_fixture
from curation.models import Suite

PLATFORM = "demo"
LABELLED_OVER = timedelta(days=6)
PILOTS_AGO = timedelta(days=30)


@transaction.atomic
def load_demo_campaigns(by: User) -> None:
    """Label the pilots and close them; open one more and label part of it: the rest is left to try.

    Loading again changes nothing.
    """
    wanted = demo_fixture("suite")
    load_guidelines()
    suite = Suite.objects.get(key=wanted["suite"]["key"])
    known = set(suite.campaigns.values_list("key", flat=True))
    missing = [row for row in wanted["campaigns"] if row["key"] not in known]
    for row in missing:
        _load(suite, row, by=by)


def _load(suite: Suite, wanted: dict[str, Any], *, by: User) -> None:
    campaign = create_campaign(
        suite,
        title=wanted["title"],
        by=by,
        language=wanted["language"],
        key=wanted["key"],
        seed=1,
        mode=Mode.CROWD,
        invited_only=False,
        pass_mark=wanted.get("pass_mark"),
        batch_size=20,
        lease_minutes=30,
    )
    if examples := wanted.get("training_items"):
        add_examples(campaign, Role.TRAINING, examples, by=by)
        add_examples(campaign, Role.TEST, examples, by=by)
    open_campaign(campaign, by=by)
    started = timezone.now() - (PILOTS_AGO if wanted["is_closed"] else LABELLED_OVER)
    _label(campaign, share=wanted["labelled_share"], started=started)
    if wanted["is_closed"]:
        close_campaign(campaign, by=by)
        return
    for user in User.objects.filter(grants__role="annotator", email__endswith="@demo.example").distinct():
        Participation.objects.get_or_create(campaign=campaign, annotator=annotator_for(user))


def _label(campaign: Campaign, *, share: float, started: datetime) -> None:
    recipe = demo_fixture("labels")
    disputed = {row["template"]: row["slips_per_mille"] for row in recipe["disputed"]}
    annotators = [_annotator(campaign, row["pseudonym"]) for row in recipe["annotators"]]
    slips = {row["pseudonym"]: row["slips_per_mille"] for row in recipe["annotators"]}
    items = campaign.items.filter(role=Role.LABEL).order_by("position").values_list("pk", flat=True)
    chosen = list(items[: round(len(items) * share)])
    slots = list(
        Assignment.objects.filter(item__in=chosen)
        .select_related("item__case__functionality", "item__case__template")
        .order_by("item__position", "slot")
    )
    # Spread over days, so that pace and agreement over time have something to show.
    step = LABELLED_OVER / (len(slots) + 1)
    labels = []
    for given, slot in enumerate(slots, 1):
        case = slot.item.case
        assert case is not None
        annotator = annotators[slot.slot - 1]
        what = f"{annotator.pseudonym}:{case.key}"
        gold = case.gold_label
        limit = disputed.get(case.template.key if case.template else "", slips[annotator.pseudonym])
        slipped = _number(f"{recipe['seed']}:{what}") < limit
        flagged = _number(f"{recipe['seed']}:unrealistic:{what}") < recipe["unrealistic_per_mille"]
        slot.annotator, slot.state, slot.done_at = annotator, SlotState.DONE, started + given * step
        slot.label = next(one for one in campaign.labels if one != gold) if slipped else gold
        labels.append(
            Annotation(
                assignment=slot,
                annotator=annotator,
                client_id=f"demo-{slot.pk}",
                kind=Kind.LABEL,
                label=slot.label,
                is_unrealistic=flagged,
                unrealistic_because="Nobody would say this" if flagged else "",
                milliseconds=1500 + _number(f"time:{what}") * 6,
                created_at=slot.done_at,
            )
        )
    for slot in slots:  # one by one is faster than bulk_update, which builds a CASE of hundreds of branches
        Assignment.objects.filter(pk=slot.pk).update(
            annotator=slot.annotator, state=slot.state, label=slot.label, done_at=slot.done_at
        )
    Annotation.objects.bulk_create(labels, batch_size=200)
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=started)


def _annotator(campaign: Campaign, pseudonym: str) -> Annotator:
    annotator, _is_new = Annotator.objects.get_or_create(
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
