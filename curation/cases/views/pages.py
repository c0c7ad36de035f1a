"""The working set: list, one case with all that is known about it, downloads, and making cases."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import AuditEvent
from core.jobs.services import request_job
from core.permissions import can_author
from core.text import _
from core.web import COOKIE, address_to_return_to, author_of, csv_download, page_of, texts_are_covered
from curation.authoring.forms import CaseFilterForm
from curation.authoring.listing import CaseChoice, cases_matching
from curation.cases.handwritten import is_retired_by_hand
from curation.exporting.cases import case_columns, case_rows
from curation.models import Suite, TargetGroup, TestCase

DOWNLOADED = {
    "case_id": "key", "suite": "suite__key", "language": "language__code", "functionality": "functionality__key",
    "test_case": "text", "label_gold": "gold_label", "target_ident": "target__name", "origin": "origin",
    "state": "state", "direction": "direction", "focus_words": "focus_words", "ref_case_id": "refers_to",
    "templ_id": "template__key",
}  # fmt: skip


@login_required
@require_safe
def cases_page(request: HttpRequest) -> HttpResponseBase:
    """All cases the person may see; those in use unless another state is asked for."""
    author_of(request)
    suites = list(Suite.objects.visible_to(request.user))
    form = CaseFilterForm(request.GET, suites)
    asked = form.cleaned_data if form.is_valid() else {}
    names = ("suite", "language", "functionality", "target", "origin", "state", "template")
    choice = CaseChoice(
        **{name: asked.get(name, "") for name in names}, search=asked.get("q", ""), sort=request.GET.get("sort", "")
    )
    cases = cases_matching(choice, TestCase.objects.visible_to(request.user))
    if request.GET.get("download") == "csv":
        rows = cases.values_list(*DOWNLOADED.values()).iterator(chunk_size=2000)
        return csv_download("cases", tuple(DOWNLOADED), ([str(cell or "") for cell in row] for row in rows))
    suite = next((item for item in suites if item.key == choice.suite), suites[0] if len(suites) == 1 else None)
    targets = TargetGroup.objects.order_by("name").values_list("name", flat=True).distinct()
    context = {
        "form": form, "page": page_of(request, cases), "suite": suite, "suites": suites, "targets": targets,
        "is_narrowed": any(asked.values()), "covered": texts_are_covered(request),
    }  # fmt: skip
    return render(request, "curation/cases.html", context)


@login_required
@require_safe
def download_suite(request: HttpRequest, suite: str) -> HttpResponseBase:
    """The working set of a suite, byte for byte as `export_cases` writes it."""
    author_of(request)
    found = get_object_or_404(Suite.objects.visible_to(request.user), key=suite)
    columns = case_columns(found)
    return csv_download(f"{found.key}-cases", columns, case_rows(found, columns), exact=True)


@login_required
@require_safe
def case_page(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    """One case: where it comes from, what people said about it, why it is left out, what refers to it."""
    author_of(request)
    case = find_case(request, suite, key)
    can_write = can_author(request.user, case.language.code)
    siblings = TestCase.objects.of(case.suite).filter(template=case.template_id).exclude(pk=case.pk).in_use().in_order()
    context = {
        "case": case,
        "verdicts": case.verdicts.order_by("-decided_at", "-id"),
        "exclusions": case.exclusions.select_related("created_by", "lifted_by").order_by("-created_at"),
        "original": TestCase.objects.of(case.suite).filter(key=case.refers_to).first() if case.refers_to else None,
        "referring": TestCase.objects.of(case.suite).filter(refers_to=case.key).select_related("functionality")[:50],
        "contrasting": TestCase.objects.of(case.suite).in_use().contrasting_with(case).in_order()[:50],
        "siblings": siblings[:12] if case.template_id else [],
        "events": AuditEvent.objects.about("testcase", case.key).filter(facts__suite=suite).order_by("-at")[:20],
        "forms": [form for form in case.provenance.get("forms", []) if len(form) == 6],
        "can_write": can_write,
        "can_retire": can_write and case.state != "retired" and is_retired_by_hand(case),
        "covered": texts_are_covered(request),
    }
    return render(request, "curation/cases_case.html", context)


def find_case(request: HttpRequest, suite: str, key: str) -> TestCase:
    """A case the person may see; 404 where there is none."""
    related = (
        "suite",
        "language",
        "functionality",
        "target",
        "template__suite",
        "template__language",
        "author",
        "variant",
    )
    cases = TestCase.objects.visible_to(request.user).select_related(*related)
    return get_object_or_404(cases, suite__key=suite, key=key)


@login_required
@require_POST
def generate(request: HttpRequest) -> HttpResponse:
    """Ask for the cases of all approved templates of a suite; the job's page shows how far it is."""
    by = author_of(request)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=request.POST.get("suite", ""))
    result_url = f"{reverse('curation:cases')}?suite={suite.key}"
    title = _("Generate the cases of %(suite)s", suite=str(suite))
    job = request_job("curation.generate_cases", {"suite": suite.key}, title=title, by=by, result_url=result_url)
    messages.success(request, _("The cases are being generated. You can leave this page."))
    return redirect(job)


@require_POST
def cover_texts(request: HttpRequest) -> HttpResponse:
    """Show or cover the texts in lists, for as long as the browser is open. Releases are read without signing in."""
    response = redirect(address_to_return_to(request, otherwise=reverse("curation:cases")))
    if request.POST.get("texts") == "shown":
        response.set_cookie(COOKIE, "shown", samesite="Lax", secure=request.is_secure(), httponly=False)
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
