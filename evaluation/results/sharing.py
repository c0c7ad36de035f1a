"""Links for people without an account."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.errors import BadInput, Missing
from core.permissions import require_maintainer
from core.text import _
from curation.models import Release
from evaluation.models import EvaluationRun, SharedReport
from evaluation.results.reporting import with_reports

NO_LINK = _("There is no such link, or it was withdrawn.")


@transaction.atomic
def share_report(release: Release, runs: Sequence[EvaluationRun], *, by: User | None) -> SharedReport:
    """Make a link to the results of these runs. Refuses an empty choice and runs on another release."""
    if by is not None:
        require_maintainer(by)
    if not runs or any(run.release_id != release.pk for run in runs):
        raise BadInput(_("Choose at least one model with results on this release."))
    shared = SharedReport.objects.create(release=release, created_by=by)
    shared.runs.set(runs)
    return shared


def open_link(token: str) -> tuple[SharedReport, list[EvaluationRun]]:
    """Return what a link leads to, for anyone who has it. Refuses a link that was withdrawn."""
    shared = SharedReport.objects.usable().filter(token=token).select_related("release__suite").first()
    if shared is None:
        raise Missing(NO_LINK)
    runs = shared.runs.measured().select_related("model_version__model", "release__suite").order_by("id")
    return shared, with_reports(list(runs))


def withdraw_link(token: str, *, by: User | None) -> SharedReport:
    """Withdraw the link: it shows nothing from now on."""
    if by is not None:
        require_maintainer(by)
    shared = SharedReport.objects.usable().filter(token=token).select_related("release__suite").first()
    if shared is None:
        raise Missing(NO_LINK)
    SharedReport.objects.filter(pk=shared.pk).update(withdrawn_at=timezone.now())
    return shared
