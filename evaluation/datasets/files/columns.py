"""Which column of a stranger's file holds the text, the label and the part: named by the user, or guessed aloud."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.tables.problems import Problem
from core.text import _

# Most telling name first. "target" is missing on purpose: the label in some files, the attacked group in others.
COMMON_NAMES = {
    "text": (
        "text",
        "tweet",
        "post",
        "example",
        "message",
        "comment",
        "content",
        "sentence",
        "test_case",
        "post_text",
        "body",
        "input",
    ),
    "label": ("label", "class", "label_gold", "gold", "gold_label", "category", "annotation", "y"),
    "split": ("split", "partition", "subset", "set"),
    "id": ("id", "row", "tweet_id", "post_id", "case_id", "comment_id", "uid", "index"),
}
REQUIRED = ("text", "label")
ROLES = {"text": _("Text column"), "label": _("Label column"), "split": _("Part column"), "id": _("Id column")}


@dataclass(frozen=True, slots=True)
class Found:
    """The column taken for one role (None: there is none) and what has to be said about it."""

    name: str | None
    problem: Problem | None = None


def find_column(role: str, *, named: str | None, header: Sequence[str], file: str) -> Found:
    """The column for a role: the one named, else the first common name present. A named column must exist."""
    if named is not None:
        if named in header:
            return Found(named)
        problem = _("%(role)s: there is no column '%(column)s'", role=ROLES[role], column=named)
        return Found(None, Problem(file, 1, named, problem, _("Choose one of: %(columns)s.", columns=list(header))))
    by_small_letters = {name.strip().lower(): name for name in reversed(header)}
    present = [by_small_letters[name] for name in COMMON_NAMES[role] if name in by_small_letters]
    if present and (len(present) == 1 or role not in REQUIRED):
        return Found(present[0])
    if present:
        problem = _(
            "%(role)s: '%(taken)s' was taken, but these could be meant, too: %(others)s",
            role=ROLES[role],
            taken=present[0],
            others=[f"'{name}'" for name in present[1:]],
        )
        return Found(present[0], Problem(file, 1, present[0], problem, _("Name the right column."), severity="warning"))
    if role not in REQUIRED:
        return Found(None)
    problem = _(
        "%(role)s: no column has one of the usual names (%(names)s)", role=ROLES[role], names=COMMON_NAMES[role][:6]
    )
    return Found(
        None, Problem(file, 1, None, problem, _("Name the column, one of: %(columns)s.", columns=list(header)))
    )
