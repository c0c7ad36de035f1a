"""What the list pages of this app share."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from accounts.models import ApiToken
from core.text import _

PER_PAGE = 50
# Where an invitation or a token stands.
STANDINGS = {
    "open": _("open"),
    "accepted": _("accepted"),
    "withdrawn": _("withdrawn"),
    "expired": _("expired"),
    "usable": _("active"),
    "revoked": _("revoked"),
}


def page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """Return the page the address asks for; a page that does not exist is the nearest one."""
    return Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))


@dataclass(frozen=True, slots=True)
class Row:
    """A secret that was given out, as `accounts/secrets_table.html` shows it: an invitation or a token.

    `end` is the address of the step that makes it unusable, "" where it is unusable already.
    """

    title: str
    cells: Mapping[str, str]
    standing: str
    is_good: bool
    end: str = ""
    warning: str = ""
    note: str = ""


def day(moment: datetime | None, *, style: str = "SHORT_DATE_FORMAT") -> str:
    """Return a day as the reader writes it, "never" for none."""
    return date_format(localtime(moment), style) if moment else str(_("never"))


def token_row(token: ApiToken, route: str, *args: int) -> Row:
    """Return the line of a token; `route` with its arguments is the step that revokes it."""
    is_usable = token.standing == "usable"
    return Row(
        title=token.name,
        cells={
            _("Begins with"): f"{token.start}…",
            _("Access"): token.get_scope_display(),
            _("Last used"): day(token.last_used_at, style="SHORT_DATETIME_FORMAT"),
            _("Expires"): day(token.expires_at),
        },
        standing=STANDINGS[token.standing],
        is_good=is_usable,
        end=reverse(route, args=args) if is_usable else "",
        warning=_("Programs that use “%(name)s” will be refused immediately.", name=token.name),
    )
