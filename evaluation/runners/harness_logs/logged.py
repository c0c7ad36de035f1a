"""The answers in a log of a harness, whichever harness wrote it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from core.inference.errors import ConfigurationError
from core.tables.problems import Problem
from core.text import _

CASE_IDS = ("case_id", "mhc_case_id", "id", "key")


@dataclass(frozen=True, slots=True)
class LoggedAnswer:
    """One answer. `row` is the line or number of the sample; `text` is "" where the harness found no answer.

    `written` is what the model wrote, `scores` how likely it finds each answer, by text.
    """

    row: int
    case: str
    text: str
    written: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class HarnessLog:
    """All answers of a log. `kind` says what their texts are.

    *chosen*: one of a few answers that the harness offered; *extracted*: what the harness found in the text that the
    model wrote; *written*: that text itself, as the harness kept no more.
    """

    harness: str
    part: str  # the scorer or filter they come from, "" where there is only one
    kind: Literal["chosen", "extracted", "written"]
    answers: tuple[LoggedAnswer, ...]


def case_of(values: Mapping[str, Any]) -> str:
    """Return the case id among the values of a sample, "" where there is none."""
    by_name = {name.lower(): value for name, value in values.items()}
    found = next((by_name[name] for name in CASE_IDS if by_name.get(name) not in (None, "")), "")
    return str(found)


def chosen_part(path: Path, known: list[str], wanted: str | None, *, called: str) -> str:
    """Return the scorer or filter to read: the one named, or the only one. Refuses any other choice."""
    if wanted:
        if wanted in known:
            return wanted
        what = _("it has no %(called)s '%(name)s'", called=called, name=wanted)
        raise refusal(path, what, _("It has: %(columns)s.", columns=known))
    if len(known) == 1:
        return known[0]
    what = _("it has the answers of several (%(called)s): %(names)s", called=called, names=known)
    raise refusal(path, what, _("Say as the column which one to take."))


def refusal(path: Path, what: str, fix: str, *, row: int | None = None) -> ConfigurationError:
    """Return one problem of a log as an exception."""
    return ConfigurationError([Problem(path.name, row, None, what, fix)])
