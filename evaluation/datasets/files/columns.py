"""Which column of a stranger's file holds the text, the label and the part: named by the user, or guessed aloud."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.tables.problems import Problem

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
        problem = f"there is no column '{named}' for the {role}"
        return Found(None, Problem(file, 1, named, problem, f"Choose one of: {', '.join(header)}."))
    by_small_letters = {name.strip().lower(): name for name in reversed(header)}
    present = [by_small_letters[name] for name in COMMON_NAMES[role] if name in by_small_letters]
    if present and (len(present) == 1 or role not in REQUIRED):
        return Found(present[0])
    if present:
        problem = f"'{present[0]}' was taken as the {role}, but {_listed(present[1:])} could be meant too"
        return Found(present[0], Problem(file, 1, present[0], problem, f"Name the {role} column.", severity="warning"))
    if role not in REQUIRED:
        return Found(None)
    problem = f"no column looks like the {role}: none is called {_listed(COMMON_NAMES[role][:6])}"
    return Found(None, Problem(file, 1, None, problem, f"Name the {role} column, one of: {', '.join(header)}."))


def _listed(names: Sequence[str]) -> str:
    return " or ".join(f"'{name}'" for name in names)
