"""Freezing, building, publishing, withdrawing and deleting releases: thin callers of the services."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.models import User
from core.permissions import require_maintainer
from curation.models import Release, Suite
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.releases import services as releases
from curation.releases.checklist import checklist
from curation.releases.difference import changelog_between, release_before
from curation.releases.forms import FreezeForm
from curation.releases.models import ReleaseState
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.records import agreement_of
from curation.releases.rules import freeze_settings
from curation.releases.services import record_doi
from curation.releases.verifying import verify_release
from curation.releases.views.common import find_release, frame

MISSING_TITLES = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # every view here asks for a signed-in person first
    return request.user


@login_required
def release_new(request: HttpRequest) -> HttpResponse:
    """Choose what to freeze; the preview shows what would be in and out before anything is written."""
    require_maintainer(request.user)
    suite = Suite.objects.filter(key=request.GET.get("suite", "")).first() or Suite.objects.order_by("name").first()
    if suite is None:
        return render(request, "curation/release_new.html", {"form": None})
    if request.method != "POST":
        return render(request, "curation/release_new.html", {"form": FreezeForm.for_suite(suite), "suite": suite})
    form = FreezeForm(request.POST)
    if not form.is_valid():
        return render(request, "curation/release_new.html", {"form": form, "suite": suite}, status=422)
    values = form.cleaned_data
    release = releases.request_release(
        values["suite"],
        values["version"],
        policy=values["policy"],
        min_agree=values["min_agree"],
        cascade=values["cascade"],
        without_labels=values["without_labels"],
        access=values["access"],
        terms=values["terms"],
        title=values["title"],
        licence=values["licence"],
        authors=values["authors"],
        by=_person(request),
    )
    releases.request_build(release, by=_person(request))
    messages.success(request, f"{release.key} is being built.")
    return redirect(release)


@login_required
def release_preview(request: HttpRequest) -> HttpResponse:
    """What the form would freeze. Writes nothing."""
    require_maintainer(request.user)
    form = FreezeForm(request.GET)
    form.full_clean()
    needed = {"suite", "policy", "min_agree", "cascade", "without_labels"}
    if needed & set(form.errors):
        problems = [
            f"{form.fields[name].label or name.capitalize()}: {e}" for name, es in form.errors.items() for e in es
        ]
        return render(request, "curation/release_preview.html", {"problems": problems}, status=200)
    values = form.cleaned_data
    rules = freeze_settings(
        values["suite"], **{name: values[name] for name in ("policy", "min_agree", "cascade", "without_labels")}
    )
    found = preview(values["suite"], plan_freeze(values["suite"], rules))
    found["licence"] = values.get("licence") or found["licence"]
    found["authors"] = values.get("authors") or found["authors"]
    found["agreement"] = [agreement_of(row) for row in found["agreement"]]
    missing = [MISSING_TITLES[key] for key in found["missing_documentation"]]
    return render(
        request, "curation/release_preview.html", {"found": found, "missing": missing, "suite": values["suite"]}
    )


@require_POST
@login_required
def release_build(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    release = find_release(request, suite, version)
    releases.request_build(release, by=_person(request))
    messages.success(request, f"{release.key} is being built.")
    return redirect(release)


@require_POST
@login_required
def release_stop(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    release = find_release(request, suite, version)
    releases.stop_build(release, by=_person(request))
    messages.success(request, f"The build of {release.key} stops at its next step. A draft is left.")
    return redirect(release)


@login_required
def release_publish(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Shows what publishing means, with the checklist and a draft of what changed; then does it."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    if request.method == "POST":
        releases.publish_release(
            release, by=_person(request), notes=request.POST.get("notes", "").replace("\r\n", "\n")
        )
        messages.success(request, f"{release.key} is published.")
        return redirect(release)
    if release.state != ReleaseState.CANDIDATE:
        return redirect(release)
    before = release_before(release)
    notes = release.notes or (changelog_between(before, release) if before else "First release.")
    context = frame(request, release, "release") | {"checklist": checklist(release), "notes": notes, "before": before}
    return render(request, "curation/release_publish.html", context)


@login_required
def release_withdraw(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Asks for the reason, then withdraws."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    if request.method == "POST":
        releases.withdraw_release(release, reason=request.POST.get("reason", ""), by=_person(request))
        messages.success(request, f"{release.key} is withdrawn. Its page says why.")
        return redirect(release)
    return render(request, "curation/release_withdraw.html", frame(request, release, "release"))


@require_POST
@login_required
def release_doi(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    release = find_release(request, suite, version)
    doi = record_doi(release, request.POST.get("doi", ""), by=_person(request))
    messages.success(request, f"{release.key} is cited with the DOI {doi}.")
    return redirect(release)


@require_POST
@login_required
def release_delete(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    release: Release = find_release(request, suite, version)
    key = release.key
    releases.delete_release(release, by=_person(request))
    messages.success(request, f"{key} is deleted.")
    return redirect("curation:releases")


@require_POST
@login_required
def release_verify(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Recomputes every checksum and says what it found."""
    release = find_release(request, suite, version)
    return render(request, "curation/release_verified.html", {"release": release, "found": verify_release(release)})
