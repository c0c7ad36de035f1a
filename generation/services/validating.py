"""Validating: scores of hypotheses are kept, verdicts are computed from them for any threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.conf import settings

from curation.errors import BadInput
from generation.language_models import ModelNotLoaded
from generation.models import Candidate, GenerationRun
from generation.services.groups import name_in_hypotheses, words_for
from generation.validation.checking import Checks, Message, Scorer, Verdict, check_messages, decide
from generation.validation.nli import NliScorer, NotAnInferenceModel
from generation.validation.pass_rates import Cell, pass_rates
from generation.validation.rule_sets import RuleSet, read_rule_set
from generation.validation.rules import RuleError

UNCHECKED = Verdict(passed=None, answers={}, reasons=())


@cache
def rule_set_of(name: str) -> RuleSet:
    """The hypotheses and rules of that name. Refuses an unknown one."""
    try:
        return read_rule_set(settings.FIXTURES / "nli" / "hypotheses.json", variant=name)
    except RuleError as error:
        raise BadInput(str(error)) from error


@cache
def scorer_for(model: str) -> NliScorer:
    """One loaded model per process."""
    return NliScorer(model)


def check_run(
    run: GenerationRun,
    *,
    scorer: Scorer | None = None,
    watch: Callable[[int, int, str], None] = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> int:
    """Put the hypotheses of the run's functionality to its model and keep the scores; returns how many were checked.

    Candidates whose scores by this model are there are left alone. Refuses a model that cannot be loaded or tells no
    entailment. A functionality without a rule is left unchecked, with the reason.
    """
    rules = rule_set_of(run.rule_set)
    candidates = [
        candidate
        for candidate in run.candidates.proposed().select_related("target__language").order_by("number")
        if candidate.checks.get("model") != run.nli_model or None in candidate.scores.values()
    ]
    if not candidates:
        return 0
    messages = [_message(run, candidate) for candidate in candidates]
    try:
        checked = check_messages(
            messages,
            rules,
            scorer=scorer or scorer_for(run.nli_model),
            on_progress=lambda done, total: watch(done, total, f"{done} of {total} hypotheses"),
            should_stop=should_stop,
        )
    except RuleError as error:
        Candidate.objects.filter(pk__in=[item.pk for item in candidates]).update(checks={"reason": str(error)})
        return 0
    except (NotAnInferenceModel, ModelNotLoaded, OSError, ValueError) as error:
        raise BadInput(f"The inference model '{run.nli_model}' cannot be used: {error}") from error
    for candidate, checks in zip(candidates, checked, strict=True):
        candidate.checks = {
            "model": run.nli_model,
            "rule_set": run.rule_set,
            "scores": dict(checks.scores),
            "rule_tests": dict(checks.rule_tests),
        }
    Candidate.objects.bulk_update(candidates, ["checks"], batch_size=500)
    return len(candidates)


def _message(run: GenerationRun, candidate: Candidate) -> Message:
    return Message(
        key=str(candidate.number),
        text=candidate.text,
        functionality=run.functionality.key,
        language=run.language.code,
        group=name_in_hypotheses(candidate.target),
        terms=words_for(run.suite, candidate.target),
    )


def verdict_of(checks: dict[str, Any], functionality: str, *, threshold: float) -> Verdict:
    """Whether a candidate passes, from its kept scores; no model is run. Undecided where it was not checked."""
    if "scores" not in checks:
        return UNCHECKED
    kept = Checks(key="", functionality=functionality, scores=checks["scores"], rule_tests=checks.get("rule_tests", {}))
    try:
        return decide(kept, rule_set_of(checks.get("rule_set", "touchstone")), threshold=threshold)
    except RuleError as error:
        raise BadInput(str(error)) from error
    except ValueError as error:
        raise BadInput(f"{error}.") from error


def pass_rate_cells(runs: Iterable[GenerationRun], *, threshold: float) -> list[Cell]:
    """Pass rates by functionality and group over the candidates of runs; those not checked are undecided."""
    rows = Candidate.objects.filter(run__in=list(runs)).order_by("run__functionality__position", "target__name")
    found = rows.values_list("run__functionality__key", "target__name", "checks")
    return pass_rates(
        (functionality, group or "nobody", verdict_of(checks, functionality, threshold=threshold).passed)
        for functionality, group, checks in found
    )
