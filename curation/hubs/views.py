"""The page of a release about hubs: where it is, and the next step; thin callers of the services."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.confirming import confirmed
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _
from core.web import SignedInRequest
from curation.hubs.connecting import is_connected
from curation.hubs.entries import reserved_doi
from curation.hubs.forms import PublishToHubForm
from curation.hubs.models import EntryState, Hub
from curation.hubs.services import request_publication, request_reservation, unfinished_jobs
from curation.models import HubEntry
from curation.releases.views.pages import find_release, frame


@login_required
@confirmed
def release_hubs(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    """Show what hubs hold of the release, and publish it at one."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    entries, jobs = HubEntry.objects.filter(release=release), unfinished_jobs(release)
    settled = set(entries.filter(state=EntryState.PUBLISHED).values_list("hub", flat=True))
    offered = [(hub.value, hub.label) for hub in Hub if is_connected(hub) and hub not in settled]
    form = PublishToHubForm(request.POST or None)
    form.offer("hub", offered)
    if request.method == "POST" and form.is_valid():
        try:
            job = request_publication(release, form.chosen, by=request.user)
        except BadInput as error:
            form.add_error("repository" if form.chosen.repository else "hub", str(error))
        else:
            messages.success(request, _("%(job)s: started.", job=job.title))
            return redirect("curation:release-hubs", suite, version)
    context = frame(request, release, "release-hubs") | {
        "form": form,
        "entries": entries,
        "jobs": jobs,
        "has_hubs": any(is_connected(hub) for hub in Hub),
        "can_reserve": is_connected(Hub.ZENODO) and not jobs and not reserved_doi(release),
        "can_publish": bool(offered),
    }
    return render(request, "curation/release_hubs.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def release_reserve_doi(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    """Queue the reservation of a DOI."""
    release = find_release(request, suite, version)
    job = request_reservation(release, by=request.user)
    messages.success(request, _("%(job)s: started.", job=job.title))
    return redirect("curation:release-hubs", suite, version)
