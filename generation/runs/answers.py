"""The answers of a run as they came, with what was read from them."""

from dataclasses import dataclass

from django.db import models

from core.inference.chat import ChatAnswer
from core.text import _
from generation.models import GenerationRun, ProviderRequest
from generation.runs.algorithm.parsing import parse_messages
from generation.runs.algorithm.refusals import is_refusal
from generation.runs.models import ProviderRequestQuerySet


class Outcome(models.TextChoices):
    MESSAGES = "messages", _("Messages")
    REFUSAL = "refusal", _("Refusal")
    UNREADABLE = "unreadable", _("Unreadable")


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer turned out to be, and how many messages it holds."""

    outcome: Outcome
    messages: int


def answers_of(run: GenerationRun) -> ProviderRequestQuerySet:
    """Return all answers a run paid for or took candidates from, in the order of their numbers."""
    used = models.Q(run=run.key) | models.Q(pk__in=run.candidates.values("request"))
    return ProviderRequest.objects.filter(used).order_by("prompt_sha256", "seed", "pk")


def read_answer(row: ProviderRequest) -> Reading:
    """Return what a kept answer says; reading it again costs nothing."""
    # Without the raw answer, which reading does not need and which may not have been fetched.
    answer = ChatAnswer(row.text, "", row.finish_reason, row.model, refusal=row.refusal)
    parsed = parse_messages(row.text, is_cut_off=answer.is_cut_off)
    if is_refusal(answer, parsed):
        return Reading(Outcome.REFUSAL, 0)
    return Reading(Outcome.MESSAGES if parsed.messages else Outcome.UNREADABLE, len(parsed.messages))


def with_outcome(rows: ProviderRequestQuerySet, outcome: str) -> ProviderRequestQuerySet:
    """Return the answers that turned out so."""
    texts = rows.only("text", "finish_reason", "refusal", "model")
    return rows.filter(pk__in=[row.pk for row in texts if read_answer(row).outcome == outcome])
