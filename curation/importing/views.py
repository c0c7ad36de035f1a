"""The pages of importing a suite."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from core.models import Job
from core.permissions import require_maintainer
from core.web import author_of
from curation.formats.plain import OPTIONAL, PLAIN, REQUIRED
from curation.importing.forms import ImportForm
from curation.importing.uploads import import_what_was_tried, request_import


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Upload a file. A job reads it, and its report says what was imported or what is wrong."""
    by = author_of(request)
    require_maintainer(by)
    start = {"suite": request.GET.get("suite", ""), "format": PLAIN.name, "dry_run": True}
    form = ImportForm(request.POST or None, request.FILES or None, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(request_import(form.chosen, by=by))
        except DomainError as error:
            form.add_error("file", str(error))
    context = {"form": form, "required": REQUIRED, "optional": sorted(OPTIONAL)}
    return render(request, "curation/import.html", context)


@login_required
@require_POST
def import_for_real(request: HttpRequest, key: str) -> HttpResponse:
    """Import the file of a dry run, without a second upload."""
    by = author_of(request)
    require_maintainer(by)
    job = get_object_or_404(Job.objects.visible_to(by), key=key)
    return redirect(import_what_was_tried(job, by=by))
