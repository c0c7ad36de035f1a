"""Samples of lm-evaluation-harness (`--log_samples`): JSON Lines with a document, the answers and a metric each."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.text import _
from evaluation.runners.harness_logs.logged import HarnessLog, LoggedAnswer, case_of, chosen_part, refusal

HARNESS = "lm-evaluation-harness"
DOUBLED = "acc_mutual_info"  # with this metric each choice is asked for twice, the second time without the question


def is_sample(values: Any) -> bool:
    """Tell a sample by its members."""
    return isinstance(values, dict) and {"doc_id", "doc", "filtered_resps"} <= values.keys()


def read_samples(path: Path, samples: Iterable[tuple[int, Mapping[str, Any]]], *, column: str | None) -> HarnessLog:
    """Return the answers of the samples; of several filters, those of the one that `column` names.

    A choice is the likeliest one, as the harness reckons `acc`. Refuses samples without case ids or answers.
    """
    found = list(samples)
    filters = list(dict.fromkeys(str(sample.get("filter", "none")) for row, sample in found))
    part = chosen_part(path, filters, column, called=_("filter"))
    chosen = [(row, sample) for row, sample in found if str(sample.get("filter", "none")) == part]
    answers = []
    for row, sample in chosen:
        try:
            answer = _answer(row, sample)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            what = _("this is no sample of lm-evaluation-harness that can be read")
            raise refusal(path, what, _("Run it again with --log_samples."), row=row) from error
        if not answer.case:
            what = _("the document of the sample has no case id")
            raise refusal(path, what, _("Keep case_id in the data of the task."), row=row)
        answers.append(answer)
    is_chosen = all(answer.scores for answer in answers)
    shown = part if len(filters) > 1 else ""
    return HarnessLog(HARNESS, shown, "chosen" if is_chosen else "extracted", tuple(answers))


def _answer(row: int, sample: Mapping[str, Any]) -> LoggedAnswer:
    case, found = case_of(sample["doc"]), sample["filtered_resps"]
    if isinstance(found[0], str):
        (given,) = sample["resps"] if isinstance(sample["resps"][0], list) else [sample["resps"]]
        return LoggedAnswer(row, case, found[0].strip(), written=str(given[0]))
    choices = _choices(sample["arguments"])
    likelihoods = [float(pair[0]) for pair in found]
    if DOUBLED in sample:
        half = len(choices) // 2
        choices, likelihoods = choices[:half], likelihoods[:half]
    if len(choices) != len(likelihoods) or not all(map(math.isfinite, likelihoods)):
        raise ValueError(likelihoods)
    best = max(range(len(choices)), key=likelihoods.__getitem__)  # the first of equals, as the harness does
    return LoggedAnswer(row, case, choices[best], scores=_shares(choices, likelihoods))


def _choices(arguments: Mapping[str, Mapping[str, str]] | Sequence[Sequence[str]]) -> list[str]:
    """Return the texts that were compared: the last argument of each request."""
    if isinstance(arguments, Mapping):
        return [str(given["arg_1"]).strip() for given in arguments.values()]
    return [str(given[1]).strip() for given in arguments]


def _shares(choices: Sequence[str], likelihoods: Sequence[float]) -> dict[str, float]:
    """Return how likely each choice is among the choices."""
    most = max(likelihoods)
    weights = [math.exp(likelihood - most) for likelihood in likelihoods]
    return {choice: weight / sum(weights) for choice, weight in zip(choices, weights, strict=True)}
