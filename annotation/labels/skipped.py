"""What an import leaves out, in words."""

from collections.abc import Callable, Mapping

from annotation.labels.files import ALREADY_HERE, CHECK, EARLIER, NO_SUCH_CASE, OTHER_ANSWER
from annotation.labels.tools.base import DRAFT, REJECTED, UNANSWERED
from core.text import Text, _, ngettext

SKIPPED: dict[str, Callable[[int], Text]] = {
    EARLIER: lambda rows: ngettext(
        "%(count)s earlier or withdrawn answer", "%(count)s earlier or withdrawn answers", rows
    ),
    CHECK: lambda rows: ngettext("%(count)s answer to a check", "%(count)s answers to checks", rows),
    OTHER_ANSWER: lambda rows: ngettext(
        "%(count)s answer to another question", "%(count)s answers to another question", rows
    ),
    NO_SUCH_CASE: lambda rows: ngettext(
        "%(count)s label of a case that is not in the suite",
        "%(count)s labels of cases that are not in the suite",
        rows,
    ),
    ALREADY_HERE: lambda rows: ngettext(
        "%(count)s label that the suite already has", "%(count)s labels that the suite already has", rows
    ),
    UNANSWERED: lambda rows: ngettext(
        "%(count)s text that was skipped or not labelled", "%(count)s texts that were skipped or not labelled", rows
    ),
    DRAFT: lambda rows: ngettext("%(count)s answer that is a draft", "%(count)s answers that are drafts", rows),
    REJECTED: lambda rows: ngettext("%(count)s rejected assignment", "%(count)s rejected assignments", rows),
}


def skipped_text(skipped: Mapping[str, int]) -> str:
    """How many rows were left out, and why, as a sentence; "" where there are none."""
    parts = [counted(skipped[key]) for key, counted in SKIPPED.items() if skipped.get(key)]
    return _("Skipped: %(rows)s.", rows=parts) if parts else ""
