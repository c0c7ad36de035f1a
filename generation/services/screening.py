"""Screening the candidates of a run against each other and against the suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from curation.models import TestCase
from generation.models import Candidate, GenerationRun
from generation.screening.screen import ScreeningSettings, screen_candidates
from generation.screening.values import Candidate as ToScreen
from generation.services.groups import name_in_prompts, words_for


def screen_run(run: GenerationRun, *, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Screen all candidates nobody has decided about; returns how many are clean.

    They are compared with the suite's texts in the language and with other runs' candidates that were not rejected.
    """
    candidates = list(run.candidates.proposed().select_related("target__language").order_by("number"))
    terms = {candidate.target: words_for(run.suite, candidate.target) for candidate in candidates}
    to_screen = [
        ToScreen(str(candidate.number), candidate.text, run.language.code, terms[candidate.target])
        for candidate in candidates
    ]
    names = [name_in_prompts(target) for target in terms if target] or [""]
    instructions = tuple(run.prompt.instruction.replace("{group}", name) for name in names)
    settings = ScreeningSettings(instructions=instructions)
    screened = screen_candidates(to_screen, existing=_existing(run), settings=settings, should_stop=should_stop)
    for candidate, found in zip(candidates, screened, strict=False):
        candidate.findings = [asdict(finding) for finding in found.findings]
    Candidate.objects.bulk_update(candidates[: len(screened)], ["findings"], batch_size=500)
    return sum(found.is_clean for found in screened)


def screen_again(candidate: Candidate) -> None:
    """Screen one candidate whose text was edited; duplicates are looked for in the suite only."""
    run = candidate.run
    to_screen = ToScreen(
        str(candidate.number), candidate.text, run.language.code, words_for(run.suite, candidate.target)
    )
    (found,) = screen_candidates([to_screen], existing=_cases(run), settings=ScreeningSettings())
    candidate.findings = [asdict(finding) for finding in found.findings]


def _cases(run: GenerationRun) -> list[tuple[str, str]]:
    cases = TestCase.objects.of(run.suite).in_use().filter(language=run.language, functionality=run.functionality)
    return list(cases.values_list("key", "text"))


def _existing(run: GenerationRun) -> list[tuple[str, str]]:
    others = Candidate.objects.filter(run__suite=run.suite, run__functionality=run.functionality).exclude(run=run)
    others = others.filter(run__language=run.language).exclude(state="rejected")
    decided = run.candidates.filter(state="accepted").values_list("number", "text")
    return [
        *_cases(run),
        *((f"{key}-{number}", text) for key, number, text in others.values_list("run__key", "number", "text")),
        *((str(number), text) for number, text in decided),
    ]
