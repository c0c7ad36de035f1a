"""Group names that look like the same group spelt in two ways."""

from collections.abc import Iterable

from core.tables.problems import Problem
from core.text import _


def folded(name: str) -> str:
    """A name without what people spell in different ways: capitals, outer blanks and the plural s."""
    return " ".join(name.casefold().split()).removesuffix("s")


def warn_of_look_alikes(names: Iterable[tuple[str, str, int | None]], *, column: str) -> list[Problem]:
    """A warning for every name (with its file and row) that is spelt otherwise than its first look-alike."""
    first: dict[str, tuple[str, str, int | None]] = {}
    warned: set[tuple[str, str]] = set()
    problems: list[Problem] = []
    for name, file, row in names:
        if not name.strip():
            continue
        spelling, where, number = first.setdefault(folded(name), (name, file, row))
        if spelling != name and (name, file) not in warned:
            warned.add((name, file))
            problem = (
                _(
                    "the group '%(name)s' is called '%(spelling)s' in %(file)s, row %(row)s; both spellings are kept",
                    name=name,
                    spelling=spelling,
                    file=where,
                    row=number,
                )
                if number
                else _(
                    "the group '%(name)s' is called '%(spelling)s' in %(file)s; both spellings are kept",
                    name=name,
                    spelling=spelling,
                    file=where,
                )
            )
            fix = _("write '%(spelling)s' if it is the same group", spelling=spelling)
            problems.append(Problem(file, row, column, problem, fix, "warning"))
    return problems
