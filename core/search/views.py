"""The search: a page, and the same list for the dialog that a key opens."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.search.finding import find
from core.web import texts_are_covered


def search_page(request: HttpRequest) -> HttpResponse:
    """Show what a person may see and the words of `?q=` fit; only the list where htmx asks."""
    words = request.GET.get("q", "").strip()
    context = {"words": words, "found": find(request.user, words), "covered": texts_are_covered(request)}
    part = request.headers.get("HX-Request") == "true"
    return render(request, "core/search/found.html" if part else "core/search/page.html", context)
