"""Why a figure is undefined. Stored measures keep these sentences in English; pages show them in every language."""

from core.statistics.significance import FEWEST, NO_DIFFERENCE, TOO_FEW
from core.text import _

NO_SCORES = _("the model gives labels without scores")
NO_PROBABILITIES = _("scores are not between 0 and 1, so they are no probabilities")
MANY_LABELS = _("with more than two labels no score is cut at a threshold")
ONE_LABEL = _("needs cases with and without the positive label")
NO_LABELS = _("the release holds no labels of annotators")
TOO_FEW_GROUPS = _("a gap needs at least two groups")
NOT_MATCHED = _("no template, and no functionality of a language, has this group beside another one")
NO_VARIANCE = _("the model treats the groups alike on every template")
TOO_FEW_TEMPLATES = _("too few templates to tell: fewer than %(fewest)s differ between the groups", fewest=FEWEST)
FEW_TEMPLATES = _("too few templates to tell: fewer than %(fewest)s", fewest=FEWEST)

KNOWN: dict[str, str] = {
    reason: reason
    for reason in (
        *(NO_DIFFERENCE, TOO_FEW, NO_SCORES, NO_PROBABILITIES, MANY_LABELS, ONE_LABEL, NO_LABELS),
        *(TOO_FEW_GROUPS, NOT_MATCHED, NO_VARIANCE, TOO_FEW_TEMPLATES, FEW_TEMPLATES),
    )
}


def recall_reason(stored: str) -> str:
    """Return a stored reason as a text that can be shown in the reader's language; others as they are."""
    return KNOWN.get(stored, stored)
