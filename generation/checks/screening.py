"""Screening the candidates of a run against each other and against the suite."""

from collections.abc import Callable, Iterable
from dataclasses import asdict

from core.text import keep
from curation.models import TargetGroup, TestCase
from generation.candidates.keeping import keep_what_was_found
from generation.candidates.models import CandidateQuerySet
from generation.checks.algorithm.screening import Candidate as ToScreen
from generation.checks.algorithm.screening import ScreeningSettings, screen_candidates
from generation.models import Candidate, GenerationRun
from generation.runs.groups import name_in_prompts, words_for_each


def screen_run(run: GenerationRun, *, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Screen all undecided candidates and return how many are clean.

    They are compared with the suite's texts in the language and with other runs' candidates that were not rejected.
    """
    candidates = list(run.candidates.proposed().select_related("target__language").order_by("number"))
    terms = words_for_each(run.suite, {candidate.target for candidate in candidates})
    to_screen = [_to_screen(candidate, terms[candidate.target]) for candidate in candidates]
    existing = _existing(run, beside=run.candidates.filter(state="accepted"))
    settings = _settings(run, terms)
    screened = screen_candidates(to_screen, existing=existing, settings=settings, should_stop=should_stop)
    for candidate, found in zip(candidates, screened, strict=False):
        candidate.findings = [keep(asdict(finding)) for finding in found.findings]
    keep_what_was_found(candidates[: len(screened)], "findings")
    return sum(found.is_clean for found in screened)


def screen_again(candidate: Candidate) -> None:
    """Screen one candidate whose text was edited, against the suite and all other candidates that were not rejected."""
    run = candidate.run
    terms = words_for_each(run.suite, {candidate.target})
    existing = _existing(run, beside=run.candidates.exclude(pk=candidate.pk).exclude(state="rejected"))
    to_screen = _to_screen(candidate, terms[candidate.target])
    (found,) = screen_candidates([to_screen], existing=existing, settings=_settings(run, terms))
    candidate.findings = [keep(asdict(finding)) for finding in found.findings]


def _to_screen(candidate: Candidate, terms: tuple[str, ...]) -> ToScreen:
    group = candidate.target.name if candidate.target else ""
    return ToScreen(str(candidate.number), candidate.text, candidate.run.language.code, terms, group)


def _settings(run: GenerationRun, targets: Iterable[TargetGroup | None]) -> ScreeningSettings:
    """Return settings with the instruction for each group: its words must not come back in a message."""
    names = [name_in_prompts(target) for target in targets if target] or [""]
    return ScreeningSettings(instructions=tuple(run.prompt.instruction.replace("{group}", name) for name in names))


def _existing(run: GenerationRun, *, beside: CandidateQuerySet) -> dict[str, list[tuple[str, str]]]:
    """Return known texts by group: the suite's cases in the language, other runs' candidates, and those `beside`.

    A case of another functionality counts too: the finding says so, and the expert knows whether it is meant.
    """
    cases = TestCase.objects.of(run.suite).in_use().filter(language=run.language)
    others = Candidate.objects.filter(run__suite=run.suite, run__language=run.language).exclude(run=run)
    found: dict[str, list[tuple[str, str]]] = {}
    for key, text, group in cases.values_list("key", "text", "target__name"):
        found.setdefault(group or "", []).append((key, text))
    rows = others.exclude(state="rejected").values_list("run__key", "number", "text", "target__name")
    for run_key, number, text, group in rows:
        found.setdefault(group or "", []).append((f"{run_key}-{number}", text))
    for number, text, group in beside.values_list("number", "text", "target__name"):
        found.setdefault(group or "", []).append((str(number), text))
    return found
