"""What is wrong in a file: where, what, and what to do about it."""

from dataclasses import dataclass
from typing import Literal

from core.text import _

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file, where it is, and what to do about it. Rows count from 1 with the header as row 1."""

    file: str
    row: int | None
    column: str | None
    problem: str
    fix: str
    severity: Severity = "error"

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    @property
    def place(self) -> str:
        """Where it is, as far as that is known: the file, the row and the column."""
        if self.row and self.column:
            return _("%(file)s, row %(row)s, column '%(column)s'", file=self.file, row=self.row, column=self.column)
        if self.row:
            return _("%(file)s, row %(row)s", file=self.file, row=self.row)
        return _("%(file)s, column '%(column)s'", file=self.file, column=self.column) if self.column else self.file

    @property
    def sentences(self) -> str:
        """What is wrong and what to do, without the place."""
        if not self.fix[:1].isupper():
            return _("%(problem)s; %(fix)s.", problem=self.problem, fix=self.fix)
        if not self.problem.endswith("."):
            return _("%(problem)s. %(fix)s", problem=self.problem, fix=self.fix)
        return _("%(problem)s %(fix)s", problem=self.problem, fix=self.fix)
