"""Download the audit log. Its page is in accounts, which lies below the writer of tables."""

import json

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.forms import AuditFilterForm
from accounts.views.audit import chosen_events
from core.web import csv_download

COLUMNS = ("at", "who", "action", "subject_kind", "subject_key", "facts", "request_id")


@login_required
@require_safe
def audit_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Return all events that the filters leave, not only one page."""
    events = chosen_events(request, AuditFilterForm(request.GET)).iterator(chunk_size=2000)
    rows = (
        (
            event.at.isoformat(),
            event.who,
            event.action,
            event.subject_kind,
            event.subject_key,
            json.dumps(event.facts, ensure_ascii=False, sort_keys=True),
            event.request_id,
        )
        for event in events
    )
    return csv_download("audit", COLUMNS, rows)
