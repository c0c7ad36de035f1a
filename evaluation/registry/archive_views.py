"""The buttons that archive, restore and delete a model or a run."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from accounts.models import User
from core.permissions import require_maintainer
from core.text import _
from evaluation.models import DetectionModel, EvaluationRun
from evaluation.registry.archiving import Subject, archive, delete_subject, restore


@login_required
@require_POST
def archive_page(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Put it away."""
    subject = _subject(request, kind, key)
    archive(subject, by=cast(User, request.user))
    messages.success(request, _("Archived. Lists hide it; you can restore it here."))
    return redirect(subject)


@login_required
@require_POST
def restore_page(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Take it out again."""
    subject = _subject(request, kind, key)
    restore(subject, by=cast(User, request.user))
    messages.success(request, _("Restored."))
    return redirect(subject)


@login_required
@require_POST
def delete_page(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Delete it, and go where it was listed."""
    subject = _subject(request, kind, key)
    model = subject.model_version.model if isinstance(subject, EvaluationRun) else None
    delete_subject(subject, by=cast(User, request.user))
    messages.success(request, _("Deleted."))
    return redirect(model or "evaluation:models")


def _subject(request: HttpRequest, kind: str, key: str) -> Subject:
    require_maintainer(request.user)
    if kind == "models":
        return get_object_or_404(DetectionModel.objects.visible_to(request.user), key=key)
    runs = EvaluationRun.objects.visible_to(request.user).select_related("model_version__model", "release__suite")
    return get_object_or_404(runs, key=key)
