"""Personal data that a model may have made up or remembered: e-mail addresses, telephone numbers, handles."""

import regex

from core.text import _

# Only from the start of a word, and without going back in it: a model that loops writes words of thousands of letters.
_EMAIL = regex.compile(r"(?<![\p{L}\p{N}._%+\-])[\p{L}\p{N}._%+\-]++@[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)*\.\p{L}{2,}")
_HANDLE = regex.compile(r"(?<![\p{L}\p{N}@.])@[\p{L}\p{N}_][\p{L}\p{N}_.]{1,29}")
_PHONE = regex.compile(r"(?<![\p{L}\p{N}.,])(?:\+|00|\()?\d(?:[\s\-/.()]{0,2}\d){6,14}(?![\p{L}\p{N}])")
_LINK = regex.compile(r"\b(?:https?://|www\.)\S+", regex.IGNORECASE)
_DATE_OR_AMOUNT = regex.compile(
    r"\d{1,2}[./\-]\d{1,2}[./\-](?:\d{4}|\d{2})|\d{4}[./\-]\d{1,2}[./\-]\d{1,2}|\d{1,3}(?:[.,\s]\d{3})+|\d{4}\s?[-–/]\s?\d{4}"
)
KINDS: dict[str, str] = {
    "e-mail address": _("e-mail address"),
    "link": _("link"),
    "handle": _("user name"),
    "telephone number": _("telephone number"),
}
# Placeholders of published corpora name no person.
_MASKS = frozenset({"@user", "@username", "@url", "@someone"})


def find_personal_data(text: str) -> list[tuple[str, str]]:
    """(kind, what was found) for each e-mail address, handle, telephone number and link, in that order."""
    found = [("e-mail address", match.group()) for match in _EMAIL.finditer(text)]
    rest = _EMAIL.sub(" ", text)
    found += [("link", match.group()) for match in _LINK.finditer(rest)]
    rest = _LINK.sub(" ", rest)
    found += [("handle", match.group()) for match in _HANDLE.finditer(rest) if match.group().lower() not in _MASKS]
    for match in _PHONE.finditer(rest):
        number = match.group().strip()
        digits = sum(character.isdigit() for character in number)
        if digits >= 7 and not _DATE_OR_AMOUNT.fullmatch(number):
            found.append(("telephone number", number))
    return found
