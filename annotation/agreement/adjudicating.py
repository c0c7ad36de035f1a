"""One decision on one disputed case: keep, leave out, or replace the wording. Decisions are never overwritten."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.deciding import verdict_with
from annotation.agreement.models import Decision
from annotation.campaigns.models import CampaignState, Role
from annotation.errors import NotInThisState
from annotation.models import Adjudication, Campaign
from core.errors import BadInput
from core.permissions import require_author
from core.states import move
from core.text import _
from curation.cases.handwritten import write_case
from curation.cases.models import KEEP, CaseState, ExclusionReason
from curation.cases.verdicts import record_verdicts
from curation.fields import details_of
from curation.models import Exclusion, TestCase
from curation.releases.following import follow_decision
from curation.states import CASE_MOVES


@transaction.atomic
def adjudicate(
    campaign: Campaign, case: TestCase, *, decision: str, reason: str, by: User, new_text: str = ""
) -> Adjudication:
    """Decide about a case of a closed campaign. The labels stay as they are; the decision counts on top of them.

    `keep` validates the case, `exclude` leaves this one case out (its template stays), `reword` leaves it out and
    writes a new case that refers to it and has to be labelled. Refuses people without the role in the language, no
    reason, a campaign that is not closed (closing would override the decision), and a case that was not labelled there.
    Deciding the same again changes nothing.
    """
    require_author(by, case.language.code)
    reason = reason.strip()
    if decision not in Decision.values:
        raise BadInput(
            _(
                "'%(decision)s' is not a decision. Use one of: %(decisions)s.",
                decision=decision,
                decisions=Decision.values,
            ),
            field="decision",
        )
    if not reason:
        raise BadInput(_("Give a reason. It is kept with the decision."), field="reason")
    if campaign.state != CampaignState.CLOSED:
        raise NotInThisState(
            _("Decisions are possible once the campaign is closed."), now=campaign.state, wanted="adjudicated"
        )
    if not campaign.items.filter(case=case, role=Role.LABEL).exists():
        raise BadInput(
            _(
                "Case %(case)s was not labelled in “%(campaign)s”. Decide about it in the campaign that labelled it.",
                case=case.key,
                campaign=campaign.title,
            )
        )
    if case.state == CaseState.RETIRED:
        raise NotInThisState(
            _("Case %(case)s is retired, so there is nothing to decide.", case=case.key),
            now=case.state,
            wanted=decision,
        )
    TestCase.objects.select_for_update().get(pk=case.pk)  # a double click is one decision
    newest = Adjudication.objects.filter(campaign=campaign, case=case).order_by("-id").first()
    if newest is not None and _is_same(newest, decision=decision, reason=reason, by=by, new_text=new_text):
        return newest
    case.refresh_from_db(fields=["state"])
    new_case = _write_new_wording(case, new_text, by=by) if decision == Decision.REWORD else None
    verdict = KEEP if decision == Decision.KEEP else "exclude"
    record_verdicts([verdict_with(case, decided=verdict, reason=reason)], source=f"adjudication:{campaign.key}"[:120])
    if decision == Decision.KEEP:
        _bring_back(case, reason, by=by)
    else:
        note = _("Replaced by %(case)s. %(reason)s", case=new_case.key, reason=reason) if new_case else reason
        _leave_out(case, note, by=by)
    made = Adjudication.objects.create(
        campaign=campaign, case=case, decision=decision, reason=reason, new_case=new_case, decided_by=by
    )
    follow_decision(case.suite, by=by)
    audit.record(by, Action.CASE_ADJUDICATED, case, campaign=campaign.key, decision=decision, reason=reason[:500])
    return made


def _is_same(made: Adjudication, *, decision: str, reason: str, by: User, new_text: str) -> bool:
    """Whether a decision is sent a second time, while what followed from it still stands."""
    same_words = made.new_case is None or made.new_case.text == new_text.strip()
    is_out = Exclusion.objects.standing().filter(case=made.case_id).exists()
    stands = is_out == (decision != Decision.KEEP)
    return (made.decision, made.reason, made.decided_by_id) == (decision, reason, by.pk) and same_words and stands


def _write_new_wording(case: TestCase, text: str, *, by: User) -> TestCase:
    if not text.strip():
        raise BadInput(_("Write the new wording. The old text stays readable."), field="new_text")
    if " ".join(text.split()) == " ".join(case.text.split()):
        raise BadInput(
            _("The new wording is the same as the old one. Change it, or keep the case or leave it out."),
            field="new_text",
        )
    new = write_case(
        case.suite,
        case.language,
        case.functionality,
        by=by,
        text=text,
        target=case.target,
        label=case.gold_label,
        contrast_set=case.contrast_set,
        perturbation_set=case.perturbation_set,
        **details_of(case),
        # A pair stays a pair: what the old case referred to, the new one refers to.
        refers_to=case.refers_to or case.key,
    )
    TestCase.objects.filter(pk=new.pk).update(provenance={**new.provenance, "replaces": case.key})
    return new


def _bring_back(case: TestCase, reason: str, *, by: User) -> None:
    Exclusion.objects.standing().filter(case=case).update(lifted_at=timezone.now(), lifted_by=by, lifted_because=reason)
    if case.state in (CaseState.READY, CaseState.EXCLUDED):
        move(case, CaseState.VALIDATED, CASE_MOVES)


def _leave_out(case: TestCase, note: str, *, by: User) -> None:
    """An exclusion that followed from labels gives way to the decision."""
    Exclusion.objects.standing().filter(case=case).update(
        lifted_at=timezone.now(), lifted_by=by, lifted_because=_("Replaced by a decision about this case.")
    )
    Exclusion.objects.create(
        case=case, reason=ExclusionReason.ADJUDICATION, because_of=case.key, note=note, created_by=by
    )
    if case.state in (CaseState.READY, CaseState.VALIDATED):
        move(case, CaseState.EXCLUDED, CASE_MOVES)
