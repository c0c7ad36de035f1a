"""What the lists of data sets, attacks and splits share: search, sort and pages by the address."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

PER_PAGE = 50


def listed(request: HttpRequest, rows: QuerySet[Any, Any], *, sorts: dict[str, str], default: str) -> Page[Any]:
    """One page of the rows, sorted as the address says; an unknown order is the default one."""
    asked = request.GET.get("sort", "")
    column = sorts.get(asked.removeprefix("-"))
    order = f"{'-' if asked.startswith('-') else ''}{column}" if column else default
    return Paginator(rows.order_by(order, "-pk"), PER_PAGE).get_page(request.GET.get("page"))


def is_live(*things: Model | None) -> bool:
    """Whether one of the jobs is still on its way."""
    return any(job is not None and not job.is_finished for job in things)  # type: ignore[attr-defined]
