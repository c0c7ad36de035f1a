"""The list of templates: search, filters, order, download, and one change for many."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.errors import BadInput
from core.text import _, ngettext
from core.web import address_to_return_to, author_of, csv_download, page_of, texts_are_covered
from curation.authoring.bulk_editing import MOST_AT_ONCE, BulkReport, change_many
from curation.authoring.forms import TemplateFilterForm
from curation.authoring.listing import (
    TemplateChoice,
    count_cases,
    missing_forms,
    templates_matching,
    with_wordings,
    wordings_of,
)
from curation.models import Suite, Template

SAID = 5  # templates that were not changed and are named
COLUMNS = {
    "suite": "version__template__suite__key",
    "language": "version__template__language__code",
    "template": "version__template__key",
    "functionality": "version__template__functionality__key",
    "label_gold": "label",
    "version": "version__number",
    "state": "version__state",
    "features": "features",
    "text": "text",
    "direction": "version__template__direction",
    "focus_words": "version__template__focus_words",
    "refers_to": "version__template__refers_to",
    "relation": "version__template__relation",
}


@login_required
@require_safe
def templates_page(request: HttpRequest) -> HttpResponseBase:
    """Show all templates of the suites the person may see."""
    author_of(request)
    suites = list(Suite.objects.visible_to(request.user))
    form = TemplateFilterForm(request.GET, suites)
    asked = form.cleaned_data if form.is_valid() else {}
    choice = TemplateChoice(
        suite=asked.get("suite", ""),
        language=asked.get("language", ""),
        functionality=asked.get("functionality", ""),
        state=asked.get("state", ""),
        search=asked.get("q", ""),
        sort=request.GET.get("sort", ""),
    )
    templates = templates_matching(choice, suites)
    if asked.get("missing"):
        lacking = [pk for pk, count in missing_forms(templates).items() if count]
        templates = templates.filter(pk__in=lacking)
    if request.GET.get("download") == "csv":
        rows = wordings_of(templates).values_list(*COLUMNS.values()).iterator(chunk_size=1000)
        return csv_download("templates", tuple(COLUMNS), ([str(cell or "") for cell in row] for row in rows))
    page = page_of(request, templates)
    context = {
        "form": form,
        "page": page,
        "choice": choice,
        "rows": _rows(list(page)),
        "is_narrowed": _is_narrowed(asked),
    }
    context["functionalities"] = form.fields["functionality"].choices[1:]  # type: ignore[attr-defined]
    context["covered"] = texts_are_covered(request)
    return render(request, "curation/templates.html", context)


def _is_narrowed(asked: dict[str, Any]) -> bool:
    return any(asked.values())


def _rows(templates: list[Template]) -> list[dict[str, Any]]:
    versions, cases = with_wordings(templates), count_cases(templates)
    missing = missing_forms(Template.objects.filter(pk__in=[template.pk for template in templates]))
    return [
        {
            "template": template,
            "version": versions.get(template.pk),
            "cases": cases.get(template.pk, 0),
            "missing": missing.get(template.pk, 0),
        }
        for template in templates
    ]


@login_required
@require_POST
def change_ticked(request: HttpRequest) -> HttpResponse:
    """Do one thing to every ticked template."""
    by = author_of(request)
    chosen = request.POST.getlist("template")
    if not chosen:
        raise BadInput(_("No template is selected. Select at least one."))
    if len(chosen) > MOST_AT_ONCE:
        raise BadInput(_("You can change at most %(most)s templates at once.", most=MOST_AT_ONCE))
    visible = Template.objects.filter(
        suite__in=Suite.objects.visible_to(request.user), pk__in=[pk for pk in chosen if pk.isdigit()]
    )
    templates = visible.select_related("suite", "language", "functionality", "target").in_order()
    action = request.POST.get("action", "")
    if not action:
        raise BadInput(_("Choose what to do with the selected templates."))
    value = request.POST.get("functionality" if action == "functionality" else "value", "")
    report = change_many(templates, action, by=by, value=value)
    _tell(request, report)
    return redirect(address_to_return_to(request, otherwise=reverse("curation:templates")))


def _tell(request: HttpRequest, report: BulkReport) -> None:
    if report.done:
        messages.success(request, ngettext("%(count)s template changed.", "%(count)s templates changed.", report.done))
    for template, why in report.refused[:SAID]:
        messages.warning(request, _("%(template)s: %(problem)s", template=template.key, problem=why))
    if (more := len(report.refused) - SAID) > 0:
        messages.warning(request, ngettext("%(count)s more was not changed.", "%(count)s more were not changed.", more))
