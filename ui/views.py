"""The theme switch without scripts, and the gallery of all components."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from ui.gallery import GalleryForm, example_matrix, example_rows
from ui.navigation import THEMES

YEAR = 365 * 24 * 60 * 60


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Remember light, dark or (anything else) what the reader's system says, and go back."""
    came_from = request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(
        came_from, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(came_from if safe else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax", secure=request.is_secure())
    else:
        response.delete_cookie("theme", samesite="Lax")
    return response


def gallery(request: HttpRequest) -> HttpResponse:
    """All components on one page, for those who build pages; ?theme=dark and ?dir=rtl show the other looks."""
    if not (settings.DEBUG or getattr(request.user, "is_staff", False)):
        raise Http404
    wrong = GalleryForm(auto_id="wrong_%s", data={"name": "", "language": "de", "kind": "identity"})
    context = {
        "form": GalleryForm(initial={"language": "de"}),
        "wrong_form": wrong,
        "rows": example_rows(),
        "matrix": example_matrix(),
        "page": Paginator(range(1, 482), 50).get_page(3),
        "page_direction": "rtl" if request.GET.get("dir") == "rtl" else "",
    }
    theme = request.GET.get("theme", "")
    if theme in THEMES:
        context["theme"] = theme
    return render(request, "ui/gallery.html", context)
