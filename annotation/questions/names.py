"""Labels that every suite may use, as people read them. What is stored, sent and exported stays the label itself."""

from collections.abc import Sequence

from core.text import Text, pgettext

STANDARD: dict[str, Text] = {
    "hateful": pgettext("label of a text", "hateful"),
    "non-hateful": pgettext("label of a text", "non-hateful"),
}
YES, NO = "yes", "no"
ANSWERS: dict[str, Text] = {YES: pgettext("answer to a question", "yes"), NO: pgettext("answer to a question", "no")}


def label_name(label: str) -> str:
    """Return a label as people read it: standard labels in their language, a suite's own labels as they are."""
    return STANDARD.get(label, label)


def label_names(labels: Sequence[str]) -> list[str]:
    """Return labels as people read them, in the same order."""
    return [label_name(label) for label in labels]
