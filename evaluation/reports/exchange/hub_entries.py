"""Entries for the folder `.eval_results` of a model on the Hugging Face Hub.

One entry for all cases and one per language, under the ids of the tasks in the `eval.yaml` of an exported release. The
value is the accuracy in percent, what inspect_ai reports for these tasks.
"""

from collections.abc import Iterator
from typing import Any

from core.text import _
from evaluation.reports.exchange.evaluated import HUB_ID, Evaluated


class NoEntries(ValueError):
    """The results cannot be told to the hub; the message is a text for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def as_hub_entries(evaluated: Evaluated) -> str:
    """Return the YAML file. Refuses results on a release whose dataset on the hub is not named."""
    import yaml

    if not HUB_ID.fullmatch(evaluated.hub_dataset):
        raise NoEntries(
            _(
                "'%(dataset)s' is not a dataset on the Hugging Face Hub. Name the one that holds the release, such as "
                "my-lab/%(suite)s.",
                dataset=evaluated.hub_dataset,
                suite=evaluated.suite,
            )
        )
    entries = list(_entries(evaluated))
    text: str = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=120)
    return text


def _entries(evaluated: Evaluated) -> Iterator[dict[str, Any]]:
    by_language = evaluated.measures["by_language"]
    if not evaluated.languages:
        yield _entry(evaluated, evaluated.suite, evaluated.overall)
    if evaluated.languages or len(by_language) > 1:
        for language, found in sorted(by_language.items()):
            yield _entry(evaluated, f"{evaluated.suite}_{language}", found)


def _entry(evaluated: Evaluated, task: str, found: Any) -> dict[str, Any]:
    macro = "" if found["macro_f1"] is None else f", macro F1 {100 * found['macro_f1']:.2f}"
    return {
        "dataset": {"id": evaluated.hub_dataset, "task_id": task},
        "value": round(100 * found["accuracy"], 2),
        "date": evaluated.finished_at.isoformat(timespec="seconds"),
        "notes": f"Accuracy in percent on {evaluated.release}, {found['n']} cases{macro}. "
        f"Release sha256 {evaluated.sha256}. Measured with Touchstone {evaluated.software}.",
    }
