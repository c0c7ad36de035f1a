"""What asking a service costs: estimated before a run, written down while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import transaction

from curation.models import Release, ReleaseCase
from evaluation.attacks.scores import labels_of, texts_left
from evaluation.models import Attack, EvaluationRun, ModelVersion
from evaluation.registry.services import load
from evaluation.runners import Runner
from evaluation.runs.answers import answers_of_version

if TYPE_CHECKING:
    from evaluation.runners.chat import CostEstimate

Usage = dict[str, float]


def estimate_run(release: Release, version: ModelVersion) -> CostEstimate | None:
    """Requests, tokens and money of a run, for the texts this version was never asked about.

    None for models that are not paid by the token. Refuses a description that can no longer be read.
    """
    if not version.is_paid:
        return None
    runner = load(version.spec, release.suite.labels)
    texts = dict(ReleaseCase.objects.filter(release=release).values_list("text_hash", "text"))
    known = answers_of_version(version, texts)
    return estimate_texts(runner, [text for text_hash, text in texts.items() if text_hash not in known])


def estimate_attack(attack: Attack, version: ModelVersion) -> CostEstimate | None:
    """The same for an attack: every different text of its sets that this version has not answered there.

    None for models that are not paid by the token. Refuses an attack that is not built.
    """
    if not version.is_paid:
        return None
    return estimate_texts(load(version.spec, labels_of(version)), texts_left(attack, version))


def estimate_texts(runner: Runner, texts: Sequence[str]) -> CostEstimate | None:
    """What asking a loaded model about these texts costs; None where it is not paid by the token."""
    estimate = getattr(runner, "estimate_cost", None)
    found: CostEstimate | None = estimate(texts) if estimate else None
    return found


def usage_of(runner: Runner) -> Usage:
    """What a runner used since it was loaded; nothing where it does not count."""
    count = getattr(runner, "usage", None)
    return count() if count else {}


@transaction.atomic
def add_usage(run: EvaluationRun, runner: Runner, *, since: Usage) -> Usage:
    """Add what the runner used since then to the record of the run. Returns what it has used by now."""
    now = usage_of(runner)
    more = {name: amount - since.get(name, 0) for name, amount in now.items()}
    if any(more.values()):
        kept = EvaluationRun.objects.select_for_update().values_list("environment", flat=True).get(pk=run.pk)
        before = kept.get("used") or {}
        used = {name: before.get(name, 0) + amount for name, amount in more.items()}
        EvaluationRun.objects.filter(pk=run.pk).update(environment={**kept, "used": used})
    return now
