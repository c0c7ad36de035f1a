"""Logs of inspect_ai: `.eval` archives and JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.text import _
from evaluation.runners.harness_logs.archives import Damaged, read_members
from evaluation.runners.harness_logs.logged import HarnessLog, LoggedAnswer, case_of, chosen_part, refusal

HARNESS = "inspect_ai"
SAMPLES = "samples/"


def is_archive(names: Iterable[str]) -> bool:
    """Tell an `.eval` log by the names of its members."""
    return any(name == "header.json" or name.startswith((SAMPLES, "_journal/")) for name in names)


def is_json_log(values: Any) -> bool:
    """Tell a log written as JSON by its members."""
    return isinstance(values, dict) and {"version", "eval", "status"} <= values.keys()


def read_archive(path: Path, *, column: str | None) -> HarnessLog:
    """Return the answers of an `.eval` log. Refuses a damaged one, and what `read_samples` refuses."""
    try:
        samples = [_slim(json.loads(content)) for content in read_members(path, begins=SAMPLES)]
    except (Damaged, ValueError, AttributeError) as error:
        what = _("the log of inspect_ai is damaged or not finished")
        raise refusal(path, what, _("Copy it again, or convert it: inspect log dump.")) from error
    return read_samples(path, samples, column=column)


def _slim(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is read of a sample, without its messages and events, which are most of it."""
    return {
        name: sample.get(name) for name in ("id", "epoch", "choices", "metadata", "scores", "output", "error")
    }  # fmt: skip


def read_samples(path: Path, samples: Iterable[Mapping[str, Any]], *, column: str | None) -> HarnessLog:
    """Return the answers of the samples. `column` names the scorer.

    Refuses a log without samples or scores, with several scorers of which none is named, and with several epochs.
    """
    found = list(samples)
    for row, sample in enumerate(found, 1):
        if not _is_sound(sample):
            what = _("this is no sample of inspect_ai that can be read")
            raise refusal(path, what, _("Convert the log again: inspect log dump."), row=row)
    scorers = list(dict.fromkeys(name for sample in found for name in sample.get("scores") or {}))
    if not scorers:
        what = _("the log holds no scored samples")
        raise refusal(path, what, _("Run the evaluation to its end, and keep samples in the log."))
    if any(int(sample.get("epoch") or 1) > 1 for sample in found):
        raise refusal(path, _("the log holds several epochs"), _("Run the evaluation with one epoch."))
    scorer = chosen_part(path, scorers, column, called=_("scorer"))
    has_answers = any((sample.get("scores") or {}).get(scorer, {}).get("answer") for sample in found)
    answers = tuple(_answers(found, scorer, has_answers=has_answers))
    return HarnessLog(HARNESS, scorer if len(scorers) > 1 else "", "extracted" if has_answers else "written", answers)


def _is_sound(sample: Any) -> bool:
    """Tell whether the parts of a sample that are read have the kinds of values that inspect_ai writes."""
    if not isinstance(sample, Mapping):
        return False
    parts = [sample.get(name) or {} for name in ("scores", "metadata", "output", "error")]
    scores = parts[0].values() if isinstance(parts[0], Mapping) else [None]
    epoch = sample.get("epoch") or 1
    return isinstance(epoch, int) and all(isinstance(part, Mapping) for part in [*parts, *scores])


def _answers(samples: Iterable[Mapping[str, Any]], scorer: str, *, has_answers: bool) -> Iterator[LoggedAnswer]:
    for row, sample in enumerate(samples, 1):
        written = str((sample.get("output") or {}).get("completion") or "")
        score = (sample.get("scores") or {}).get(scorer) or {}
        error = (sample.get("error") or {}).get("message") or ""
        # A scorer of somebody else may keep no answers: then what the model wrote is read.
        text = str(score.get("answer") or "") if has_answers else written
        yield LoggedAnswer(
            row=row,
            case=case_of(sample.get("metadata") or {}) or str(sample.get("id") or ""),
            text=_choice(text, sample.get("choices") or []),
            written=written,
            error=str(error),
        )


def _choice(text: str, choices: list[Any]) -> str:
    """Return the choice that a letter stands for, and any other answer as it is."""
    place = ord(text) - ord("A") if len(text) == 1 else -1
    return str(choices[place]) if 0 <= place < len(choices) else text
