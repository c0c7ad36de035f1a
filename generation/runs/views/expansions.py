"""Combinatorial expansion of templates: choose, see how many there are, make all or a sample."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.models import Job
from core.permissions import can_author
from core.text import _, catalogue_name, catalogue_names, ngettext, recall
from curation.models import Functionality, Language, Suite
from generation.pages import expert_of, suite_asked_for
from generation.runs.expanding import KIND, count_expansion, group_title, request_expansion
from generation.runs.forms import ExpansionForm, problems_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def expansion_page(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    form = ExpansionForm(request.POST or None, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            job = request_expansion(form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("generation:expansion-result", job.key)
    earlier = Job.objects.visible_to(by).filter(kind=KIND, state="done")[:10]
    suites = dict(Suite.objects.values_list("key", "name"))
    languages = catalogue_names(Language.objects.values_list("code", "name"))
    context = {
        "form": form,
        "earlier": [
            (
                job,
                suites.get(job.result["suite"], job.result["suite"]),
                languages.get(job.result["language"], job.result["language"]),
            )
            for job in earlier
            if job.result
        ],
    }
    return render(request, "generation/expansion.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def count_page(request: HttpRequest) -> HttpResponse:
    """Show how many texts the choice gives; nothing is made."""
    by = expert_of(request)
    form = ExpansionForm(request.POST)
    if not form.is_valid():
        return render(request, "generation/expansion_count.html", {"problems": problems_of(form)})
    try:
        count = count_expansion(form.chosen)
        context: dict[str, Any] = {"choice": form.chosen, "count": count}
    except DomainError as error:
        context = {"problems": [str(error)]}
    else:
        context["can_expand"] = can_author(by, count.language)
        context |= _tables(count.by_group, count.by_functionality)
    return render(request, "generation/expansion_count.html", context)


@login_required
@require_safe
def result_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the outcome, live while it is made."""
    by = expert_of(request)
    job = get_object_or_404(Job.objects.visible_to(by).filter(kind=KIND), key=key)
    result = recall(job.result) if job.state == "done" else None
    choice = job.payload["choice"]
    context = {
        "job": job,
        "choice": choice,
        "chosen": _in_words(choice),
        "result": result,
        "suite": Suite.objects.filter(key=choice["suite"]).first(),
    }
    if result:
        context |= _tables(result.get("by_group", {}), result.get("by_functionality", {}))
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/expansion_live.html" if part else "generation/expansion_result.html", context)


def _tables(by_group: Mapping[str, int], by_functionality: Mapping[str, int]) -> dict[str, Any]:
    """Return the counts with titles: groups, and functionalities with their keys."""
    titles = catalogue_names(Functionality.objects.filter(key__in=by_functionality).values_list("key", "title"))
    return {
        "by_group": [(group_title(name), size) for name, size in by_group.items()],
        "by_functionality": [(key, titles.get(key, key), size) for key, size in by_functionality.items()],
    }


def _in_words(choice: Mapping[str, Any]) -> list[str]:
    """Return the options of an expansion as its page names them."""
    language = Language.objects.filter(code=choice["language"]).first()
    keys = choice.get("functionalities", [])
    titles = catalogue_names(Functionality.objects.filter(key__in=keys).values_list("key", "title"))
    words: list[str] = [catalogue_name(language.name) if language else choice["language"]]
    words += [titles.get(key, key) for key in keys] or [_("all functionalities")]
    if size := choice.get("size"):
        words.append(
            ngettext(
                "a sample of %(count)s text with seed %(seed)s",
                "a sample of %(count)s texts with seed %(seed)s",
                size,
                seed=str(choice["seed"]),
            )
        )
    else:
        words.append(_("all texts"))
    if similarity := choice.get("similarity"):
        words.append(_("without near duplicates from a similarity of %(similarity)s", similarity=similarity))
    if choice.get("across_groups"):
        words.append(_("words of different groups combined"))
    return words


def _initial(request: HttpRequest) -> dict[str, Any]:
    """Return what the address asks for, with the first language of the suite."""
    asked = suite_asked_for(request)
    first = asked.languages.order_by("code").first() if asked else None
    initial: dict[str, Any] = {"suite": asked.key if asked else "", "language": first.code if first else ""}
    if keys := request.GET.getlist("functionality"):
        initial["functionalities"] = keys
    return initial | {name: request.GET[name] for name in ("language", "size", "seed") if name in request.GET}
