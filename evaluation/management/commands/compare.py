"""Compare two models with stored results: which functionalities got worse?"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from core.commands import DomainCommand
from core.options import API, PAGE, File, Options, option
from curation.finding import find_release
from evaluation.reports.regression import as_junit, as_markdown, describe_regression
from evaluation.results.changes import judge_runs
from evaluation.results.reporting import newest_runs


class ComparisonOptions(Options):
    """Compare two models with results on a release."""

    verb = "compare models"
    without = {PAGE: "Pages compare two runs by a link.", API: "The API compares two runs by their keys."}
    release: str = option(help="The release, as SUITE@VERSION.", positional=True, metavar="SUITE@VERSION")
    before: str = option(help="Name or key of a model, or key of a run.", positional=True, metavar="BEFORE")
    after: str = option(help="The same for the model after the change.", positional=True, metavar="AFTER")
    max_drop: float | None = option(
        None,
        help="Count as worse also what lost more than this share, certain or not, for example 0.1.",
        least=0,
        most=1,
        metavar="SHARE",
    )
    junit: File | None = option(None, help="Write JUnit XML for a build server.", metavar="FILE")
    markdown: File | None = option(None, help="Write a comment for a pull request.", metavar="FILE")


class Command(DomainCommand):
    help = "Compare two models with results on a release: which functionalities got worse? Exits with 1 if any did."
    options = ComparisonOptions

    def handle(self, *args: Any, **options: Any) -> None:
        self.worse: list[str] | None = None
        super().handle(*args, **options)
        if self.worse is not None:
            raise CommandError(f"The model got worse: {', '.join(self.worse) or 'all cases together'}")

    def perform(self, chosen: ComparisonOptions) -> dict[str, Any]:
        runs = newest_runs(find_release(chosen.release), [chosen.before, chosen.after])
        judged = judge_runs(runs, max_drop=chosen.max_drop)
        for file, text in ((chosen.junit, as_junit(judged)), (chosen.markdown, as_markdown(judged))):
            if file:
                Path(file).parent.mkdir(parents=True, exist_ok=True)
                Path(file).write_text(text, encoding="utf-8")
        if judged["is_worse"]:
            self.worse = judged["worse"]
        return judged

    def describe(self, result: dict[str, Any]) -> str:
        return describe_regression(result)
