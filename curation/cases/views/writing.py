"""Cases by hand, and misspelt versions of cases."""

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import DomainError
from core.web import author_of
from curation.authoring.forms import CaseDetailsForm, functionality_choices
from curation.authoring.pages import chosen_place
from curation.cases.handwritten import edit_case, retire_case, write_case
from curation.cases.perturbing import PerturbationReport, perturb_cases, spelling_functionalities
from curation.cases.views.pages import find_case
from curation.fields import DETAILS
from curation.models import Functionality, Language, Suite, TargetGroup, TestCase

TEMPLATES_NAMED = 10


class CaseForm(CaseDetailsForm):
    """A case as people would post it."""

    field_order = ("text", "functionality", "target", *DETAILS, "refers_to")

    text = forms.CharField(widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}), strip=True)
    functionality = forms.ModelChoiceField(Functionality.objects.all(), to_field_name="key")
    target = forms.ModelChoiceField(TargetGroup.objects.none(), required=False, to_field_name="name", label="About")
    refers_to = forms.CharField(required=False, max_length=80, label="Varies case", help_text="Its key.")

    def __init__(self, *args: Any, suite: Suite, language: Language | None, fixed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = functionality_choices("Choose one", suite=suite)
        self.fields["functionality"].choices = choices  # type: ignore[attr-defined]
        self.fields["target"].queryset = TargetGroup.objects.filter(language=language)  # type: ignore[attr-defined]
        if fixed:
            del self.fields["functionality"]


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
    form = CaseForm(request.POST or None, initial=request.GET.dict(), suite=suite, language=language)
    if request.method == "POST" and form.is_valid():
        facts = dict(form.cleaned_data)
        try:
            case = write_case(suite, language, facts.pop("functionality"), by=by, **facts)
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            messages.success(request, f"Case {case} is in the working set.")
            return redirect("curation:case", suite.key, case.key)
    return render(request, "curation/cases_write.html", {**context, "form": form}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_case(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    """Change a case that was written by hand."""
    by = author_of(request)
    case = find_case(request, suite, key)
    form = CaseForm(request.POST or None, initial=_initial(case), suite=case.suite, language=case.language, fixed=True)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            edit_case(case, by=by, **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            messages.success(request, "Saved.")
            return redirect("curation:case", suite, key)
    context = {"form": form, "case": case, "suite": case.suite, "language": case.language}
    return render(request, "curation/cases_write.html", context, status=status)


def _initial(case: TestCase) -> dict[str, Any]:
    names = ("text", *DETAILS, "refers_to")
    return {"target": case.target.name if case.target else "", **{name: getattr(case, name) for name in names}}


@login_required
@require_POST
def retire(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    case = find_case(request, suite, key)
    retire_case(case, by=author_of(request), reason=request.POST.get("reason", ""))
    messages.success(request, f"Case {case} is retired.")
    return redirect("curation:case", suite, key)


class RespellForm(forms.Form):
    """Which cases to respell, how, and the seed that makes it repeatable."""

    functionality = forms.ModelChoiceField(
        Functionality.objects.none(), to_field_name="key", label="Spelling functionality",
        error_messages={"invalid_choice": "Choose a spelling functionality that applies in this language."},
    )  # fmt: skip
    source = forms.ModelChoiceField(
        Functionality.objects.filter(perturbation=""), to_field_name="key", required=False, label="Only cases of"
    )
    template = forms.CharField(required=False, max_length=80, label="Only cases of template", help_text="Its key.")
    seed = forms.IntegerField(min_value=0, help_text="The same seed gives the same spellings.")

    def __init__(self, language: Language, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["functionality"].queryset = spelling_functionalities(language)  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def respell(request: HttpRequest) -> HttpResponse:
    """Make misspelt versions of cases under a spelling functionality."""
    by = author_of(request)
    values = request.POST if request.method == "POST" else request.GET
    suite, language, suites, languages = chosen_place(request, values)
    context: dict[str, Any] = {"suite": suite, "language": language, "suites": suites, "languages": languages}
    if suite is None or language is None:
        return render(request, "curation/editor_nowhere.html", context)
    start = {"seed": secrets.randbelow(10**6), **request.GET.dict()}
    form = RespellForm(language, request.POST or None, initial=start)
    status = 200
    if request.method == "POST" and form.is_valid():
        spelling, source = form.cleaned_data["functionality"], form.cleaned_data["source"]
        try:
            report = perturb_cases(
                suite,
                spelling.perturbation,
                form.cleaned_data["seed"],
                language=language,
                functionality=spelling,
                by=by,
                template=form.cleaned_data["template"],
                source=source.key if source else "",
            )
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            _tell(request, report)
            query = f"suite={suite.key}&language={language.code}&functionality={spelling.key}"
            return redirect(f"{reverse('curation:cases')}?{query}")
    return render(request, "curation/cases_respell.html", {**context, "form": form}, status=status)


def _tell(request: HttpRequest, report: PerturbationReport) -> None:
    """Say what was made, and for which templates nothing could be made."""
    made = "1 new case" if report.made == 1 else f"{report.made:,} new cases"
    tell = messages.success if report.made or report.unchanged else messages.warning
    tell(request, f"{made}, {report.unchanged:,} made before.")
    if report.skipped:
        key, why = report.skipped[0]
        count = "1 case" if len(report.skipped) == 1 else f"{len(report.skipped):,} cases"
        messages.warning(request, f"{count} could not be respelt, for example {key}: {why}.")
    if report.without_cases:
        listed = "; ".join(f"{key} ({why})" for key, why in report.without_cases[:TEMPLATES_NAMED])
        more = len(report.without_cases) - TEMPLATES_NAMED
        messages.warning(
            request, f"Nothing was made for these templates: {listed}" + (f"; and {more:,} more." if more > 0 else ".")
        )
