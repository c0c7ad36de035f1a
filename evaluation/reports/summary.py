"""The result of a model in one sentence: how many functionalities it fails, and which are worst."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.text import _, ngettext
from evaluation.reports.names import Names

FAILED = 0.5  # below it guessing does better
NAMED = 3


@dataclass(frozen=True, slots=True)
class Summary:
    """`for_certain` counts the failed functionalities whose whole 95% interval lies below one half."""

    model: str
    functionalities: int
    failed: int
    for_certain: int
    worst: tuple[tuple[str, str, float], ...]  # key, title, accuracy

    @property
    def sentence(self) -> str:
        """`Fails 6 of 29 functionalities, 4 of them for certain; worst: ...`; empty where nothing was measured."""
        if not self.functionalities:
            return ""
        named = [
            _("%(functionality)s (%(share)s%%)", functionality=title, share=float(f"{100 * share:.1f}"))
            for key, title, share in self.worst
        ]
        if self.failed and self.for_certain:
            return ngettext(
                "Fails %(failed)s of %(count)s functionality, %(certain)s of them for certain; worst: %(worst)s.",
                "Fails %(failed)s of %(count)s functionalities, %(certain)s of them for certain; worst: %(worst)s.",
                self.functionalities,
                failed=self.failed,
                certain=self.for_certain,
                worst=named,
            )
        if self.failed:
            return ngettext(
                "Fails %(failed)s of %(count)s functionality; worst: %(worst)s.",
                "Fails %(failed)s of %(count)s functionalities; worst: %(worst)s.",
                self.functionalities,
                failed=self.failed,
                worst=named,
            )
        if named:
            return ngettext(
                "Fails none of %(count)s functionality; weakest: %(weakest)s.",
                "Fails none of %(count)s functionalities; weakest: %(weakest)s.",
                self.functionalities,
                weakest=named,
            )
        return ngettext(
            "Fails none of %(count)s functionality.", "Fails none of %(count)s functionalities.", self.functionalities
        )


def summary_of(model: str, values: Mapping[str, Any], names: Names) -> Summary:
    """Summarise the measures of one model by functionality."""
    measured = {key: found for key, found in values["by_functionality"].items() if found["accuracy"] is not None}
    failed = {key: found for key, found in measured.items() if found["accuracy"] < FAILED}
    imperfect = failed or {key: found for key, found in measured.items() if found["accuracy"] < 1}
    worst = sorted(imperfect, key=lambda key: imperfect[key]["accuracy"])[:NAMED]
    return Summary(
        model,
        len(measured),
        len(failed),
        sum(bool(found["ci95"]) and found["ci95"][1] < FAILED for found in failed.values()),
        tuple((key, names.of("functionality", key), measured[key]["accuracy"]) for key in worst),
    )
