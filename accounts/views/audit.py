"""Who did what and when: maintainers see everything, everybody else what they did."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.forms import AuditFilterForm
from accounts.models import AuditEvent
from accounts.models.audit import AuditEventQuerySet
from accounts.views.lists import page_of
from accounts.views.signed_in import person_of

COLUMNS = ["at", "who", "action", "subject_kind", "subject_key", "facts", "request_id"]
STARTS_A_FORMULA = tuple("=+-@＝＋－＠\t\r\n")


def _events(request: HttpRequest, form: AuditFilterForm) -> AuditEventQuerySet:
    rows = AuditEvent.objects.visible_to(person_of(request)).select_related("actor")
    return rows.matching(**form.cleaned_data) if form.is_valid() else rows.none()


@login_required
@require_safe
def audit_page(request: HttpRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET)
    context = {"page": page_of(request, _events(request, form)), "form": form}
    return render(request, "accounts/audit.html", context)


class _Echo:
    """Hands each written row on instead of keeping it."""

    def write(self, row: str) -> str:
        return row


def _as_text(value: str) -> str:
    """Spreadsheets run what looks like a formula; an apostrophe makes it text."""
    return f"'{value}" if value.startswith(STARTS_A_FORMULA) else value


def _lines(rows: AuditEventQuerySet) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for event in rows.iterator(chunk_size=2000):
        facts = json.dumps(event.facts, ensure_ascii=False, sort_keys=True)
        cells = [event.who, event.action, event.subject_kind, event.subject_key, facts, event.request_id]
        yield writer.writerow([event.at.isoformat(), *map(_as_text, cells)])


@login_required
@require_safe
def audit_csv(request: HttpRequest) -> StreamingHttpResponse:
    """All rows the filters leave, not only one page."""
    rows = _events(request, AuditFilterForm(request.GET))
    response = StreamingHttpResponse(_lines(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    return response
