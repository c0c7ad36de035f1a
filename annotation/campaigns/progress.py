"""How far a campaign is: by person and by functionality, how fast it goes, and when it will be done."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import Count, Max, Q, TextField
from django.db.models.functions import Cast, Substr
from django.utils import timezone

from annotation.campaigns.models import NOT_YET, CampaignState, Mode, Role
from annotation.labelling.models import AssignmentQuerySet, SlotState
from annotation.models import Assignment, Campaign, Participation
from core.text import _, ngettext

DONE = Q(state=SlotState.DONE)
PACE_OVER = timedelta(days=7)
SHORTEST = timedelta(hours=1)
QUIET = timedelta(days=2)
DAYS_SHOWN = 60
NOT_RUNNING = {
    CampaignState.PAUSED: _("The campaign is paused."),
    CampaignState.CLOSING: _("The campaign is being closed."),
    CampaignState.CLOSED: _("The campaign is closed."),
    CampaignState.CANCELLED: _("The campaign was cancelled."),
}


@dataclass(frozen=True, slots=True)
class Pace:
    """Labels per day of late, and when the rest will be done at that pace; None with the reason where it is unknown."""

    per_day: float | None
    finishes: datetime | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PersonsProgress:
    """One annotator, under their pseudonym. `total` is None in a crowd, where annotators have no fixed share."""

    participation: Participation
    done: int
    total: int | None
    last: datetime | None
    needs_help: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FunctionalityProgress:
    key: str
    title: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    done: int
    total: int
    pace: Pace
    people: list[PersonsProgress]
    functionalities: list[FunctionalityProgress]
    days: list[tuple[date, int]]
    last: datetime | None

    @property
    def share(self) -> float | None:
        return self.done / self.total if self.total else None


def count_labels(campaigns: Sequence[Campaign]) -> dict[int, tuple[int, int]]:
    """Labels given and labels wanted by campaign, in one query; checks are not among them."""
    slots = Assignment.objects.filter(campaign__in=campaigns, item__role=Role.LABEL).values_list("campaign")
    rows = slots.annotate(done=Count("id", filter=DONE), total=Count("id"))
    return {campaign: (done, total) for campaign, done, total in rows}


def progress_of_campaign(campaign: Campaign, *, now: datetime | None = None) -> CampaignProgress:
    """Everything about the state of the work, in four queries."""
    now = now or timezone.now()
    slots = Assignment.objects.filter(campaign=campaign, item__role=Role.LABEL)
    parts = [
        FunctionalityProgress(*row)
        for row in slots.values("item__case__functionality")
        .annotate(done=Count("label"), total=Count("id"))  # one index: a case with a label is done
        .order_by("item__case__functionality__position", "item__case__functionality__key")
        .values_list("item__case__functionality__key", "item__case__functionality__title", "done", "total")
    ]
    done, total = sum(part.done for part in parts), sum(part.total for part in parts)
    since = now - timedelta(days=DAYS_SHOWN)
    days = _by_day(slots.filter(DONE, done_at__gte=since))
    by_person = {
        annotator: (finished, held, last)
        for annotator, finished, held, last in slots.filter(annotator__isnull=False)
        .values_list("annotator")
        .annotate(finished=Count("id", filter=DONE), held=Count("id"), last=Max("done_at", filter=DONE))
    }
    last = max((moment for *_counts, moment in by_person.values() if moment), default=None)
    return CampaignProgress(
        done=done,
        total=total,
        pace=_pace(campaign, done, total, now=now, last=last),
        people=_people(campaign, by_person, now=now),
        functionalities=parts,
        days=days,
        last=last,
    )


def _by_day(slots: AssignmentQuerySet) -> list[tuple[date, int]]:
    """Labels per day of the server's time zone. The database counts by hour, as text: on SQLite the functions of Django
    for days are Python, called once per label."""
    hour = Substr(Cast("done_at", TextField()), 1, 13)
    counted: Counter[date] = Counter()
    for told, labels in slots.annotate(hour=hour).values_list("hour").annotate(labels=Count("id")).order_by():
        moment = datetime.strptime(told, "%Y-%m-%d %H").replace(tzinfo=UTC)
        counted[timezone.localtime(moment).date()] += labels
    return sorted(counted.items())


def _pace(campaign: Campaign, done: int, total: int, *, now: datetime, last: datetime | None) -> Pace:
    if campaign.state in NOT_YET:
        return Pace(None, None, _("The campaign is not open yet."))
    if total and done == total:
        return Pace(None, last, "")
    if campaign.state != CampaignState.OPEN:
        return Pace(None, None, NOT_RUNNING[CampaignState(campaign.state)])
    opened = campaign.opened_at or now
    since = max(opened, now - PACE_OVER)
    recent = Assignment.objects.filter(DONE, campaign=campaign, item__role=Role.LABEL, done_at__gte=since).count()
    if not recent:
        return Pace(None, None, _("No labels in the last seven days."))
    per_day = recent / (max(now - since, SHORTEST) / timedelta(days=1))
    return Pace(per_day, now + timedelta(days=(total - done) / per_day))


def _people(
    campaign: Campaign, by_person: dict[int, tuple[int, int, datetime | None]], *, now: datetime
) -> list[PersonsProgress]:
    rows = Participation.objects.filter(campaign=campaign).select_related("annotator").order_by("joined_at", "id")
    found = []
    for row in rows:
        finished, held, last = by_person.get(row.annotator_id, (0, 0, None))
        total = held if campaign.mode == Mode.TEAM else None
        help_wanted = _needs_help(campaign, row, finished, total, last, now)
        found.append(PersonsProgress(row, finished, total, last, tuple(help_wanted)))
    return found


def _needs_help(
    campaign: Campaign, row: Participation, done: int, total: int | None, last: datetime | None, now: datetime
) -> list[str]:
    """What a manager should look at, in words; nothing for people who are done or gone."""
    if campaign.state not in (CampaignState.OPEN, CampaignState.PAUSED):
        return []
    has_failed = campaign.pass_mark is not None and row.qualified_at is None and row.tries > 0 and row.state == "ended"
    failed: list[str] = (
        [ngettext("Failed the test in %(count)s try.", "Failed the test in %(count)s tries.", row.tries)]
        if has_failed
        else []
    )
    if row.state == "ended":
        left = (total or 0) - done
        return failed + ([_left_behind(left)] if left > 0 else [])
    if total is not None and done == total and total:
        return []
    found: list[str] = []
    if row.state == "paused":
        found.append(_("Paused. Reason: %(reason)s", reason=row.reason) if row.reason else _("Paused."))
    if has_failed:
        found += failed
    elif row.consented_at is None:
        found.append(_("Has not started."))
    elif last is None:
        found.append(_("No labels yet."))
    elif total is not None and now - last > QUIET:
        days = (now - last).days
        found.append(ngettext("No labels for %(count)s day.", "No labels for %(count)s days.", days))
    if row.warnings:
        found.append(ngettext("Warned %(count)s time.", "Warned %(count)s times.", row.warnings))
    if row.failed_checks:
        found.append(
            ngettext(
                "%(count)s attention check answered differently.",
                "%(count)s attention checks answered differently.",
                row.failed_checks,
            )
        )
    if row.skips_in_a_row >= 3:
        skips = row.skips_in_a_row
        found.append(ngettext("Skipped %(count)s text in a row.", "Skipped %(count)s texts in a row.", skips))
    return found


def _left_behind(cases: int) -> str:
    return ngettext(
        "Has left with %(count)s open case. Pass it on to another annotator.",
        "Has left with %(count)s open cases. Pass them on to another annotator.",
        cases,
    )
