"""Why a text is unrealistic: as it is stored and exported, and as people read it."""

from core.text import Text, _

REASONS: dict[str, Text] = {
    "Nobody would say this": _("People do not talk like this"),
    "The grammar or spelling is wrong": _("The grammar or spelling is wrong"),
    "The word does not fit": _("The word does not fit the sentence"),
    "It makes no sense": _("It makes no sense"),
}


def reason_in_words(stored: str) -> str:
    """Return a stored reason as people read it; what an annotator wrote stays as it is."""
    reason, _colon, details = stored.partition(": ")
    known = REASONS.get(reason)
    if known is None:
        return stored
    return _("%(reason)s: %(details)s", reason=known, details=details) if details else known
