"""How texts are shown to the reader of this request: Django's catalogues and the formats of the locale."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.utils import formats, timezone, translation

from core.text import CATALOGUE_CONTEXT, Language


def show(value: Any) -> str:
    """Return a value of a text in the reader's locale."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return formats.number_format(value, use_l10n=True, force_grouping=True)
    if isinstance(value, datetime):
        moment = timezone.localtime(value) if timezone.is_aware(value) else value
        return formats.date_format(moment, "DATETIME_FORMAT", use_l10n=True)
    if isinstance(value, date):
        return formats.date_format(value, "DATE_FORMAT", use_l10n=True)
    if isinstance(value, list | tuple):
        return listed(value)
    return str(value)


def catalogued(name: str) -> str:
    """Return what the catalogue calls something, in the reader's language; own names stay as they are."""
    return translation.pgettext(CATALOGUE_CONTEXT, name) if name else name


def listed(values: Iterable[Any]) -> str:
    """Return values one after another, with the comma of the reader's language."""
    return translation.pgettext("between the members of a list", ", ").join(show(value) for value in values)


READER = Language(
    gettext=translation.gettext,
    ngettext=translation.ngettext,
    pgettext=translation.pgettext,
    npgettext=translation.npgettext,
    show=show,
)
