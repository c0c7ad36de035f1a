"""Coverage: functionality by target group, with a way into every hole."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.permissions import can_author
from core.web import author_of
from curation.authoring.pages import chosen_place
from curation.cases.coverage import Row, coverage_matrix


@login_required
@require_safe
def matrix_page(request: HttpRequest) -> HttpResponse:
    """How many cases each functionality has about each group, in one suite and language."""
    author_of(request)
    suite, language, suites, languages = chosen_place(request)
    context: dict[str, object] = {"suite": suite, "language": language, "suites": suites, "languages": languages}
    if suite is not None and language is not None:
        matrix = coverage_matrix(suite, language)
        place = {"suite": suite.key, "language": language.code}
        can_write = can_author(request.user, language.code)
        context |= {
            "matrix": matrix,
            "rows": [(row, _links(row, place, can_write=can_write)) for row in matrix.rows],
            "can_write": can_write,
        }
    return render(request, "curation/matrix.html", context)


def _links(row: Row, place: dict[str, str], *, can_write: bool) -> list[tuple[object, str]]:
    """A hole leads to a new template there, a number to its cases."""
    pairs: list[tuple[object, str]] = []
    for cell in row.cells:
        query = urlencode({**place, "functionality": row.functionality.key, "target": cell.target})
        if cell.cases and cell.target:
            pairs.append((cell, f"{reverse('curation:cases')}?{query}"))
        elif cell.is_hole and can_write:
            pairs.append((cell, f"{reverse('curation:template-new')}?{query}"))
        else:
            pairs.append((cell, ""))
    return pairs
