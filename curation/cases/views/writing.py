"""Pages on which cases are written by hand, and perturbations of cases are made."""

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import DomainError
from core.text import _, ngettext
from core.web import author_of
from curation.authoring.pages import chosen_place
from curation.cases.forms import EditCaseForm, NewCaseForm, PerturbForm
from curation.cases.handwritten import edit_case, retire_case, write_case
from curation.cases.perturbing import PerturbationReport, perturb_by_options
from curation.cases.views.pages import find_case
from curation.catalogue.loading import target_set
from curation.fields import DETAILS
from curation.models import Functionality, TestCase
from curation.morphology.realised import target_names

TEMPLATES_NAMED = 10


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_case(request: HttpRequest) -> HttpResponse:
    """Write a case by hand."""
    by = author_of(request)
    values = request.POST if request.method == "POST" else request.GET
    suite, language, suites, languages = chosen_place(request, values)
    context: dict[str, Any] = {"suite": suite, "language": language, "suites": suites, "languages": languages}
    status = 200
    if suite is None or language is None:
        return render(request, "curation/editor_nowhere.html", context)
    form = NewCaseForm(request.POST or None, initial=request.GET.dict(), suite=suite, language=language)
    if request.method == "POST" and form.is_valid():
        asked = form.chosen
        functionality = Functionality.objects.get(key=asked.functionality)
        target = target_set(language, asked.target_ident)
        try:
            case = write_case(suite, language, functionality, by=by, target=target, **asked.facts())
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            messages.success(request, _("Case %(case)s added to the working set.", case=case.key))
            return redirect("curation:case", suite.key, case.key)
    return render(request, "curation/cases_write.html", {**context, "form": form}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_case(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    """Change a case that was written by hand."""
    by = author_of(request)
    case = find_case(request, suite, key)
    form = EditCaseForm(request.POST or None, initial=_initial(case), suite=case.suite, language=case.language)
    status = 200
    if request.method == "POST" and form.is_valid():
        target = target_set(case.language, form.chosen.target_ident)
        try:
            edit_case(case, by=by, target=target, **form.chosen.facts())
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            messages.success(request, _("Saved."))
            return redirect("curation:case", suite, key)
    context = {"form": form, "case": case, "suite": case.suite, "language": case.language}
    return render(request, "curation/cases_write.html", context, status=status)


def _initial(case: TestCase) -> dict[str, Any]:
    names = (*DETAILS, "contrast_set", "perturbation_set")
    said = {"test_case": case.text, "label_gold": case.gold_label, "ref_case_id": case.refers_to}
    groups = list(target_names(case.target.name if case.target else ""))
    return {**said, "target_ident": groups, **{name: getattr(case, name) for name in names}}


@login_required
@require_POST
def retire(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    """Retire a case."""
    case = find_case(request, suite, key)
    retire_case(case, by=author_of(request), reason=request.POST.get("reason", ""))
    messages.success(request, _("Case %(case)s retired.", case=case.key))
    return redirect("curation:case", suite, key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def perturb(request: HttpRequest) -> HttpResponse:
    """Make perturbations of cases under a spelling functionality."""
    by = author_of(request)
    values = request.POST if request.method == "POST" else request.GET
    suite, language, suites, languages = chosen_place(request, values)
    context: dict[str, Any] = {"suite": suite, "language": language, "suites": suites, "languages": languages}
    if suite is None or language is None:
        return render(request, "curation/editor_nowhere.html", context)
    start = {"seed": secrets.randbelow(10**6), **request.GET.dict()}
    form = PerturbForm(request.POST or None, initial=start, language=language)
    status = 200
    if request.method == "POST" and form.is_valid():
        asked = form.chosen.model_copy(update={"suite": suite.key, "language": language.code})
        try:
            report = perturb_by_options(asked, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            _tell(request, report)
            query = f"suite={suite.key}&language={language.code}&functionality={asked.functionality}"
            return redirect(f"{reverse('curation:cases')}?{query}")
    return render(request, "curation/cases_perturb.html", {**context, "form": form}, status=status)


def _tell(request: HttpRequest, report: PerturbationReport) -> None:
    """Say what was made, and for which templates nothing could be made."""
    tell = messages.success if report.made or report.unchanged else messages.warning
    tell(
        request,
        ngettext(
            "%(count)s new case; %(unchanged)s existed already.",
            "%(count)s new cases; %(unchanged)s existed already.",
            report.made,
            unchanged=report.unchanged,
        ),
    )
    if report.skipped:
        key, why = report.skipped[0]
        said = ngettext(
            "%(count)s case could not be perturbed, for example %(case)s: %(why)s.",
            "%(count)s cases could not be perturbed, for example %(case)s: %(why)s.",
            len(report.skipped),
            case=key,
            why=why,
        )
        messages.warning(request, said)
    if report.without_cases:
        named = [
            _("%(template)s (%(why)s)", template=key, why=why) for key, why in report.without_cases[:TEMPLATES_NAMED]
        ]
        more = len(report.without_cases) - TEMPLATES_NAMED
        said = (
            ngettext(
                "No case could be made for these templates: %(templates)s; and %(count)s more.",
                "No case could be made for these templates: %(templates)s; and %(count)s more.",
                more,
                templates=named,
            )
            if more > 0
            else _("No case could be made for these templates: %(templates)s.", templates=named)
        )
        messages.warning(request, said)
