"""The page of followed indexes, for maintainers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _
from core.web import SignedInRequest
from curation.followed import services
from curation.followed.forms import FollowForm
from curation.models import FollowedIndex


@login_required
def followed(request: SignedInRequest) -> HttpResponse:
    """List what is followed and add an address."""
    require_maintainer(request.user)
    form = FollowForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            added = services.follow(form.chosen, by=request.user)
        except BadInput as error:
            form.add_error("address", str(error))
        else:
            messages.success(
                request, _("%(address)s is followed. A worker reads its index now.", address=added.address)
            )
            return redirect("curation:followed")
    rows = []
    for row in FollowedIndex.objects.all():
        rows.append((row, services.count_releases(row)))
    status = 422 if form.errors else 200
    return render(request, "curation/followed.html", {"form": form, "rows": rows}, status=status)


@login_required
@require_POST
def followed_refresh(request: SignedInRequest, number: int) -> HttpResponse:
    require_maintainer(request.user)
    services.request_refresh(get_object_or_404(FollowedIndex, pk=number), by=request.user)
    messages.success(request, _("A worker reads the index now."))
    return redirect("curation:followed")


@login_required
@require_POST
def followed_drop(request: SignedInRequest, number: int) -> HttpResponse:
    require_maintainer(request.user)
    row = get_object_or_404(FollowedIndex, pk=number)
    services.drop(row, by=request.user)
    messages.success(request, _("%(address)s is no longer followed.", address=row.address))
    return redirect("curation:followed")
