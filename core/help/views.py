"""Pages of the help: a chapter, and what a search finds. Everyone may read them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from core.help.chapters import FIRST, chapters, search, sections


def help_index(request: HttpRequest) -> HttpResponse:
    """Show what a search finds; without words to search for, lead to the first chapter."""
    words = request.GET.get("q", "").strip()[:200]
    if not words:
        return redirect("core:help-chapter", FIRST)
    return render(request, "core/help/search.html", {"words": words, "found": search(words), "sections": sections()})


def help_chapter(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one chapter."""
    chapter = chapters().get(slug)
    if chapter is None:
        raise Http404
    return render(request, "core/help/chapter.html", {"chapter": chapter, "sections": sections()})
