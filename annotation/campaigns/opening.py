"""Opening a campaign: its cases are fixed and every label that will be asked for becomes a row.

A draft becomes 'opening', its rows are written in chunks, and only then is it open. A run that was interrupted is taken
up where it stopped: what has to be written follows from the campaign's seed and its cases alone.
"""

from collections.abc import Iterator
from functools import partial

from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.allocation.ordering import spread_templates
from annotation.allocation.reasons import too_small_a_team
from annotation.campaigns.choosing import ChosenCase, choose_cases, read_chosen
from annotation.campaigns.dealing import PlannedSlot, deal_to_team
from annotation.campaigns.known_answers import can_be_answered, language_problems
from annotation.campaigns.models import CampaignState, Mode, Role
from annotation.campaigns.opening_run import OpeningRun, Report, delete_in_chunks
from annotation.campaigns.services import estimate, known_cases, selection_of
from annotation.errors import CannotOpen, NotInThisState, NotReady, one_after_another
from annotation.labelling.models import SlotState, new_assignment_keys
from annotation.models import Assignment, Campaign, CampaignItem
from annotation.notifications import tell_of_opening
from annotation.permissions import require_manager
from annotation.states import lock_campaign, move_campaign
from core.errors import ChangedMeanwhile
from core.jobs.models import FINISHED
from core.jobs.services import request_job
from core.models import Job
from core.text import _, ngettext

ITEM_FIELDS = ("campaign", "case", "text", "role", "expected", "explanation", "position", "is_reserved")
SLOT_FIELDS = ("key", "campaign", "item", "slot", "annotator", "state", "order")
# Slots for members of a group come after all others, so that everybody else meets them last.
RESERVED_FROM = 500_000_000
# Labels: a campaign with fewer opens and closes while the page waits, larger ones are a job.
OPENS_AT_ONCE = 20_000
OPENING = "annotation.open_campaign"
NO_CASES = _(
    "No case is selected. Widen the filters, generate cases, or use fewer of them for training, test and checks."
)


def opening_problems(campaign: Campaign) -> list[str]:
    """What stands in the way of opening, in sentences; empty when nothing does."""
    problems: list[str] = []
    foreseen = estimate(campaign)
    if not foreseen.cases:
        problems.append(NO_CASES)
    people = campaign.participations.exclude(state="ended").count()
    if campaign.mode == Mode.TEAM and people < campaign.raters:
        problems.append(too_small_a_team(people, raters=campaign.raters))
    roles = set(campaign.items.values_list("role", flat=True))
    if campaign.pass_mark is not None and Role.TEST not in roles:
        problems.append(_("There is a pass mark but no test. Add texts for the test, or remove the pass mark."))
    if campaign.guideline is None:
        problems.append(
            _("There is no guideline. Choose or write one, so that all annotators decide by the same definition.")
        )
    wrong = [item for item in campaign.items.exclude(role=Role.LABEL) if not can_be_answered(campaign, item)]
    if wrong:
        problems.append(
            ngettext(
                "%(count)s text for training, test or checks does not fit this question. Remove it and add another.",
                "%(count)s texts for training, test or checks do not fit this question. Remove them and add others.",
                len(wrong),
            )
        )
    return problems + language_problems(campaign)


def open_now_or_soon(campaign: Campaign, *, by: User) -> Job | None:
    """Open it; a job when there are many cases to deal. Refuses at once what can never be opened.

    Idempotent while it is being opened: returns the job at work, or a new one that continues where the last stopped.
    """
    require_manager(by)
    with transaction.atomic():
        lock_campaign(campaign)  # of two maintainers at once, the second gets the job of the first
        if job := opening_job(campaign):
            return job
        if estimate(campaign).labels > OPENS_AT_ONCE:
            if campaign.state != CampaignState.OPENING:
                begin_opening(campaign)
            title = _("Open the campaign “%(campaign)s”", campaign=campaign.title)
            return request_campaign_job(OPENING, title, campaign, by=by)
    open_campaign(campaign, by=by)
    return None


def return_to_draft(campaign: Campaign, *, by: User) -> None:
    """Make a draft of a campaign whose opening was interrupted. Refuses while a job opens it: stop that job instead."""
    require_manager(by)
    if campaign.state != CampaignState.OPENING:
        raise NotInThisState(
            _("Only a campaign that is being opened can return to draft."),
            now=campaign.state,
            wanted=CampaignState.DRAFT,
        )
    if opening_job(campaign):
        raise NotReady(_("A job is opening this campaign. Cancel the job; the campaign is then a draft again."))
    undo_opening(campaign)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, state=campaign.state)


def opening_job(campaign: Campaign) -> Job | None:
    """The job that opens a campaign at this moment or soon; None where nothing does."""
    if campaign.state != CampaignState.OPENING:
        return None
    jobs = Job.objects.filter(kind=OPENING, payload__campaign=campaign.key).exclude(state__in=FINISHED)
    return jobs.order_by("-created_at").first()


def request_campaign_job(kind: str, title: str, campaign: Campaign, *, by: User, **facts: bool) -> Job:
    """Have a large campaign opened or closed in the background."""
    address = reverse("annotation:campaign-setup", args=[campaign.key])
    return request_job(kind, {"campaign": campaign.key, **facts}, title=title, by=by, result_url=address)


def begin_opening(campaign: Campaign) -> None:
    """Move a draft to 'opening': from now on it cannot be changed, and annotators cannot enter yet.

    Refuses what `opening_problems` names.
    """
    if campaign.state == CampaignState.DRAFT and (problems := opening_problems(campaign)):
        raise CannotOpen(one_after_another(problems), problems=problems)
    move_campaign(campaign, CampaignState.OPENING)


def open_campaign(campaign: Campaign, *, by: User | None, report: Report | None = None) -> Campaign:
    """Fix the cases, make k slots per case and let people in. Continue an opening that was interrupted.

    Refuses what `opening_problems` names, and a team that cannot be dealt to: it is a draft again then.
    What `report` raises interrupts the opening between two transactions.
    """
    if by is not None:
        require_manager(by)
    if campaign.state != CampaignState.OPENING:
        begin_opening(campaign)
    run = OpeningRun(campaign, report)
    try:
        chosen = _fix_cases(run)
        slots = _make_slots(run, chosen)
    except CannotOpen:
        undo_opening(campaign)
        raise
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # the planner should know the new rows before the first annotator comes
            cursor.execute("ANALYZE annotation_assignment, annotation_campaignitem")
    with transaction.atomic():
        run.hold()
        move_campaign(campaign, CampaignState.OPEN, opened_at=timezone.now(), opening_run="")
        audit.record(by, Action.CAMPAIGN_OPENED, campaign, cases=len(chosen), slots=slots)
        tell_of_opening(campaign, by=by)
    return campaign


def undo_opening(campaign: Campaign) -> None:
    """Make a draft of a campaign that is being opened: what was written is deleted again."""
    run = OpeningRun(campaign)
    run.clear(Assignment.objects.of(campaign))
    run.hold(cases_fixed=None)  # interrupted from here on, an opening that continues chooses the cases again
    run.clear(campaign.items.filter(role=Role.LABEL))
    with transaction.atomic():
        run.hold()
        move_campaign(campaign, CampaignState.DRAFT, opening_run="")


def discard_rows(campaign: Campaign) -> None:
    """Delete what was written of a campaign that was called off before it was open."""
    delete_in_chunks(Assignment.objects.of(campaign))
    delete_in_chunks(campaign.items.filter(role=Role.LABEL))


def _fix_cases(run: OpeningRun) -> list[ChosenCase]:
    """The cases in their order, each with its item. Once all items are there, what is chosen does not change."""
    campaign = run.campaign
    if campaign.cases_fixed is None:
        run.clear(campaign.items.filter(role=Role.LABEL))  # those of a run that ended before all were there
        _write_items(run)
    rows = campaign.items.filter(role=Role.LABEL).order_by("position").values_list("case_id", "id", "is_reserved")
    items = [(case, item, is_reserved) for case, item, is_reserved in rows if case is not None]
    facts = read_chosen(campaign, [case for case, *_rest in items])
    return [facts[case]._replace(item_id=item, is_reserved=is_reserved) for case, item, is_reserved in items]


def _write_items(run: OpeningRun) -> None:
    campaign = run.campaign
    known = [case for case in known_cases(campaign) if case is not None]
    ids = choose_cases(campaign.suite, campaign.language, selection_of(campaign), seed=campaign.seed, without=known)
    if not ids:
        raise CannotOpen(NO_CASES)
    facts = read_chosen(campaign, ids)
    order = spread_templates(
        ids, template_of={case: fact.template_id for case, fact in facts.items()}, seed=campaign.seed
    )
    rows = (
        (campaign.pk, case, "", Role.LABEL, "", "", position, facts[case].is_reserved)
        for position, case in enumerate(order, 1)
    )
    run.write(CampaignItem, ITEM_FIELDS, rows, finish=list, total=len(order), message=_("Selecting the cases …"))
    run.hold(cases_fixed=len(order))


def _make_slots(run: OpeningRun, chosen: list[ChosenCase]) -> int:
    """Write the slots that are missing, and return how many there are. Refuses to go on without exactly k per case."""
    campaign = run.campaign
    rest, done = _missing_slots(run, chosen)
    slots = run.write(
        Assignment,
        SLOT_FIELDS,
        rest,
        finish=partial(_with_keys, campaign),
        total=max(len(chosen) * campaign.raters, done),
        done=done,
        message=_("Creating the assignments …"),
    )
    if Assignment.objects.of(campaign).counted().count() != len(chosen) * campaign.raters:
        raise ChangedMeanwhile(campaign)
    return slots


def _missing_slots(run: OpeningRun, chosen: list[ChosenCase]) -> tuple[Iterator[PlannedSlot], int]:
    """What is planned and not written yet, and how much is. Slots that are not as planned go: people or facts of cases
    may have changed since an earlier run."""
    campaign = run.campaign
    plan = deal_to_team if campaign.mode == Mode.TEAM else _open_slots
    rest, done = plan(campaign, chosen), 0
    there = Assignment.objects.of(campaign).order_by("id").values_list("item_id", "slot", "annotator_id", "order")
    for found in there.iterator(chunk_size=5000):
        if next(rest, None) != PlannedSlot(*found):
            run.clear(Assignment.objects.of(campaign))
            return plan(campaign, chosen), 0
        done += 1
    return rest, done


def _with_keys(campaign: Campaign, planned: list[PlannedSlot]) -> list[tuple[object, ...]]:
    return [
        (key, campaign.pk, one.item, one.slot, one.annotator, SlotState.OPEN, one.order)
        for key, one in zip(new_assignment_keys(len(planned)), planned, strict=True)
    ]


def _open_slots(campaign: Campaign, chosen: list[ChosenCase]) -> Iterator[PlannedSlot]:
    """A crowd's slots: one pass over all cases per rater, each in an order of its own."""
    by_item = {case.item_id: case for case in chosen}
    template_of = {case.item_id: case.template_id for case in chosen}
    place = 0
    for slot in range(1, campaign.raters + 1):
        for item in spread_templates(list(by_item), template_of=template_of, seed=campaign.seed + slot):
            place += 1
            yield PlannedSlot(item, slot, None, place + (RESERVED_FROM if by_item[item].is_reserved else 0))
