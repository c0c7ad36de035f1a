"""What the list pages of this app share."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

PER_PAGE = 50


def page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """The page the address asks for; a page that does not exist is the nearest one."""
    return Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
