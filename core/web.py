"""What pages of all apps share: who is asking, paging, downloads, covered texts, and where to return to."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User
from core.permissions import require_workshop
from core.tables.cells import defuse
from core.tables.writing import csv_stream

PER_PAGE = 50
COOKIE = "texts"


def author_of(request: HttpRequest) -> User:
    """Whoever is signed in, if the workshop is open to them; refuses everybody else."""
    require_workshop(request.user)
    return cast(User, request.user)


def page_of(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int = PER_PAGE) -> Page[Any]:
    """The page the address asks for; one that does not exist is the nearest one."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def csv_download(
    name: str, header: Sequence[str], rows: Iterable[Sequence[str]], *, exact: bool = False
) -> StreamingHttpResponse:
    """A CSV file, streamed; cells that a spreadsheet would run as a formula are defused.

    `exact` leaves every cell as it is, for files that other programs read byte for byte.
    """
    cells = rows if exact else ([defuse(cell) for cell in row] for row in rows)
    return StreamingHttpResponse(
        csv_stream(header, cells),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


def texts_are_covered(request: HttpRequest) -> bool:
    """Texts are covered until the person asks to see them; the choice lasts as long as the browser is open."""
    return request.COOKIES.get(COOKIE) != "shown"


def address_to_return_to(request: HttpRequest, *, otherwise: str) -> str:
    """The address on this site that a form names in `back`; another where it names none or a foreign one."""
    back = request.POST.get("back", "")
    # A path, not any relative address: a bare word would be taken for the name of a view.
    safe = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()})
    return back if safe else otherwise


def address_of(name: str, *args: str) -> str:
    """The address of a page, "" where no part of the site provides it."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


class SignedInRequest(HttpRequest):
    user: User
