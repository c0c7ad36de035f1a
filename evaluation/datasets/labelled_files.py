"""Labelled files of any user: read with located problems, and the rows that mean abuse told apart."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.tables.decoding import Unreadable, read_text
from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.datasets.files.reading import read_labelled
from evaluation.datasets.files.values import LabelledData, Reading

# Only for files with two labels; with more, what is abuse is the user's decision.
ABUSIVE_NAMES = frozenset(
    {"abusive", "hateful", "hate", "hate speech", "offensive", "toxic", "abuse", "1", "yes", "true"}
)


def refuse_problems(what: str, problems: Sequence[Problem]) -> None:
    """Refuses when an error stands among the problems; the sentence names the first place."""
    errors = [problem for problem in problems if problem.is_error]
    if not errors:
        return
    found = {"what": what, "place": errors[0].place, "problem": errors[0].sentences}
    if more := len(errors) - 1:
        sentence = ngettext(
            "%(what)s %(place)s: %(problem)s (%(count)s more problem)",
            "%(what)s %(place)s: %(problem)s (%(count)s more problems)",
            more,
            **found,
        )
    else:
        sentence = _("%(what)s %(place)s: %(problem)s", **found)
    raise BadInput(sentence, problems=[asdict(problem) for problem in problems])


def read_file(path: str | Path, **options: Any) -> tuple[LabelledData, Reading]:
    """The labelled rows of a file. Options are those of `read_labelled`. Refuses a file with any error in it."""
    reading = read_labelled(path, **options)
    refuse_problems(_("The file cannot be used."), reading.problems)
    assert reading.data is not None
    return reading.data, reading


def read_lines(path: str | Path) -> list[str]:
    """Return the lines of a text file that are not blank, without blanks around them. Refuses what is no text."""
    try:
        lines = read_text(Path(path)).splitlines()
    except Unreadable as error:
        refuse_problems(_("The file cannot be used."), [error.located(Path(path).name)])
        raise
    return [line.strip() for line in lines if line.strip()]


def part_or_all(data: LabelledData, part: str) -> LabelledData:
    """The rows of that part; every row where the file names no parts at all. Refuses a file of other parts only."""
    if part in data.splits:
        return data.part(part)
    named = sorted({name for name in data.splits if name})
    if named:
        raise BadInput(
            _(
                "%(source)s has no rows of the part '%(part)s'. Its parts are: %(parts)s. Name another column with "
                "--split-column, or give a file for each part.",
                source=data.source,
                part=part,
                parts=named,
            )
        )
    return data


def find_abusive(labels: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """The labels that mean abuse: those named, or the obvious one of two.

    Refuses labels that do not occur, all labels at once, and any guess among more than two.
    """
    known = sorted(set(labels))
    if named:
        unknown = sorted(set(named) - set(known))
        if unknown:
            raise BadInput(
                _("No row is labelled '%(label)s'. The labels are: %(labels)s.", label=unknown[0], labels=known)
            )
        if set(named) == set(known):
            raise BadInput(
                _("You chose every label as abusive (%(labels)s). An attack needs both classes.", labels=known)
            )
        return tuple(sorted(set(named)))
    obvious = [label for label in known if label.strip().lower() in ABUSIVE_NAMES]
    if len(known) != 2 or len(obvious) != 1:
        raise BadInput(
            _(
                "It is not clear which labels mean abuse. The labels are: %(labels)s. Name the abusive ones (on the "
                "command line: --abusive).",
                labels=known,
            )
        )
    return tuple(obvious)
