"""Before the first label: consent and warning, guidelines, training with feedback, a test, and voluntary facts."""

import math
import secrets
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.campaigns.models import NOT_YET, Role
from annotation.errors import NotReady
from annotation.models import Campaign, CampaignItem, DemographicAnswer, LinkedAnswers, Participation, TrainingAnswer
from annotation.people.models import QUESTIONS_ABOUT_PEOPLE, ParticipationState
from annotation.permissions import require_manager
from annotation.questions import question_of
from annotation.states import move_participation
from core.errors import BadInput, Missing
from core.text import Text, _, ngettext


class Step(StrEnum):
    CONSENT = "consent"
    GUIDELINES = "guidelines"
    TRAINING = "training"
    TEST = "test"
    ABOUT_YOU = "about-you"
    READY = "ready"

    @property
    def heading(self) -> Text:
        """As annotators read it."""
        return HEADINGS[self]


HEADINGS = {
    Step.CONSENT: _("Consent"),
    Step.GUIDELINES: _("Guidelines"),
    Step.TRAINING: _("Training"),
    Step.TEST: _("Test"),
    Step.ABOUT_YOU: _("About you"),
    Step.READY: _("Labelling"),
}


def next_step(participation: Participation) -> Step:
    """What somebody has to do before the next text; READY when nothing is left."""
    campaign = participation.campaign
    if participation.consented_at is None:
        return Step.CONSENT
    if participation.guidelines_read_at is None:
        return Step.GUIDELINES
    if participation.trained_at is None:
        return Step.TRAINING
    if participation.qualified_at is None:
        return Step.TEST
    if campaign.asks_demographics and not participation.demographics_given:
        return Step.ABOUT_YOU
    return Step.READY


def require_begun(campaign: Campaign) -> None:
    """Refuses everything about labelling before the campaign is open: also while its slots are being made."""
    if campaign.state in NOT_YET:
        raise NotReady(_("This campaign is not open yet. It will appear under 'My work' when it opens."))


def require_ready(participation: Participation) -> None:
    """Refuses labelling before everything is done."""
    step = next_step(participation)
    if step is not Step.READY:
        raise NotReady(_("There is one more step before the first text: %(step)s.", step=step.heading), step=step.value)


@transaction.atomic
def give_consent(participation: Participation) -> None:
    """Agree to take part, having read the warning. Steps that the campaign does not have are passed at once."""
    _update(participation, consented_at=timezone.now())
    if participation.state == ParticipationState.INVITED:  # agreeing does not undo a pause
        move_participation(participation, ParticipationState.ACTIVE, come_from=[ParticipationState.INVITED])
        participation.refresh_from_db(fields=["state"])
    if participation.campaign.guideline_id is None:
        confirm_guidelines(participation)


@transaction.atomic
def confirm_guidelines(participation: Participation) -> None:
    """The guidelines were read."""
    now = timezone.now()
    _update(participation, guidelines_read_at=participation.guidelines_read_at or now)
    roles = set(participation.campaign.items.filter(role__in=[Role.TRAINING, Role.TEST]).values_list("role", flat=True))
    if Role.TRAINING not in roles and participation.trained_at is None:
        _update(participation, trained_at=now)
    if Role.TEST not in roles and participation.qualified_at is None:
        _update(participation, qualified_at=now)


def next_training_item(participation: Participation) -> CampaignItem | None:
    """The first training item without an answer; None when all were seen."""
    answered = participation.training_answers.values("item")
    return (
        participation.campaign.items.filter(role=Role.TRAINING)
        .exclude(pk__in=answered)
        .select_related("language", "case__language")
        .order_by("position", "id")
        .first()
    )


@transaction.atomic
def answer_training(participation: Participation, item_id: int, label: str) -> TrainingAnswer:
    """Answer a training item once; the feedback is in the answer's item. Refuses answers nobody could give."""
    item = (
        participation.campaign.items.filter(role=Role.TRAINING, pk=item_id).select_related("language", "case").first()
    )
    if item is None:
        raise Missing(_("There is no such training text."))
    _require_label(participation, label)
    is_right = question_of(participation.campaign).is_right(label, expected=item.expected)
    answer, _is_new = TrainingAnswer.objects.get_or_create(
        participation=participation, item=item, attempt=1, defaults={"label": label, "is_right": is_right}
    )
    if next_training_item(participation) is None and participation.trained_at is None:
        _update(participation, trained_at=timezone.now())
    return answer


def statement_of(campaign: Campaign, item: CampaignItem) -> str:
    """What the text should do, where that is the question; "" elsewhere."""
    return item.case.functionality.definition if question_of(campaign).shows_statement and item.case else ""


def test_items(participation: Participation) -> list[CampaignItem]:
    return list(
        participation.campaign.items.filter(role=Role.TEST)
        .select_related("language", "case__language", "case__functionality")
        .order_by("position", "id")
    )


class TestResult(NamedTuple):
    """How a test went: right answers, all answers, and how many have to be right."""

    right: int
    total: int
    needed: int

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Text:
        """As the annotator reads it."""
        return _(
            "%(right)s of %(total)s right; you need %(needed)s.",
            right=self.right,
            total=self.total,
            needed=self.needed,
        )

    @property
    def why_failed(self) -> Text:
        """Why the participation has ended, for the annotator and the managers."""
        return _(
            "The test was not passed: %(right)s of %(total)s right, %(needed)s needed.",
            right=self.right,
            total=self.total,
            needed=self.needed,
        )


def right_answers_needed(campaign: Campaign, total: int) -> int:
    """Return how many answers of a test have to be right."""
    return math.ceil((campaign.pass_mark or 0) * total - 1e-9)  # 0.7 of 10 are 7, not 8


def tries_left(participation: Participation) -> int:
    """Return how often the test may still be taken."""
    return max(participation.campaign.qualification_tries + participation.extra_tries - participation.tries, 0)


def has_failed_test(participation: Participation) -> bool:
    """Return whether every try at the test is used up."""
    return participation.qualified_at is None and participation.tries > 0 and not tries_left(participation)


@transaction.atomic
def grant_try(participation: Participation, *, by: User) -> None:
    """Let an annotator take the test once more after the last try. Refuses those who have a try left or have passed."""
    require_manager(by)
    if not has_failed_test(participation):
        raise NotReady(_("You can allow another try only when an annotator has used up all tries at the test."))
    facts = {"extra_tries": participation.extra_tries + 1, "reason": "", "left_at": None}
    move_participation(participation, ParticipationState.ACTIVE, come_from=[ParticipationState.ENDED], **facts)
    participation.refresh_from_db()
    audit.record(by, Action.ANNOTATOR_CHANGED, participation.campaign, retry=participation.annotator.pseudonym)


@transaction.atomic
def hand_in_test(participation: Participation, answers: Mapping[int, str]) -> TestResult:
    """Hand in the test as a whole and return the result. Ends the participation after the last failed try.

    Refuses a test with unanswered texts, one already passed, and more tries than there are.
    """
    locked = Participation.objects.select_for_update(of=["self"]).select_related("campaign").get(pk=participation.pk)
    if locked.qualified_at is not None:
        raise NotReady(_("You have already passed the test. Continue with the next step."))
    if not tries_left(locked):
        raise NotReady(_("You have no tries left. Thank you for your time."))
    items = test_items(participation)
    missing = [item.pk for item in items if item.pk not in answers]
    if missing:
        raise BadInput(
            ngettext(
                "%(count)s text has no answer yet. Answer all texts, then hand in.",
                "%(count)s texts have no answer yet. Answer all texts, then hand in.",
                len(missing),
            )
        )
    question, right = question_of(participation.campaign), 0
    for item in items:
        _require_label(participation, answers[item.pk])
        correct = question.is_right(answers[item.pk], expected=item.expected)
        right += correct
        TrainingAnswer.objects.create(
            participation=participation, item=item, attempt=locked.tries + 1, label=answers[item.pk], is_right=correct
        )
    result = TestResult(right, len(items), right_answers_needed(participation.campaign, len(items)))
    facts: dict[str, Any] = {"tries": locked.tries + 1, "best_share": max(right / len(items), locked.best_share or 0.0)}
    if right >= result.needed:
        facts["qualified_at"] = timezone.now()
    elif tries_left(locked) == 1:
        facts |= {"state": ParticipationState.ENDED, "reason": result.why_failed, "left_at": timezone.now()}
    _update(participation, **facts)
    return result


@transaction.atomic
def tell_about_oneself(participation: Participation, answers: Mapping[str, str], *, may_link: bool = False) -> None:
    """Keep voluntary facts for the data statement, apart from everything that leads to the person. Empty is fine.

    With `may_link`, and only where the campaign asks for it, they are also kept beside the person's labels.
    """
    if participation.demographics_given:
        return
    given = {name: answers[name].strip()[:200] for name in QUESTIONS_ABOUT_PEOPLE if answers.get(name, "").strip()}
    if given:
        # A random number instead of the next one: rows in order of arrival could be matched with who arrived when.
        DemographicAnswer.objects.create(pk=secrets.randbits(62), campaign=participation.campaign, answers=given)
        if may_link and participation.campaign.links_demographics:
            LinkedAnswers.objects.create(participation=participation, answers=given)
    _update(participation, demographics_given=True)


def unlink_answers(participation: Participation) -> bool:
    """Withdraw the agreement to link answers and labels: the link is deleted. Return whether there was one."""
    deleted, _rows = LinkedAnswers.objects.filter(participation=participation).delete()
    return bool(deleted)


def _require_label(participation: Participation, label: str) -> None:
    if label not in participation.campaign.labels:
        raise BadInput(
            _(
                "'%(label)s' is not one of the answers. Use one of: %(labels)s.",
                label=label,
                labels=participation.campaign.labels,
            )
        )


def _update(participation: Participation, **facts: Any) -> None:
    Participation.objects.filter(pk=participation.pk).update(**facts)
    for name, value in facts.items():
        setattr(participation, name, value)
