"""The template editor: text on the left, every case on the right."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import DomainError
from accounts.models import User
from core.permissions import can_author
from core.text import _
from core.web import author_of
from curation.authoring import services as authoring
from curation.authoring.details import resolved_facts, template_values
from curation.authoring.forms import NewTemplateForm, TemplateForm
from curation.authoring.gold_labels import typed_label
from curation.authoring.models import VersionState
from curation.authoring.pages import chosen_place, find_template
from curation.authoring.reviewing import has_written
from curation.authoring.views.preview import live_context, typed_variants
from curation.authoring.wording_checks import VariantText, fingerprint, texts_of
from curation.models import Language, Suite, Template


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_template(request: HttpRequest) -> HttpResponse:
    """Begin a template; the coverage matrix leads here with functionality and target filled in."""
    by = author_of(request)
    values = request.POST if request.method == "POST" else request.GET
    suite, language, suites, languages = chosen_place(request, values)
    if suite is None or language is None:
        return render(request, "curation/editor_nowhere.html")
    place: dict[str, Any] = {"suites": suites, "languages": languages}
    if request.method != "POST":
        form: TemplateForm = NewTemplateForm(initial=request.GET.dict(), suite=suite, language=language)
        return _draw(request, suite, language, form, typed=[VariantText("", "")], **place)
    form = NewTemplateForm(request.POST, suite=suite, language=language)
    typed, defaults = typed_variants(request), request.POST.get("defaults", "")
    if not form.is_valid():
        return _draw(request, suite, language, form, typed=typed, defaults=defaults, status=422, **place)
    try:
        facts = resolved_facts(form.facts, language)
        template = authoring.create_template(suite, language, by=by, variants=typed, defaults=defaults, **facts)
        return _go_on(request, template, by)
    except DomainError as error:
        status = error.status
        return _draw(
            request, suite, language, form, typed=typed, defaults=defaults, error=error, status=status, **place
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def template_page(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    """Read a template, and change it where the person may."""
    by = author_of(request)
    template = find_template(request, suite, language, key)
    latest = authoring.latest_version(template)
    if request.method != "POST":
        form = TemplateForm(initial=template_values(template), suite=template.suite, language=template.language)
        typed = texts_of(latest) if latest else [VariantText("", "")]
        return _draw_template(request, template, form, typed, latest.defaults if latest else "")
    form = TemplateForm(request.POST, suite=template.suite, language=template.language)
    typed, defaults = typed_variants(request), request.POST.get("defaults", "")
    if not form.is_valid():
        return _draw_template(request, template, form, typed, defaults, status=422)
    try:
        has_text = latest is not None or any(variant.text.strip() for variant in typed)
        authoring.change_template(
            template,
            by=by,
            variants=typed if has_text else None,
            defaults=defaults,
            based_on=request.POST.get("based_on", ""),
            **resolved_facts(form.facts, template.language),
        )
        return _go_on(request, template, by)
    except DomainError as error:
        template = find_template(request, suite, language, key)
        return _draw_template(request, template, form, typed, defaults, error=error, status=error.status)


def _go_on(request: HttpRequest, template: Template, by: User) -> HttpResponse:
    """Submit what was saved where the person asked for that. A refusal leaves the saved draft and says why."""
    version = authoring.latest_version(template)
    if request.POST.get("then") == "submit" and version is not None and version.state == VersionState.DRAFT:
        version.template = template
        try:
            authoring.submit_version(version, by=by)
        except DomainError as error:
            messages.error(request, _("The draft was saved but not submitted. %(problem)s", problem=error.title))
        else:
            messages.success(request, _("Submitted for review."))
    else:
        messages.success(request, _("Saved."))
    return redirect(template)


def _draw_template(
    request: HttpRequest,
    template: Template,
    form: TemplateForm,
    typed: list[VariantText],
    defaults: str,
    *,
    error: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    versions = list(
        template.versions.select_related("author", "reviewer").prefetch_related("variants", "comments__author")
    )
    latest = versions[0] if versions else None
    waiting = latest if latest and latest.state == VersionState.SUBMITTED else None
    context: dict[str, Any] = {
        "template": template,
        "latest": latest,
        "approved": next((version for version in versions if version.state == VersionState.APPROVED), None),
        "versions": versions,
        "based_on": request.POST.get("based_on") or fingerprint(latest),
        "is_locked": bool(waiting),
        "may_review": waiting is not None and not has_written(author_of(request), waiting),
        "can_delete": not any(version.state in ("approved", "superseded") for version in versions),
        "case_count": template.cases.exclude(state="retired").count(),
        "referring": Template.objects.of(template.suite).filter(language=template.language, refers_to=template.key),
    }
    context |= {"typed": typed, "defaults": defaults, "error": error, "status": status}
    return _draw(request, template.suite, template.language, form, **context)


def _draw(
    request: HttpRequest,
    suite: Suite,
    language: Language,
    form: TemplateForm,
    *,
    typed: list[VariantText],
    defaults: str = "",
    error: DomainError | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    label = typed_label(form["functionality"].value() or "", form["label_gold"].value() or "")
    context = {
        "suite": suite,
        "language": language,
        "form": form,
        "typed": typed or [VariantText("", "")],
        "defaults": defaults,
        "error": error,
        "can_write": can_author(request.user, language.code),
        **live_context(request, suite, language, typed, defaults, more.get("template"), label=label),
        **more,
    }
    return render(request, "curation/editor.html", context, status=status)


@login_required
@require_POST
def submit(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    template = find_template(request, suite, language, key)
    authoring.submit_version(authoring.require_newest(template), by=author_of(request))
    messages.success(request, _("Submitted for review."))
    return redirect(template)


@login_required
@require_POST
def withdraw(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    template = find_template(request, suite, language, key)
    authoring.withdraw_version(authoring.require_newest(template), by=author_of(request))
    messages.success(request, _("The template is a draft again. You can edit it."))
    return redirect(template)


@login_required
@require_POST
def delete(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    template = find_template(request, suite, language, key)
    authoring.delete_template(template, by=author_of(request))
    messages.success(request, _("Template %(template)s was deleted.", template=key))
    return redirect("curation:templates")
