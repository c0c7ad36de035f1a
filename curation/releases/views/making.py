"""Freezing, building, publishing, withdrawing and deleting releases: thin callers of the services."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.confirming import confirmed
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _
from core.web import SignedInRequest
from curation.models import Release, Suite
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.releases import services as releases
from curation.releases.checklist import checklist
from curation.releases.difference import changelog_between, release_before
from curation.releases.forms import FreezeForm, ImportReleaseForm, PublishForm, WithdrawForm
from curation.releases.importing_by_name import request_release_import
from curation.releases.models import ReleaseState
from curation.releases.options import RuleOptions
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.records import agreement_of
from curation.releases.rules import freeze_settings, standing_decision
from curation.releases.verifying import verify_release
from curation.releases.views.pages import find_release, frame, names_of_keys

MISSING_TITLES = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
FIRST_NOTES = "First release."  # the notes of a release are in English, as its files are, unless a person changes them


@login_required
def release_new(request: SignedInRequest) -> HttpResponse:
    """Choose what to freeze; the preview shows what would be in and out before anything is written."""
    require_maintainer(request.user)
    suite = Suite.objects.filter(key=request.GET.get("suite", "")).first() or Suite.objects.order_by("name").first()
    if suite is None:
        return render(request, "curation/release_new.html", {"form": None})
    if request.method != "POST":
        return render(request, "curation/release_new.html", {"form": FreezeForm.for_suite(suite), "suite": suite})
    form = FreezeForm(request.POST)
    if not form.is_valid() or form.suite is None:
        return render(request, "curation/release_new.html", {"form": form, "suite": suite}, status=422)
    chosen = form.chosen
    release = releases.request_release(
        form.suite, chosen.version, by=request.user, **chosen.rules(), **chosen.said()
    )  # fmt: skip
    return _build(request, release)


@login_required
def release_import(request: SignedInRequest) -> HttpResponse:
    """Upload a release that another instance exported, or name one. A job verifies and publishes it here."""
    require_maintainer(request.user)
    named = {name: request.GET.get(name, "") for name in ("release", "source")}
    form = ImportReleaseForm(request.POST or None, request.FILES or None, initial=named)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(request_release_import(form.chosen, by=request.user))
        except BadInput as error:
            form.add_error("release" if form.chosen.release else "file", str(error))
    return render(request, "curation/release_import.html", {"form": form}, status=422 if form.errors else 200)


@login_required
def release_preview(request: SignedInRequest) -> HttpResponse:
    """What the form would freeze. Writes nothing."""
    require_maintainer(request.user)
    form = FreezeForm(request.GET)
    form.full_clean()
    if form.suite is None or set(RuleOptions.model_fields) & set(form.errors):
        problems = [
            _("%(field)s: %(problem)s", field=form.fields[name].label, problem=text) if name in form.fields else text
            for name, texts in form.errors.items()
            for text in texts
        ]
        return render(request, "curation/release_preview.html", {"problems": problems}, status=200)
    values, suite = form.cleaned_data, form.suite
    rules = freeze_settings(suite, **{name: values.get(name) for name in RuleOptions.model_fields})
    found = preview(suite, plan_freeze(suite, rules))
    found |= {name: values[name] for name in ("licence", "authors") if values.get(name)}
    found["agreement"] = [agreement_of(row) for row in found["agreement"]]
    missing = [MISSING_TITLES[key] for key in found["missing_documentation"]]
    context = {"found": found, "missing": missing, "suite": suite, "standing": standing_decision(suite)}
    context |= names_of_keys()
    return render(request, "curation/release_preview.html", context)


def _build(request: SignedInRequest, release: Release) -> HttpResponse:
    releases.request_build(release, by=request.user)
    messages.success(request, _("The build of %(release)s has started.", release=release.key))
    return redirect(release)


@require_POST
@login_required
def release_build(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    return _build(request, find_release(request, suite, version))


@require_POST
@login_required
def release_stop(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    release = find_release(request, suite, version)
    releases.stop_build(release, by=request.user)
    said = _("The build of %(release)s stops at its next step and leaves a draft.", release=release.key)
    messages.success(request, said)
    return redirect(release)


@login_required
@confirmed
def release_publish(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    """Show what publishing means, with the checklist and a draft of what changed; then do it."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    if request.method != "POST" and release.state != ReleaseState.CANDIDATE:
        return redirect(release)
    before = release_before(release)
    drafted = release.notes or (changelog_between(before, release) if before else FIRST_NOTES)
    form = PublishForm(request.POST or None, initial={"notes": drafted})
    points = checklist(release)
    is_open = not all(point.is_done for point in points)
    form.fields["reason"].required = is_open
    if request.method == "POST" and form.is_valid():
        notes = form.cleaned_data["notes"].replace("\r\n", "\n")
        try:
            releases.publish_release(release, by=request.user, notes=notes, reason=form.chosen.reason)
        except BadInput as error:
            form.add_error("reason", str(error))
        else:
            messages.success(request, _("%(release)s published.", release=release.key))
            return redirect(release)
    context = frame(request, release, "release") | {"checklist": points, "form": form, "before": before}
    context["is_open"] = is_open
    return render(request, "curation/release_publish.html", context, status=422 if form.errors else 200)


@login_required
@confirmed
def release_withdraw(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    """Ask for the reason, then withdraw."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    form = WithdrawForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        releases.withdraw_release(release, reason=form.chosen.reason, by=request.user)
        messages.success(request, _("%(release)s withdrawn. Its page shows the reason.", release=release.key))
        return redirect(release)
    context = frame(request, release, "release") | {"form": form}
    return render(request, "curation/release_withdraw.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def release_doi(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    release = find_release(request, suite, version)
    doi = releases.record_doi(release, request.POST.get("doi", ""), by=request.user)
    messages.success(request, _("DOI %(doi)s recorded for %(release)s.", doi=doi, release=release.key))
    return redirect(release)


@require_POST
@login_required
def release_delete(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    release = find_release(request, suite, version)
    releases.delete_release(release, by=request.user)
    messages.success(request, _("%(release)s deleted.", release=f"{suite}@{version}"))
    return redirect("curation:releases")


@require_POST
@login_required
def release_verify(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Recompute every checksum and say what was found."""
    release = find_release(request, suite, version)
    return render(request, "curation/release_verified.html", {"release": release, "found": verify_release(release)})
