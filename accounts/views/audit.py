"""Who did what and when: maintainers see everything, everybody else what they did."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.forms import AuditFilterForm
from accounts.models import AuditEvent
from accounts.models.audit import AuditEventQuerySet
from accounts.views.lists import page_of
from accounts.views.signed_in import person_of


def chosen_events(request: HttpRequest, form: AuditFilterForm) -> AuditEventQuerySet:
    """Return the events that the filters leave, among those that the person may see."""
    rows = AuditEvent.objects.visible_to(person_of(request)).select_related("actor")
    return rows.matching(**form.cleaned_data) if form.is_valid() else rows.none()


@login_required
@require_safe
def audit_page(request: HttpRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET)
    context = {"page": page_of(request, chosen_events(request, form)), "form": form}
    return render(request, "accounts/audit.html", context)
