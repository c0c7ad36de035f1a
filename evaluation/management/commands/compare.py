"""Compare two models with stored results: which functionalities got worse?"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from core.commands import DomainCommand
from core.errors import BadInput
from curation.finding import find_release
from evaluation.reports.regression import as_junit, as_markdown, changed_cases, describe_regression, judge
from evaluation.results.comparing import columns_of, compare_runs
from evaluation.results.reporting import newest_runs, titled
from evaluation.runs.scoring import case_rows


class Command(DomainCommand):
    help = "Compare two models with results on a release: which functionalities got worse? Exits with 1 if any did."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument("before", metavar="BEFORE", help="name or key of a model, or key of a run")
        parser.add_argument("after", metavar="AFTER", help="the same for the model after the change")
        parser.add_argument(
            "--max-drop",
            type=float,
            metavar="SHARE",
            help="worse is also what lost more than this share, certain or not, for example 0.1",
        )
        parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML for a build server")
        parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a comment for a pull request")

    def handle(self, *args: Any, **options: Any) -> None:
        self.worse: list[str] | None = None
        super().handle(*args, **options)
        if self.worse is not None:
            raise CommandError(f"The model got worse: {', '.join(self.worse) or 'all cases together'}")

    def perform(self, **options: Any) -> dict[str, Any]:
        max_drop = options["max_drop"]
        if max_drop is not None and not 0 <= max_drop <= 1:
            raise BadInput(f"--max-drop is {max_drop:g}. Give a share between 0 and 1, for example 0.1.")
        release = find_release(options["release"])
        runs = newest_runs(release, [options["before"], options["after"]])
        if len(runs) != 2:
            raise BadInput("A model against itself says nothing. Name two models, or two runs by their keys.")
        cases = case_rows(release)
        judged = judge(
            compare_runs(*runs),
            release=release.key,
            **dict(zip(("before", "after"), titled(runs), strict=True)),
            cases=changed_cases(*(columns_of(run, cases) for run in runs)),
            max_drop=max_drop,
        )
        for file, text in ((options["junit"], as_junit(judged)), (options["markdown"], as_markdown(judged))):
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        if judged["is_worse"]:
            self.worse = judged["worse"]
        return judged

    def describe(self, result: dict[str, Any]) -> str:
        return describe_regression(result)
