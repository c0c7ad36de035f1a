"""Decide about candidates: accept, reject with a reason, edit and keep the original, and many at once by rule."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, ChangedMeanwhile, DomainError, WrongState
from core.fields import BEGINS
from core.jobs.services import request_job
from core.models import Job
from core.states import move
from core.text import Text, _, keep, ngettext, recall
from curation.cases.adding import add_case
from curation.cases.keys import KeyMaker
from curation.models import TestCase
from generation.candidates.keeping import provenance_of
from generation.candidates.models import CandidateState
from generation.checks.screening import screen_again
from generation.checks.validating import verdict_of
from generation.models import Candidate, GenerationRun
from generation.permissions import require_decider
from generation.sentences import sentence_of
from generation.states import CANDIDATE_MOVES

LONGEST_TEXT = 10_000
LONGEST_REASON = 1000
KIND = "generation.decide"
AT_ONCE = 300  # decisions take milliseconds each; more of them are made in the background


class Rule(models.TextChoices):
    ACCEPT_PASSING = "accept_passing", _("Accept clean candidates that pass the check")
    ACCEPT_CLEAN = "accept_clean", _("Accept clean candidates")
    REJECT_DUPLICATES = "reject_duplicates", _("Reject duplicates and near duplicates")
    REJECT_FOUND = "reject_found", _("Reject candidates with screening findings")
    REJECT_FAILING = "reject_failing", _("Reject candidates that do not pass the check")


# Offered on the page of a candidate. Each reader sees them in their own language; other reasons stay as written.
REASONS = (
    _("does not fit the functionality"),
    _("sounds unnatural"),
    _("has the wrong label"),
    _("too similar to another text"),
    _("not about the group"),
)


class AlreadyDecided(WrongState):
    """A candidate that is accepted or rejected is not edited."""

    def __init__(self, candidate: Candidate) -> None:
        title = _("Candidate %(candidate)s is already decided and cannot be edited.", candidate=candidate.key)
        DomainError.__init__(self, title, now=candidate.state, wanted="edited")


@dataclass(slots=True)
class BulkReport:
    """What a rule did; `skipped` are candidates it fits that could not be decided, with the reason."""

    accepted: int = 0
    rejected: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)


@transaction.atomic
def accept_candidate(
    candidate: Candidate, *, by: User | None, reason: str = "", keys: KeyMaker | None = None
) -> TestCase:
    """Make a case of a candidate, with its provenance. `by=None` is an operator at the command line.

    Refuses people without the role in the language, one that is decided, and a text that is a case already.
    """
    if by is not None:
        require_decider(by, candidate.run)
    now = timezone.now()
    move(candidate, CandidateState.ACCEPTED, CANDIDATE_MOVES, reason=_kept(reason), decided_by=by, decided_at=now)
    run = candidate.run
    case = add_case(
        run.suite,
        run.language,
        run.functionality,
        text=candidate.text,
        target=candidate.target,
        # The prompt asked for messages about this group, so the case counts in the results of the group.
        provenance=provenance_of(candidate),
        by=by,
        keys=keys,
    )
    Candidate.objects.filter(pk=candidate.pk).update(case=case)
    candidate.case = case
    audit.record(by, Action.CANDIDATES_DECIDED, run, candidate=candidate.number, decision="accepted", case=case.key)
    return case


@transaction.atomic
def reject_candidate(candidate: Candidate, *, by: User | None, reason: str) -> None:
    """Reject a candidate. Refuses without a reason, without the role, and one that is decided."""
    if by is not None:
        require_decider(by, candidate.run)
    reason = _kept(reason)
    if not reason:
        raise BadInput(_("Give a reason for the rejection."))
    facts: dict[str, Any] = {"reason": reason, "decided_by": by, "decided_at": timezone.now()}
    move(candidate, CandidateState.REJECTED, CANDIDATE_MOVES, **facts)
    audit.record(by, Action.CANDIDATES_DECIDED, candidate.run, candidate=candidate.number, decision="rejected")


def _kept(reason: str) -> str:
    """Return a reason as it is kept: ours in the words of each reader, those of people as they wrote them."""
    if isinstance(reason, Text):
        return reason
    written = reason.replace("\x00", "").strip()
    if written.startswith(BEGINS):
        written = f" {written}"  # the column would take it for a text of ours
    return next((ours for ours in REASONS if written in (ours, str(ours))), written[:LONGEST_REASON])


@transaction.atomic
def reconsider_candidate(candidate: Candidate, *, by: User) -> None:
    """Undo a rejection. Refuses people without the role and one that is not rejected."""
    require_decider(by, candidate.run)
    move(candidate, CandidateState.PROPOSED, CANDIDATE_MOVES, reason="", decided_by=None, decided_at=None)
    audit.record(by, Action.CANDIDATES_DECIDED, candidate.run, candidate=candidate.number, decision="reconsidered")


def edit_candidate(candidate: Candidate, *, by: User, text: str) -> Candidate:
    """Change the text of a candidate; what the model wrote is kept, and the scores of the old text are dropped.

    Refuses people without the role, an empty or very long text, and one that is decided.
    """
    require_decider(by, candidate.run)
    text = text.replace("\x00", "").strip()
    if not text:
        raise BadInput(_("The text is empty. Write a text, or reject the candidate."))
    if len(text) > LONGEST_TEXT:
        raise BadInput(
            ngettext(
                "The text has %(count)s character. Use at most %(most)s.",
                "The text has %(count)s characters. Use at most %(most)s.",
                len(text),
                most=LONGEST_TEXT,
            )
        )
    if candidate.state != CandidateState.PROPOSED:
        raise AlreadyDecided(candidate)
    if text == candidate.text:
        return candidate
    before, candidate.text = candidate.text, text
    screen_again(candidate)
    candidate.checks = keep({"reason": _("The text was edited after it was checked.")}) if candidate.checks else {}
    # Screening takes a while and must not lock the tables meanwhile.
    with transaction.atomic():
        unchanged = Candidate.objects.filter(pk=candidate.pk, state=CandidateState.PROPOSED, text=before)
        if not unchanged.update(text=text, findings=candidate.findings, checks=candidate.checks):
            raise ChangedMeanwhile(candidate)
        audit.record(by, Action.CANDIDATES_DECIDED, candidate.run, candidate=candidate.number, decision="edited")
    return candidate


def decide(candidate: Candidate, decision: str, *, by: User, reason: str = "", text: str = "") -> None:
    """Accept, reject (with a reason), edit (with a text) or reconsider a candidate. Refuses any other decision."""
    if decision == "accept":
        accept_candidate(candidate, by=by, reason=reason)
    elif decision == "reject":
        reject_candidate(candidate, by=by, reason=reason)
    elif decision == "edit":
        edit_candidate(candidate, by=by, text=text)
    elif decision == "reconsider":
        reconsider_candidate(candidate, by=by)
    else:
        raise BadInput(_("Choose one of: %(known)s.", known=["accept", "reject", "edit", "reconsider"]))


def fitting_rules(findings: list[dict[str, str]], *, passed: bool | None) -> set[str]:
    """Return the rules that fit a candidate. One that was not checked neither passes nor fails."""
    rules: dict[str, bool] = {
        Rule.REJECT_FOUND: bool(findings),
        Rule.REJECT_DUPLICATES: any(item["check"] in ("duplicate", "near_duplicate") for item in findings),
        Rule.ACCEPT_CLEAN: not findings,
        Rule.REJECT_FAILING: passed is False,
        Rule.ACCEPT_PASSING: not findings and passed is True,
    }
    return {rule for rule, is_about in rules.items() if is_about}


def fits(candidate: Candidate, rule: str, *, threshold: float) -> bool:
    """Return whether a rule fits this candidate."""
    passed = verdict_of(candidate.checks, candidate.run, threshold=threshold).passed
    return rule in fitting_rules(candidate.findings, passed=passed)


def count_by_rule(run: GenerationRun, *, threshold: float) -> dict[str, int]:
    """Return how many proposed candidates each rule would decide."""
    counts = dict.fromkeys(Rule.values, 0)
    for findings, checks in run.candidates.proposed().values_list("findings", "checks"):
        passed = verdict_of(checks, run, threshold=threshold).passed
        for rule in fitting_rules(findings, passed=passed):
            counts[rule] += 1
    return counts


def request_decisions(run: GenerationRun, rule: str, *, by: User, threshold: float | None = None) -> Job | None:
    """Queue a rule that fits many candidates; None where they are few enough to be decided at once.

    Refuses as `decide_by_rule`.
    """
    limit = _checked(run, rule, by=by, threshold=threshold)
    count = count_by_rule(run, threshold=limit)[rule]
    if count <= AT_ONCE:
        return None
    facts = {"run": run.key, "rule": rule, "threshold": limit}
    url = reverse("generation:candidates", args=[run.key])
    title = ngettext(
        "Decide %(count)s candidate of %(run)s", "Decide %(count)s candidates of %(run)s", count, run=run.key
    )
    return request_job(KIND, facts, title=title, by=by, result_url=url)


def _checked(run: GenerationRun, rule: str, *, by: User | None, threshold: float | None) -> float:
    """Return the threshold to decide at. Refuses an unknown rule and people without the role."""
    if rule not in Rule.values:
        raise BadInput(_("There is no rule '%(rule)s'. Known: %(known)s.", rule=rule, known=Rule.values))
    limit = run.threshold if threshold is None else threshold
    if not 0 <= limit <= 1:
        raise BadInput(_("Use a threshold between 0 and 1."))
    if by is not None:
        require_decider(by, run)
    return limit


def decide_by_rule(
    run: GenerationRun,
    rule: str,
    *,
    by: User | None,
    threshold: float | None = None,
    progress: Callable[[int, int, str], None] = lambda done, total, message: None,
) -> BulkReport:
    """Decide all proposed candidates of a run that a rule fits; each for itself, so that one refusal stops no other.

    Refuses an unknown rule and people without the role in the language. Stopped by `progress`, what is decided stays.
    """
    limit = _checked(run, rule, by=by, threshold=threshold)
    report = BulkReport()
    candidates = list(run.candidates.proposed().for_deciding().order_by("number"))
    keys = KeyMaker(run.suite, run.language)
    for place, candidate in enumerate(candidates):
        if place % 20 == 0:
            progress(place, len(candidates), _("candidates reviewed"))
        if not fits(candidate, rule, threshold=limit):
            continue
        try:
            if rule.startswith("accept"):
                accept_candidate(candidate, by=by, reason=_reason(candidate, rule, limit), keys=keys)
                report.accepted += 1
            else:
                reject_candidate(candidate, by=by, reason=_reason(candidate, rule, limit))
                report.rejected += 1
        except (BadInput, WrongState, ChangedMeanwhile) as error:
            report.skipped.append((candidate.key, sentence_of(error)))
    return report


def _reason(candidate: Candidate, rule: str, threshold: float) -> str:
    if rule.startswith("accept"):
        return _("Rule: %(rule)s; threshold %(threshold)s", rule=Rule(rule).label, threshold=_short(threshold))
    if rule == Rule.REJECT_FAILING:
        return _("does not pass at a threshold of %(threshold)s", threshold=_short(threshold))
    return _("screening: %(findings)s", findings=[recall(finding["problem"]) for finding in candidate.findings])


def _short(threshold: float) -> float:
    return float(f"{threshold:g}")
