"""Compares two results: which functionalities got worse, with tests that count templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluation.metrics.compare import compare_models
from evaluation.reports.regression import as_junit, as_markdown, changed_cases, describe_regression, judge
from touchstone.errors import Refused
from touchstone.evaluating import Result

if TYPE_CHECKING:
    import pandas

    from touchstone.pictures import Picture


@dataclass(frozen=True)
class Comparison:
    """A model after a change against the one before."""

    judged: Mapping[str, Any] = field(repr=False)
    results: tuple[Result, Result] | None = field(default=None, repr=False)

    @property
    def is_worse(self) -> bool:
        """Whether all cases together or any functionality got worse."""
        return bool(self.judged["is_worse"])

    @property
    def worse(self) -> list[str]:
        """The functionalities that got worse."""
        return list(self.judged["worse"])

    @property
    def better(self) -> list[str]:
        """The functionalities that got better."""
        return list(self.judged["better"])

    @property
    def broken(self) -> list[str]:
        """The cases that only the model before gets right."""
        return list(self.judged["broken"])

    @property
    def fixed(self) -> list[str]:
        """The cases that only the model after the change gets right."""
        return list(self.judged["fixed"])

    @property
    def by_functionality(self) -> pandas.DataFrame:
        """One row per functionality: accuracy before and after, their difference, p values, verdict."""
        return self._by("functionality")

    @property
    def by_target(self) -> pandas.DataFrame:
        """The same, one row per target group."""
        return self._by("target")

    def _by(self, key: str) -> pandas.DataFrame:
        import pandas

        frame = pandas.DataFrame.from_dict(self.judged[f"by_{key}"], orient="index")
        if not frame.empty:
            frame["difference"] = -frame["difference"]
        frame = frame.rename(columns={"first": "before", "second": "after"})
        return frame.rename_axis(key)

    def plot(self, kind: str = "dumbbell", *, theme: str = "light") -> Picture:
        """Draw both models; `.save("change.pdf")` writes the picture. Needs the extra `reports`."""
        from touchstone.pictures import plot_results

        if self.results is None:
            raise Refused("This comparison does not hold its results. Make it with touchstone.compare.")
        return plot_results(kind, self.results, theme=theme)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values. Differences are those of `compare`: before minus after."""
        return dict(self.judged)

    def as_markdown(self) -> str:
        """Return a comment for a pull request."""
        return as_markdown(self.judged)

    def as_junit(self) -> str:
        """Return JUnit XML."""
        return as_junit(self.judged)

    def __str__(self) -> str:
        return describe_regression(self.judged)


def compare_results(before: Result, after: Result, *, max_drop: float | None = None) -> Comparison:
    """Compare two results on the same cases. Refuses results on different releases.

    With `max_drop` a functionality also got worse where it lost more than this share, certain or not.
    """
    if before.sha256 and after.sha256 and before.sha256 != after.sha256:
        raise Refused(
            f"The results are on different releases: {before.release} ({before.sha256[:12]}) and {after.release} "
            f"({after.sha256[:12]}). Evaluate both models on one release."
        )
    try:
        found = compare_models(before.columns, after.columns)
        cases = changed_cases(before.columns, after.columns)
    except ValueError as error:
        raise Refused(f"{error}.") from error
    if not found["n"]:
        raise Refused("The two results have no case in common. Evaluate both models on one release.")
    names = (before.model, after.model)
    if names[0] == names[1]:
        names = (f"{before.model} (before)", f"{after.model} (after)")
    judged = judge(found, release=after.release, before=names[0], after=names[1], cases=cases, max_drop=max_drop)
    return Comparison(judged, (before, after))
