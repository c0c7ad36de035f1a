"""Suites, languages, functionalities and groups."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from core.errors import DomainError
from core.options.forms import OptionsForm
from core.permissions import can_maintain, require_maintainer
from core.text import _, catalogue_name
from core.web import author_of
from curation.bundles.downloading import bundle_answer
from curation.bundles.options import BUNDLE
from curation.catalogue import languages, services
from curation.catalogue.applicability import applicability, can_perturb
from curation.catalogue.forms import (
    ChangeLanguageForm,
    FunctionalityForm,
    GroupForm,
    LanguageForm,
    NewFunctionalityForm,
    SuiteForm,
)
from curation.catalogue.suites import apply_suite_options, language_counts
from curation.exporting.suites import named_archive
from curation.models import Functionality, Language, ProtectedGroup, Suite
from curation.morphology.perturb import PERTURBATIONS
from curation.releases.rules import standing_decision

Saved = TypeVar("Saved")
REMOVE_FUNCTIONALITY = _("This functionality will be removed from the catalogue.")
REMOVE_GROUP = _("This group will be removed from the catalogue.")


@login_required
@require_safe
def suites_page(request: HttpRequest) -> HttpResponse:
    """List the suites the person may see."""
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
    """Show one suite: what it has in each language, and what to do next."""
    author_of(request)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=key)
    context = {
        "suite": suite,
        "languages": language_counts(suite),
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
    form = SuiteForm.for_suite(request.POST or None, suite)
    saved = _submitted(request, form, lambda: apply_suite_options(form.chosen, suite, by=by))
    if saved:
        messages.success(request, _("'%(name)s' was saved.", name=saved.name))
        return redirect(saved)
    decision = standing_decision(suite) if suite else None
    return render(request, "curation/suite_form.html", {"form": form, "suite": suite, "decision": decision})


def _submitted(request: HttpRequest, form: OptionsForm[Any], act: Callable[[], Saved]) -> Saved | None:
    """Return what the action made of a valid form; None where there is something left to fill in or to correct."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        return act()
    except DomainError as error:
        field = error.fields.get("field")
        form.add_error(field if field in form.fields else None, str(error))
        return None


@login_required
@require_safe
def catalogue_page(request: HttpRequest) -> HttpResponse:
    """List languages, functionalities and groups."""
    author_of(request)
    known_languages = list(Language.objects.all())
    functionalities = Functionality.objects.select_related("functionality_class", "example_language")
    known = applicability(known_languages, functionalities)
    context = {
        "languages": [(item, sum(found.applies for found in known[item.pk].values())) for item in known_languages],
        "functionalities": functionalities,
        "groups": ProtectedGroup.objects.all(),
        "can_maintain": can_maintain(request.user),
    }
    return render(request, "curation/catalogue.html", context)


def _edit(
    request: HttpRequest, form: OptionsForm[Any], act: Callable[[], object], title: str, **context: object
) -> HttpResponse:
    """Show the form of a part of the catalogue until it can be saved, then return to the catalogue."""
    if saved := _submitted(request, form, act):
        messages.success(request, _("'%(name)s' was saved.", name=catalogue_name(str(saved))))
        return redirect("curation:catalogue")
    return render(request, "curation/catalogue_form.html", {"form": form, "title": title, **context})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_language(request: HttpRequest) -> HttpResponse:
    """Add a language."""
    by, form = author_of(request), LanguageForm(request.POST or None)
    return _edit(request, form, lambda: languages.add_language(**form.chosen.plain(), by=by), _("New language"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_functionality(request: HttpRequest, key: str | None = None) -> HttpResponse:
    """Add a functionality, or change one."""
    by = author_of(request)
    if key is None:
        new = NewFunctionalityForm(request.POST or None)
        return _edit(
            request, new, lambda: services.add_functionality(**services.functionality_facts(new.chosen), by=by),
            _("New functionality"),
        )  # fmt: skip
    require_maintainer(by)
    functionality = get_object_or_404(Functionality.objects.select_related("functionality_class"), key=key)
    if request.POST.get("then") == "remove":
        return _removed(request, functionality, services.remove_functionality, by)
    form = FunctionalityForm(request.POST or None, initial=services.functionality_values(functionality))

    def change() -> Functionality:
        return services.change_functionality(functionality, **services.functionality_facts(form.chosen), by=by)

    return _edit(request, form, change, functionality.title, removable=REMOVE_FUNCTIONALITY)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_group(request: HttpRequest, key: str | None = None) -> HttpResponse:
    """Add a protected group, or change one, merge it into another or remove it."""
    by, group = author_of(request), get_object_or_404(ProtectedGroup, key=key) if key else None
    if group is None:
        new = GroupForm(request.POST or None)
        return _edit(request, new, lambda: services.add_group(**new.chosen.plain(), by=by), _("New protected group"))
    require_maintainer(by)
    if request.POST.get("then") == "remove":
        return _removed(request, group, services.remove_group, by)
    if into := request.POST.get("into"):
        other = get_object_or_404(ProtectedGroup, key=into)
        services.merge_groups(group, into=other, by=by)
        messages.success(
            request,
            _(
                "'%(group)s' was merged into '%(other)s'.",
                group=catalogue_name(group.name),
                other=catalogue_name(other.name),
            ),
        )
        return redirect("curation:catalogue")
    form = GroupForm(request.POST or None, initial={"name": group.name, "characteristic": group.characteristic})
    return _edit(
        request, form, lambda: services.change_group(group, **form.chosen.plain(), by=by), group.name,
        removable=REMOVE_GROUP, others=ProtectedGroup.objects.exclude(pk=group.pk),
    )  # fmt: skip


def _removed(request: HttpRequest, part: Any, remove: Callable[..., object], by: User) -> HttpResponse:
    remove(part, by=by)
    messages.success(request, _("'%(name)s' was removed.", name=catalogue_name(str(part))))
    return redirect("curation:catalogue")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def language_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show a language and change it: what is said about it, what applies in it, its spelling and fallbacks."""
    by = author_of(request)
    language = get_object_or_404(Language, code=code)
    here = reverse("curation:language", args=[code])
    if key := request.POST.get("functionality"):
        functionality = get_object_or_404(Functionality, key=key)
        applies, reason = request.POST.get("applies") == "yes", request.POST.get("reason", "")
        languages.set_coverage(language, functionality, applies=applies, reason=reason, by=by)
        messages.success(request, _("Saved."))
        return redirect(f"{here}#{key}")
    form = ChangeLanguageForm.for_language(request.POST or None, language)
    if _submitted(request, form, lambda: languages.change_language(language, **form.chosen.plain(), by=by)):
        messages.success(request, _("Saved. Generate the cases again to apply the changes."))
        return redirect(here)
    functionalities = Functionality.objects.select_related("functionality_class", "example_language")
    known = applicability([language], functionalities)[language.pk]
    context = {
        "language": language, "rows": [(item, known[item.pk]) for item in functionalities], "form": form,
        "can_maintain": can_maintain(request.user),
        "perturbations": [(item, can_perturb(language, item.key)) for item in PERTURBATIONS.values()],
    }  # fmt: skip
    return render(request, "curation/language.html", context)


@login_required
@require_safe
def download_suite(request: HttpRequest, key: str) -> HttpResponseBase:
    """Download the whole suite in a published format, as a zip archive."""
    author_of(request)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=key)
    if request.GET.get("as") == BUNDLE:
        return bundle_answer(suite, with_labels="with_labels" in request.GET)
    name, content = named_archive(suite, request.GET.get("as", ""))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)
