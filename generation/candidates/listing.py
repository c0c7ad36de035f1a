"""Candidates as a table to download."""

from collections.abc import Iterator

from core.text import in_english
from generation.candidates.models import CandidateQuerySet
from generation.checks.validating import tests_of, verdict_of
from generation.models import Candidate, GenerationRun

COLUMNS = (
    *("run", "number", "functionality", "language", "group", "text", "original_text", "state", "reason", "case"),
    *("findings", "threshold", "passed", "inference_model", "model", "prompt_version", "prompt_sha256", "seed"),
)


def candidates_as_table(
    run: GenerationRun, rows: CandidateQuerySet, *, threshold: float
) -> tuple[list[str], Iterator[list[str]]]:
    """Return header and rows: text, findings and decision, with one column per hypothesis of the run's rule."""
    tests = [test.key for test in tests_of(run)]
    header = [*COLUMNS, *(f"score_{test}" for test in tests)]
    return header, (_row(run, candidate, tests, threshold) for candidate in rows.iterator(chunk_size=500))


def _row(run: GenerationRun, candidate: Candidate, tests: list[str], threshold: float) -> list[str]:
    passed = verdict_of(candidate.checks, run, threshold=threshold).passed
    scores = candidate.scores
    with in_english():
        findings = "; ".join(f"{finding['check']}: {finding['problem']}" for finding in candidate.found)
        reason = str(candidate.reason)
    facts: list[object] = [
        *(run.key, candidate.number, run.functionality.key, run.language.code),
        *(candidate.target.name if candidate.target else "", candidate.text, candidate.original_text),
        *(candidate.state, reason, candidate.case.key if candidate.case else ""),
        findings,
        *(f"{threshold:g}", "" if passed is None else int(passed), candidate.checks.get("model", "")),
        *(candidate.request.model, run.prompt.number, candidate.request.prompt_sha256, candidate.request.seed),
        *("" if scores.get(test) is None else f"{scores[test]:.6f}" for test in tests),
    ]
    return [str(fact) for fact in facts]
