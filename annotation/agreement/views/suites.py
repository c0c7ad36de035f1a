"""What labels do to a suite: the decision with its preview, exclusions and lifting them, labels made elsewhere."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.core.validators import MaxValueValidator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.agreement.deciding import apply_decision, lift_exclusion, preview_decision
from annotation.agreement.naming import named_parts
from annotation.agreement.options import DecisionOptions
from annotation.agreement.perspectives import group_in_words, suite_perspectives
from annotation.agreement.suite_report import KEYS, By, suite_agreement
from annotation.labels.options import LabelFileOptions
from annotation.labels.skipped import skipped_text
from annotation.labels.storing import import_uploaded_labels
from annotation.people.models import QUESTIONS_ABOUT_PEOPLE
from annotation.permissions import can_manage_campaigns, find_suite, hidden_from, require_manager
from core.errors import BadInput
from core.options.forms import OptionsForm
from core.permissions import can_author
from core.text import Text, _, ngettext
from core.web import SignedInRequest, address_of, texts_are_covered
from curation.cases.models import ExclusionReason
from curation.catalogue.models import Policy
from curation.models import Exclusion, Release, Suite, TestCase
from curation.releases.following import DecisionEffect
from curation.releases.rules import standing_decision, standing_rules

PER_PAGE = 50
LARGEST_FILE = 50_000_000


class DecisionForm(OptionsForm[DecisionOptions]):
    """The rules of a decision; no more labels can be asked for than a case of the suite gets."""

    options = DecisionOptions

    def __init__(self, *args: Any, suite: Suite | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if suite is not None:
            field = self.fields["min_agree"]
            field.validators.append(MaxValueValidator(suite.raters))
            field.widget.attrs["max"] = suite.raters


class LabelFileForm(OptionsForm[LabelFileOptions]):
    """Labels made elsewhere."""

    options = LabelFileOptions


@login_required
@require_safe
def decision(request: SignedInRequest, key: str) -> HttpResponse:
    """What would go and why; nothing happens here."""
    suite = find_suite(request.user, key)
    usual = asdict(standing_rules(suite))
    asked_rules = {name: request.GET[name] for name in usual if request.GET.get(name)}
    form = DecisionForm({**usual, **asked_rules}, suite=suite)
    found = preview_decision(suite, **(form.chosen.rules() if form.is_valid() else {}))
    lists = _lists(found)
    asked = request.GET.get("list", "")
    shown = asked if asked in lists else next(iter(lists))
    page = Paginator(sorted(lists[shown][1]), PER_PAGE).get_page(request.GET.get("page"))
    cases = TestCase.objects.filter(pk__in=list(page)).select_related("language", "functionality").in_order()
    context = {
        "suite": suite,
        "form": form,
        "is_valid": form.is_valid(),
        "found": found,
        "page": page,
        "lists": [(name, title, len(ids)) for name, (title, ids) in lists.items()],
        "shown": shown,
        "rows": [(case, *_why(found, shown, case)) for case in cases],
        "by_reason": [(ExclusionReason(reason).label, n) for reason, n in found.going_by_reason.items()],
        "rules": urlencode(asdict(found.rules)),
        "standing": standing_decision(suite),
        "may_manage": can_manage_campaigns(request.user),
        "covered": texts_are_covered(request),
    }
    return render(request, "annotation/manage/decision.html", context)


def _lists(found: DecisionEffect) -> dict[str, tuple[str, Collection[int]]]:
    """What changes for which cases; an empty list is left out, but never all of them."""
    marked: Collection[int] = found.disputed if found.rules.policy == Policy.MARK else ()
    lists: dict[str, tuple[str, Collection[int]]] = {
        "going": (_("Would be left out"), found.going),
        "returning": (_("Would be restored"), found.returning),
        "marked": (_("Would be marked"), marked),
    }
    return {name: one for name, one in lists.items() if one[1]} or {"going": lists["going"]}


def _why(found: DecisionEffect, shown: str, case: TestCase) -> tuple[str, str]:
    """The reason, and the key of the case it goes back to."""
    if shown == "going":
        left = found.going[case.pk]
        return ExclusionReason(left.reason).label, left.because_of
    if shown == "returning":
        reason = ExclusionReason(found.returning[case.pk]).label
        return _("No longer applies: %(reason)s", reason=reason), ""
    return ExclusionReason.DISAGREEMENT.label, case.key


@login_required
@require_POST
def decide(request: SignedInRequest, key: str) -> HttpResponse:
    suite = find_suite(request.user, key)
    form = DecisionForm(request.POST, suite=suite)
    if not form.is_valid() or form.chosen.expected is None:
        raise BadInput(_("Look at the preview first, then apply the decision."), fields=form.errors)
    found = apply_decision(suite, by=request.user, expected=form.chosen.expected, **form.chosen.rules())
    changes = [
        ngettext("%(count)s case left out", "%(count)s cases left out", len(found.going)),
        ngettext("%(count)s case restored", "%(count)s cases restored", len(found.returning)),
        ngettext("%(count)s case validated", "%(count)s cases validated", found.validated),
    ]
    messages.success(request, _("Decision applied: %(changes)s.", changes=changes))
    return redirect("annotation:exclusions", key=suite.key)


@login_required
@require_safe
def exclusions(request: SignedInRequest, key: str) -> HttpResponse:
    suite = find_suite(request.user, key)
    rows = Exclusion.objects.standing().filter(case__suite=suite).select_related(
        "case__language", "case__functionality", "created_by"
    )  # fmt: skip
    words, reason = request.GET.get("q", "").strip(), request.GET.get("reason", "")
    if words:
        rows = rows.filter(case__text__icontains=words) | rows.filter(case__key__icontains=words)
    if reason in ExclusionReason.values:
        rows = rows.filter(reason=reason)
    page = Paginator(rows.order_by("case__language", "case__position", "id"), PER_PAGE).get_page(
        request.GET.get("page")
    )
    may_lift = {language.pk for language in suite.languages.all() if can_author(request.user, language.code)}
    context = {"suite": suite, "page": page, "q": words, "reason": reason, "reasons": ExclusionReason.choices}
    context |= {"may_lift": may_lift, "covered": texts_are_covered(request)}
    return render(request, "annotation/manage/exclusions.html", context)


@login_required
@require_POST
def lift(request: SignedInRequest, key: str, case: str) -> HttpResponse:
    suite = find_suite(request.user, key)
    subject = get_object_or_404(TestCase.objects.of(suite).select_related("language", "suite"), key=case)
    lift_exclusion(subject, reason=request.POST.get("reason", ""), by=request.user)
    messages.success(request, _("Case %(case)s restored. From now on it is kept by decision.", case=subject.key))
    return redirect("annotation:exclusions", key=suite.key)


@login_required
@require_safe
def agreement(request: SignedInRequest, key: str) -> HttpResponse:
    """Agreement over all campaigns of the suite."""
    suite = find_suite(request.user, key)
    asked = request.GET.get("by", "functionality")
    by: By = next((one for one in KEYS if one == asked), "functionality")
    found = suite_agreement(suite, by=by, without=list(hidden_from(request.user)))
    parts = list(named_parts(found["by"], by).items())
    context = {"suite": suite, "values": found, "by": by, "keys": KEYS, "parts": parts}
    return render(request, "annotation/manage/suite_agreement.html", context)


@login_required
@require_safe
def perspectives(request: SignedInRequest, key: str) -> HttpResponse:
    """How groups of annotators label, by the answers they agreed to link."""
    suite = find_suite(request.user, key)
    asked = request.GET.get("by", "")
    by = asked if asked in QUESTIONS_ABOUT_PEOPLE else "gender"
    found = suite_perspectives(suite, by=by, without=list(hidden_from(request.user)))
    released = (
        Release.objects.visible_to(request.user).published().filter(suite=suite).order_by("-published_at").first()
    )
    context = {
        "suite": suite,
        "values": found,
        "by": by,
        "questions": list(QUESTIONS_ABOUT_PEOPLE),
        "release": released,
    }
    if released:
        context["models_page"] = address_of("evaluation:group-labels", suite.key, released.version)
    groups = [(group_in_words(by, group), values) for group, values in found["groups"].items()]
    return render(request, "annotation/manage/perspectives.html", context | {"groups": groups})


@login_required
def import_labels(request: SignedInRequest, key: str) -> HttpResponse:
    """Take in a file of labels; its problems are shown with their places."""
    suite = find_suite(request.user, key)
    require_manager(request.user)
    form = LabelFileForm(request.POST or None, request.FILES or None)
    problems: list[dict[str, object]] = []
    refusal, tried = "", None
    if request.method == "POST" and form.is_valid():
        chosen = form.chosen
        if chosen.file.size > LARGEST_FILE:
            raise BadInput(_("The file is larger than 50 MB. Use the command import_labels."))
        try:
            report = import_uploaded_labels(
                suite, chosen.file, by=request.user, title=chosen.title, layout=chosen.layout, dry_run=chosen.dry_run
            )
        except BadInput as error:
            refusal, problems = str(error), error.problems[:200]
        else:
            if not chosen.dry_run:
                if report["tool"]:
                    messages.info(request, _("This looks like a %(tool)s export.", tool=report["tool"]))
                _say_what_is_new(request, report)
                if skipped := skipped_text(report["skipped"]):
                    messages.info(request, skipped)
            if report["too_few"]:
                messages.warning(request, report["too_few"])
            if not chosen.dry_run:
                return redirect("annotation:campaign", key=report["campaign"])
            tried = report | {"skipped_in_words": skipped_text(report["skipped"])}
            messages.success(
                request,
                _(
                    "The file can be imported: %(labels)s on %(cases)s. Nothing was changed.",
                    **_counts(report, "labels"),
                ),
            )
    context = {"suite": suite, "form": form, "problems": problems, "refusal": refusal, "tried": tried}
    return render(request, "annotation/manage/import_labels.html", context, status=422 if refusal else 200)


def _say_what_is_new(request: SignedInRequest, report: Mapping[str, Any]) -> None:
    if report["new"]:
        messages.success(request, _("Imported %(labels)s on %(cases)s.", **_counts(report, "new")))
    else:
        messages.info(request, _("These labels were imported before. Nothing was changed."))


def _counts(report: Mapping[str, Any], labels: str) -> dict[str, Text]:
    return {
        "labels": ngettext("%(count)s label", "%(count)s labels", report[labels]),
        "cases": ngettext("%(count)s case", "%(count)s cases", report["cases"]),
    }
