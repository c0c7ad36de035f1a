"""Adapting templates from another language: the list with its status, and source and new text side by side."""

from collections import Counter
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.errors import DomainError
from accounts.models import User
from core.permissions import can_author, require_author
from core.text import _
from core.web import author_of, page_of, texts_are_covered
from curation.authoring import services as authoring
from curation.authoring.adapting import (
    NOT_STARTED,
    STATUS_NAMES,
    Adaptation,
    adaptations,
    matching,
    next_to_adapt,
    start_adaptation,
)
from curation.authoring.models import VersionState
from curation.authoring.pages import chosen_place
from curation.authoring.views.preview import live_context, typed_variants
from curation.authoring.wording_checks import VariantText, fingerprint, texts_of
from curation.models import Language, Suite, Template


@login_required
@require_safe
def adapt_page(request: HttpRequest) -> HttpResponse:
    """Show which source templates there are and how far their adaptation is."""
    author_of(request)
    suite, language, suites, languages = chosen_place(request)
    everywhere = list(Language.objects.order_by("name"))
    source_suite = suite
    if wanted := request.GET.get("from"):
        source_suite = get_object_or_404(Suite.objects.visible_to(request.user), key=wanted)
    sources = [item for item in source_suite.languages.all() if item != language] if source_suite else []
    source = next((item for item in sources if item.code == request.GET.get("source")), None)
    source = source or next((item for item in sources if item.code == "en"), sources[0] if sources else None)
    context: dict[str, object] = {
        "suite": suite, "language": language, "suites": suites, "languages": languages, "everywhere": everywhere,
        "source_suite": source_suite, "sources": sources, "source": source, "statuses": STATUS_NAMES.items(),
        "covered": texts_are_covered(request),
    }  # fmt: skip
    if suite and language and source_suite and source:
        rows = adaptations(source_suite, source, suite, language)
        counts = Counter(row.status for row in rows)
        filters = _filters(request)
        chosen = matching(rows, **filters)
        context |= {
            "page": page_of(request, chosen),
            "counts": [(name, counts[status]) for status, name in STATUS_NAMES.items()],
            "total": len(rows),
            "done": counts[VersionState.APPROVED],
            "first_open": next_to_adapt(chosen),
            "can_write": can_author(request.user, language.code),
            "filters": _query(filters),
        }
    return render(request, "curation/adapt.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def adapt_template(
    request: HttpRequest, suite: str, language: str, source_suite: str, source_language: str, key: str
) -> HttpResponse:
    """Show one template: the source with its cases and notes on one side, the new language's on the other."""
    by = author_of(request)
    visible = Suite.objects.visible_to(request.user)
    here, there = get_object_or_404(visible, key=suite), get_object_or_404(visible, key=source_suite)
    target_language = get_object_or_404(here.languages, code=language)
    templates = Template.objects.of(there).select_related("suite", "language", "functionality", "target")
    source = get_object_or_404(templates, language__code=source_language, key=key)
    everything = adaptations(there, source.language, here, target_language)
    chosen = {row.source.pk for row in matching(everything, **_filters(request))}
    # What is adapted here may fit the filters no more; it keeps its place in the list.
    rows = [row for row in everything if row.source.pk in chosen or row.source.pk == source.pk]
    error: DomainError | None = None
    if request.method == "POST":
        try:
            return _save(request, source, here, target_language, rows, by)
        except DomainError as refusal:
            error = refusal
    return _draw(request, source, here, target_language, rows, error=error)


def _save(
    request: HttpRequest, source: Template, suite: Suite, language: Language, rows: list[Adaptation], by: User
) -> HttpResponse:
    require_author(by, language.code)
    typed = typed_variants(request)
    template = start_adaptation(source, suite, language, by=by)
    version = authoring.save_draft(
        template, typed, by=by, defaults=request.POST.get("defaults", ""), based_on=request.POST.get("based_on", "")
    )
    if request.POST.get("then") == "submit" and version.state == VersionState.DRAFT:
        authoring.submit_version(version, by=by)
        messages.success(request, _("The adaptation of %(template)s was submitted for review.", template=source.key))
    else:
        messages.success(request, _("Saved."))
        return redirect(address(source, suite, language, _filters(request)))
    following = next_to_adapt(rows, after=source)
    if following is not None:
        return redirect(address(following, suite, language, _filters(request)))
    messages.info(request, _("All templates in this list are adapted."))
    return redirect(_list_address(source, suite, language, _filters(request)))


def _filters(request: HttpRequest) -> dict[str, str]:
    """Return what the list was narrowed to; the pages of its templates carry it along."""
    return {"status": request.GET.get("status", ""), "search": request.GET.get("q", "")}


def _query(filters: dict[str, str]) -> str:
    asked = {name: value for name, value in (("status", filters["status"]), ("q", filters["search"])) if value}
    return f"?{urlencode(asked)}" if asked else ""


def address(source: Template, suite: Suite, language: Language, filters: dict[str, str]) -> str:
    args = [suite.key, language.code, source.suite.key, source.language.code, source.key]
    return reverse("curation:adapt-template", args=args) + _query(filters)


def _list_address(source: Template, suite: Suite, language: Language, filters: dict[str, str]) -> str:
    query = {"suite": suite.key, "language": language.code, "from": source.suite.key, "source": source.language.code}
    more = _query(filters).replace("?", "&", 1)
    return f"{reverse('curation:adapt')}?{urlencode(query)}{more}"


def _neighbours(rows: list[Adaptation], source: Template) -> tuple[Template | None, Template | None]:
    keys = [row.source.pk for row in rows]
    if source.pk not in keys:
        return None, None
    place = keys.index(source.pk)
    before = rows[place - 1].source if place else None
    return before, rows[place + 1].source if place + 1 < len(rows) else None


def _draw(
    request: HttpRequest,
    source: Template,
    suite: Suite,
    language: Language,
    rows: list[Adaptation],
    *,
    error: DomainError | None,
) -> HttpResponse:
    row = next((row for row in rows if row.source.pk == source.pk), None)
    template = row.template if row else None
    latest = authoring.latest_version(template) if template else None
    if error is not None:
        typed, defaults = typed_variants(request), request.POST.get("defaults", "")
    else:
        typed, defaults = texts_of(latest) if latest else [], latest.defaults if latest else ""
    before, after = _neighbours(rows, source)
    filters = _filters(request)
    original = source.versions.exclude(state__in=["rejected", "superseded"]).prefetch_related("variants").first()
    context = {
        "source": source, "original": original, "suite": suite, "language": language, "template": template,
        "latest": latest, "status": row.status if row else NOT_STARTED,
        "place": [item.source.pk for item in rows].index(source.pk) + 1 if row else None, "total": len(rows),
        "source_cases": source.cases.exclude(state="retired").select_related("target").order_by("position")[:12],
        "source_case_count": source.cases.exclude(state="retired").count(),
        "notes": original.comments.select_related("author") if original else [],
        "drafts": (template.drafts if template else {}) or source.drafts,
        "previous_page": address(before, suite, language, filters) if before else "",
        "next_page": address(after, suite, language, filters) if after else "",
        "list_page": _list_address(source, suite, language, filters),
        "typed": typed or [VariantText("", "")], "defaults": defaults, "based_on": fingerprint(latest), "error": error,
        "is_locked": bool(latest and latest.state == VersionState.SUBMITTED),
        "can_write": can_author(request.user, language.code),
        **live_context(request, suite, language, typed, defaults, template),
    }  # fmt: skip
    return render(request, "curation/adapt_template.html", context, status=error.status if error else 200)
