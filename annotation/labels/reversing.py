"""Taking an import of labels back: the labels stay where they are, and from then on count nowhere."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.verdicts import source_of, sources_taken_back
from annotation.campaigns.models import CampaignState
from annotation.errors import NotInThisState
from annotation.labels.imported import PLATFORM
from annotation.models import Assignment, Campaign, ImportReversal
from annotation.permissions import require_manager
from core.errors import BadInput
from core.states import Moves, move, move_by_id
from core.text import Text, _, ngettext
from curation.cases.models import CaseState
from curation.cases.verdicts import take_back_verdicts
from curation.models import Exclusion, Release, Suite, TestCase
from curation.releases.following import follow_decision
from curation.states import TAKEN_BACK_MOVES

REVERSAL_MOVES: Moves = {CampaignState.CLOSED: {CampaignState.CANCELLED}}
SENTENCES: dict[str, Callable[[int], Text]] = {
    "labels": lambda count: ngettext("%(count)s label no longer counts.", "%(count)s labels no longer count.", count),
    "no_verdict": lambda count: ngettext(
        "%(count)s case loses its verdict.", "%(count)s cases lose their verdicts.", count
    ),
    "earlier_verdict": lambda count: ngettext(
        "For %(count)s case, an earlier verdict counts again.",
        "For %(count)s cases, an earlier verdict counts again.",
        count,
    ),
    "unchanged": lambda count: ngettext(
        "The verdict on %(count)s case stays the same.", "The verdict on %(count)s cases stays the same.", count
    ),
    "decided": lambda count: ngettext(
        "A person decided about %(count)s case; the decision stays.",
        "People decided about %(count)s cases; the decisions stay.",
        count,
    ),
    "left_out": lambda count: ngettext(
        "%(count)s more case is left out of the suite.", "%(count)s more cases are left out of the suite.", count
    ),
    "restored": lambda count: ngettext(
        "%(count)s case that was left out returns.", "%(count)s cases that were left out return.", count
    ),
}


@dataclass(frozen=True, slots=True)
class ReversalEffect:
    """What taking an import back does, or would do. Cases are counted by what counts for them afterwards."""

    campaign: str
    labels: int
    annotators: int
    earlier_verdict: int
    no_verdict: int
    decided: int
    unchanged: int
    left_out: int
    restored: int
    releases: tuple[str, ...]
    dry_run: bool


def is_import(campaign: Campaign) -> bool:
    """Whether a campaign holds labels that were made elsewhere: then all of them were, so one tells."""
    given = Assignment.objects.filter(campaign=campaign).values_list("annotator__platform", flat=True)
    return PLATFORM in given[:1]


def can_be_taken_back(campaign: Campaign) -> bool:
    return campaign.state == CampaignState.CLOSED and is_import(campaign)


def reversal_of(campaign: Campaign) -> ImportReversal | None:
    """Return the record of taking an import back; None where it was not."""
    if campaign.state != CampaignState.CANCELLED:
        return None
    return ImportReversal.objects.filter(campaign=campaign).first()


def take_import_back(campaign: Campaign, *, by: User | None, reason: str = "", dry_run: bool = False) -> ReversalEffect:
    """Withdraw the labels of an import, with the reason: agreement, verdicts and decisions follow what is left.

    What people decided about single cases stays, and so do releases that were built before. The same file can be
    imported again. A dry run changes nothing. Refuses people who do not manage, campaigns that were labelled here, one
    that was taken back before, and an empty reason.
    """
    if by is not None:
        require_manager(by)
    with transaction.atomic():
        suite = Suite.objects.select_for_update().get(pk=campaign.suite_id)
        _refuse_others(campaign)
        if not dry_run and not reason.strip():
            raise BadInput(_("Give a reason for taking the import back. It is kept."), field="reason")
        effect = _take_back(Campaign.objects.get(pk=campaign.pk), suite, by=by, reason=reason.strip(), dry_run=dry_run)
        if dry_run:
            transaction.set_rollback(True)
    if not dry_run:
        campaign.refresh_from_db()
    return effect


def _refuse_others(campaign: Campaign) -> None:
    campaign.refresh_from_db(fields=["state"])
    if campaign.state != CampaignState.CLOSED:
        raise NotInThisState(
            _("Only an import whose labels count can be taken back. This campaign is not closed."),
            now=campaign.state,
            wanted=CampaignState.CANCELLED,
        )
    if not is_import(campaign):
        raise BadInput(_("The labels of this campaign were not imported, so there is no import to take back."))


def _take_back(campaign: Campaign, suite: Suite, *, by: User | None, reason: str, dry_run: bool) -> ReversalEffect:
    given = Assignment.objects.filter(campaign=campaign, label__isnull=False)
    out_before = _left_out(suite)
    made = ImportReversal.objects.create(campaign=campaign, reason=reason, made_by=by)
    move(campaign, CampaignState.CANCELLED, REVERSAL_MOVES)
    verdicts = take_back_verdicts(suite, source_of(campaign), gone=sources_taken_back(suite))
    move_by_id(TestCase, verdicts.without_labels, CaseState.READY, TAKEN_BACK_MOVES)
    follow_decision(suite, by=by)
    out_after = _left_out(suite)
    effect = ReversalEffect(
        campaign=campaign.key,
        labels=given.count(),
        annotators=given.filter(annotator__is_identified=True).values("annotator").distinct().count(),
        earlier_verdict=verdicts.earlier,
        no_verdict=verdicts.none,
        decided=verdicts.decided,
        unchanged=verdicts.unchanged,
        left_out=len(out_after - out_before),
        restored=len(out_before - out_after),
        releases=_releases_with(campaign, suite, made.made_at),
        dry_run=dry_run,
    )
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, taken_back=True, reason=reason[:500], labels=effect.labels)
    return effect


def _left_out(suite: Suite) -> set[int]:
    return set(Exclusion.objects.standing().filter(case__suite=suite).values_list("case_id", flat=True))


def _releases_with(campaign: Campaign, suite: Suite, moment: datetime) -> tuple[str, ...]:
    """Return the versions that were built while the labels counted: they keep them."""
    built = Release.objects.filter(suite=suite, built_at__gte=campaign.closed_at or moment).order_by("built_at", "id")
    return tuple(built.values_list("version", flat=True))


def effect_in_words(effect: ReversalEffect) -> list[Text]:
    """Return what taking an import back does, one sentence each; nothing about what does not happen."""
    sentences = [say(count) for name, say in SENTENCES.items() if (count := getattr(effect, name))]
    if effect.releases:
        sentences.append(
            _("Releases that were built with these labels keep them: %(versions)s.", versions=list(effect.releases))
        )
    return sentences


def as_json(effect: ReversalEffect) -> dict[str, object]:
    return asdict(effect) | {"releases": list(effect.releases)}
