"""Look for test cases in training data."""

from typing import Any

from core.commands import DomainCommand
from evaluation.datasets.labelled_files import read_file
from evaluation.training.feedback import check_contamination, releases_of
from evaluation.training.options import ContaminationOptions


class Command(DomainCommand):
    help = "Say which cases of releases stand in labelled files, word for word or nearly."
    options = ContaminationOptions

    def perform(self, chosen: ContaminationOptions) -> dict[str, Any]:
        releases = releases_of(chosen.releases)
        columns = {"text_column": chosen.text_column or None, "label_column": chosen.label_column or None}
        found = [
            check_contamination(
                read_file(path, **columns)[0], releases, similarity=chosen.similarity, progress=self.show_progress
            )
            for path in chosen.data
        ]
        return {"files": found}

    def describe(self, result: dict[str, Any]) -> str:
        lines = []
        for file in result["files"]:
            for release, told in file["releases"].items():
                leaked = told["exact"] + told["near"]
                lines.append(
                    f"{file['data']}: {leaked:,} of {told['cases']:,} cases of {release} ({told['exact']:,} word for "
                    f"word, {told['near']:,} nearly) in {told['rows']:,} rows"
                )
                lines += [
                    f"  row {leak['row']}: {leak['case']} ({leak['similarity']:.0%})" for leak in told["leaks"][:10]
                ]
        return "\n".join(lines) or "There is no published release to compare with."
