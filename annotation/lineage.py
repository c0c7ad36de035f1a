"""Votes and decisions in a case's lineage. People appear under their pseudonyms only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import date_format

from annotation.campaigns.models import CampaignState, Role
from annotation.labelling.flags import reason_in_words
from annotation.labelling.models import Kind
from annotation.labels.labelled_cases import SHOWN_UNIDENTIFIED
from annotation.models import Adjudication, Annotation, Campaign
from annotation.permissions import labelled_blind_by
from core.permissions import can_see_workshop
from core.text import _
from curation.releases.extensions import Cell, LineageTable

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from curation.models import ReleaseCase

NO_VOTES = _("No one has labelled this case yet, or the campaign is still running.")


def votes_and_decisions(case: ReleaseCase, *, viewer: User | AnonymousUser) -> Iterator[LineageTable]:
    """Every label up to the moment the release was built, and what adjudicators decided.

    Labels of campaigns that still run are for the workshop alone, and there for those who do not take part: annotators
    label blind, whatever their other roles. Remarks are for the workshop too: free text can lead to a person.
    """
    of_case = {"suite_id": case.release.suite_id, "key": case.key}
    votes = Annotation.objects.filter(
        **{f"assignment__item__case__{name}": value for name, value in of_case.items()},
        assignment__item__role=Role.LABEL,  # an answer to a check or a test is no vote
    ).exclude(kind=Kind.SKIP)
    decisions = Adjudication.objects.filter(**{f"case__{name}": value for name, value in of_case.items()})
    moment = case.release.built_at or timezone.now()
    taken_back = Campaign.objects.filter(reversal__made_at__lte=moment)
    votes = votes.exclude(assignment__campaign__in=taken_back)
    if case.release.built_at:
        votes = votes.filter(created_at__lte=case.release.built_at)
        decisions = decisions.filter(decided_at__lte=case.release.built_at)
    is_workshop = can_see_workshop(viewer)
    if is_workshop:
        votes = votes.exclude(assignment__campaign__in=labelled_blind_by(viewer))
        decisions = decisions.exclude(campaign__in=labelled_blind_by(viewer))
    else:
        closed = Campaign.objects.filter(suite=case.release.suite_id).counting_at(moment)
        votes = votes.filter(assignment__campaign__in=closed)
        decisions = decisions.filter(campaign__state=CampaignState.CLOSED)
    yield LineageTable(
        _("Votes"),
        (_("Assignment"), _("Annotator"), _("Label"), _("Revision"), _("Remarks"), _("Campaign")),
        [
            _vote(vote, with_remarks=is_workshop)
            for vote in votes.select_related("annotator", "assignment__campaign").order_by(
                "assignment__slot", "revision"
            )
        ],
        empty=NO_VOTES,
    )
    rows = [
        (
            Cell(decision.get_decision_display()),
            Cell(decision.reason),
            Cell(date_format(decision.decided_at, "DATE_FORMAT")),
            Cell(decision.campaign.title),
        )
        for decision in decisions.select_related("campaign").order_by("decided_at", "id")
    ]
    if rows:
        yield LineageTable(_("Adjudication"), (_("Decision"), _("Reason"), _("Date"), _("Campaign")), rows)


def _vote(vote: Annotation, *, with_remarks: bool) -> tuple[Cell, ...]:
    remarks = [_("flagged as unrealistic") if vote.is_unrealistic else ""]
    remarks += [reason_in_words(vote.unrealistic_because), vote.comment] if with_remarks else []
    label = Cell(vote.label, is_label=True) if vote.kind == Kind.LABEL else Cell(_("undone"))
    return (
        Cell(str(vote.assignment.slot)),
        Cell(vote.annotator.pseudonym if vote.annotator.is_identified else SHOWN_UNIDENTIFIED),
        label,
        Cell(str(vote.revision)),
        Cell("; ".join(str(remark) for remark in remarks if remark)),
        Cell(vote.assignment.campaign.title),
    )
