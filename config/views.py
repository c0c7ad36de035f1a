"""The home page and error pages."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.api_errors import PROBLEM
from config.home import cards_for
from core.models import Job
from core.text import _
from curation.models import Release


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    releases = Release.objects.visible_to(request.user).published().select_related("suite", "withdrawal")[:12]
    context = {"releases": releases, "cards": cards_for(request.user)}
    if request.user.is_authenticated:
        jobs = Job.objects.visible_to(request.user).unfinished()
        context["under_way"] = jobs.defer("payload", "checkpoint", "result")[:5]
    return render(request, "ui/home.html", context)


PROBLEMS = {
    400: ("bad_request", _("The request cannot be read.")),
    403: ("permission_denied", _("This needs another role.")),
    404: ("not_found", _("There is nothing at this address. /api/schema/ lists all addresses.")),
    500: ("server_error", _("An error on our side. The id of the request is in X-Request-ID.")),
}


def _error(request: HttpRequest, status: int) -> HttpResponse:
    """A page for people; problem details under /api/, where programs read."""
    if request.path.startswith("/api/"):
        code, title = PROBLEMS[status]
        problem = {"code": code, "title": str(title), "status": status}
        return JsonResponse(problem, status=status, content_type=PROBLEM)
    return render(request, f"{status}.html", status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return _error(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", {"reason": reason}, status=403)
