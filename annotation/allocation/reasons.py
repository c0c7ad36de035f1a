"""Why cases cannot be shared out. Needs no numpy, so that pages can say it, too."""

from core.text import ngettext


class NotFeasible(ValueError):
    """The wishes contradict each other; the reason says which, and what would help."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def too_small_a_team(team: int, *, raters: int) -> str:
    """Return why a team of this size cannot label."""
    return ngettext(
        "The team has %(count)s annotator, and each case needs %(raters)s. Add annotators, or ask for fewer labels per "
        "case.",
        "The team has %(count)s annotators, and each case needs %(raters)s. Add annotators, or ask for fewer labels "
        "per case.",
        team,
        raters=raters,
    )
