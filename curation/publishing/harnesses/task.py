"""What every harness needs to know about a release: names, labels, the question and its languages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.inference.questions import label_pattern, question_about
from curation.publishing.values import ReleaseHead

FOLDER = "harnesses"
CASES = "cases"  # the folder with one file per language, below FOLDER
TEXT, LABEL, POSITIVE = "test_case", "label_gold", "unsafe"
KEPT = ("case_id", "language", "functionality")  # what a harness keeps with each answer


@dataclass(frozen=True, slots=True)
class ReleaseTask:
    """A release as a task. `languages` are those that its cases are in, in order."""

    head: ReleaseHead
    languages: Sequence[str]
    sha256: str

    @property
    def name(self) -> str:
        """Return a name that no built-in task of a harness has."""
        return f"touchstone_{self.head.suite}"

    @property
    def question(self) -> str:
        return question_about(self.head.labels)

    @property
    def pattern(self) -> str:
        return label_pattern(self.head.labels)

    @property
    def is_binary(self) -> bool:
        return len(self.head.labels) == 2

    def name_in(self, language: str) -> str:
        """Return the name of the part in one language."""
        return f"{self.name}_{language}"

    def cases_in(self, language: str) -> str:
        """Return the file with the cases in one language, as seen from the folder with the task files."""
        return f"{CASES}/{language}.jsonl"

    def as_json(self) -> dict[str, Any]:
        """Return what task files read at run time."""
        return {
            "task": self.name,
            "release": self.head.reference,
            "sha256": self.sha256,
            "labels": list(self.head.labels),
            "languages": list(self.languages),
            "question": self.question,
            "pattern": self.pattern,
        }
