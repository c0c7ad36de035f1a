"""Suites, languages, functionalities and groups."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import DomainError
from core.permissions import can_maintain, require_maintainer
from core.web import author_of
from curation.catalogue import suites as verbs
from curation.catalogue.applicability import applicability
from curation.catalogue.forms import FunctionalityForm, GroupForm, LanguageForm, SuiteForm
from curation.exporting.suites import named_archive
from curation.models import Functionality, FunctionalityClass, Language, ProtectedGroup, Suite
from curation.releases.rules import standing_decision

SPELLING_LABELS = {
    "capitalise": "Capital letters",
    "articles": "Articles fit the next word",
    "tidy_spaces": "Outer blanks of words are dropped",
    "start": "at the start of the text",
    "sentences": "at the start of every sentence",
}


@login_required
@require_safe
def suites_page(request: HttpRequest) -> HttpResponse:
    """All suites the person may see."""
    found = Suite.objects.visible_to(request.user).prefetch_related("languages")
    if words := request.GET.get("q", "").strip():
        found = found.filter(Q(name__icontains=words) | Q(key__icontains=words))
    suites = list(found)
    cases = dict(
        Suite.objects.filter(pk__in=[s.pk for s in suites]).values_list("pk").annotate(n=Count("cases")).order_by()
    )
    rows = [(suite, cases.get(suite.pk, 0)) for suite in suites]
    return render(
        request, "curation/suites.html", {"rows": rows, "q": words, "can_maintain": can_maintain(request.user)}
    )


@login_required
@require_safe
def suite_page(request: HttpRequest, key: str) -> HttpResponse:
    """One suite: what there is in each language, and where to go on."""
    author_of(request)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=key)
    context = {
        "suite": suite,
        "languages": verbs.language_counts(suite),
        "releases": suite.releases.order_by("-created_at")[:5],
        "decision": standing_decision(suite),
        "can_maintain": can_maintain(request.user),
    }
    return render(request, "curation/suite.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_suite(request: HttpRequest, key: str | None = None) -> HttpResponse:
    """Create a suite, or change its settings."""
    by = author_of(request)
    require_maintainer(by)
    suite = get_object_or_404(Suite, key=key) if key else None
    form = SuiteForm(request.POST or None, instance=suite)
    if request.method == "POST" and form.is_valid():
        try:
            saved = verbs.save_suite(form.save(commit=False), list(form.cleaned_data["languages"]), by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"'{saved.name}' is saved.")
            return redirect(saved)
    decision = standing_decision(suite) if suite else None
    return render(request, "curation/suite_form.html", {"form": form, "suite": suite, "decision": decision})


@login_required
@require_safe
def catalogue_page(request: HttpRequest) -> HttpResponse:
    """Languages, functionalities and groups there are."""
    author_of(request)
    languages = list(Language.objects.all())
    functionalities = Functionality.objects.select_related("functionality_class", "example_language")
    known = applicability(languages, functionalities)
    context = {
        "languages": [(language, sum(item.applies for item in known[language.pk].values())) for language in languages],
        "functionalities": functionalities,
        "groups": ProtectedGroup.objects.all(),
        "can_maintain": can_maintain(request.user),
    }
    return render(request, "curation/catalogue.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_language(request: HttpRequest) -> HttpResponse:
    by = author_of(request)
    form = LanguageForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            language = verbs.add_language(**form.cleaned_data, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{language.name} is added.")
            return redirect("curation:catalogue")
    return render(request, "curation/catalogue_form.html", {"form": form, "title": "New language"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_functionality(request: HttpRequest) -> HttpResponse:
    by = author_of(request)
    form = FunctionalityForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            functionality = verbs.add_functionality(**form.cleaned_data, by=by)
        except DomainError as error:
            field = error.fields.get("field")
            form.add_error(field if field in form.fields else None, str(error))
        else:
            messages.success(request, f"'{functionality.title}' is added.")
            return redirect("curation:catalogue")
    suggestions = {
        "classes": FunctionalityClass.objects.order_by("title").values_list("title", flat=True),
        "labels": Functionality.objects.order_by("gold_label").values_list("gold_label", flat=True).distinct(),
    }
    context = {"form": form, "title": "New functionality", "suggestions": suggestions}
    return render(request, "curation/catalogue_form.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_group(request: HttpRequest) -> HttpResponse:
    by = author_of(request)
    form = GroupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            group = verbs.add_group(**form.cleaned_data, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"'{group.name}' is added.")
            return redirect("curation:catalogue")
    return render(request, "curation/catalogue_form.html", {"form": form, "title": "New protected group"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def coverage_page(request: HttpRequest, code: str) -> HttpResponse:
    """Which functionalities make sense in a language."""
    by = author_of(request)
    language = get_object_or_404(Language, code=code)
    if request.method == "POST" and "fallbacks" in request.POST:
        lines = [line.strip() for line in request.POST["fallbacks"].splitlines() if line.strip()]
        verbs.set_fallbacks(language, lines, by=by)
        messages.success(request, "Saved.")
        return redirect("curation:coverage", code)
    if request.method == "POST" and "capitalise" in request.POST:
        verbs.set_spelling(language, {name: request.POST.get(name, "") for name in verbs.SPELLING}, by=by)
        messages.success(request, "Saved. Cases follow when they are generated again.")
        return redirect("curation:coverage", code)
    if request.method == "POST":
        functionality = get_object_or_404(Functionality, key=request.POST.get("functionality"))
        applies = request.POST.get("applies") == "yes"
        verbs.set_coverage(language, functionality, applies=applies, reason=request.POST.get("reason", ""), by=by)
        messages.success(request, "Saved.")
        return redirect("curation:coverage", code)
    functionalities = Functionality.objects.select_related("functionality_class", "example_language")
    known = applicability([language], functionalities)[language.pk]
    rows = [(item, known[item.pk]) for item in functionalities]
    fallbacks = "\n".join(f"{wanted} -> {instead}" for wanted, instead in language.features.get("fallbacks", []))
    context = {
        "language": language, "rows": rows, "fallbacks": fallbacks, "can_maintain": can_maintain(request.user),
        "spelling": _spelling_choices(language),
    }  # fmt: skip
    return render(request, "curation/catalogue_coverage.html", context)


def _spelling_choices(language: Language) -> list[dict[str, object]]:
    said = language.features.get("spelling", {})
    return [
        {
            "name": name,
            "label": SPELLING_LABELS[name],
            "values": [
                (value, SPELLING_LABELS.get(value, value), said.get(name) == means) for value, means in values.items()
            ],
        }
        for name, values in verbs.SPELLING.items()
    ]


@login_required
@require_safe
def download_suite(request: HttpRequest, key: str) -> HttpResponse:
    """The whole suite in a published format, as a zip archive."""
    author_of(request)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=key)
    name, content = named_archive(suite, request.GET.get("as", ""))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)
