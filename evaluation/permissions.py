"""Who may test models: maintainers any, evaluators those they registered, on releases whose cases they may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.models import User
from core.errors import NotAllowed
from core.permissions import can_evaluate, can_maintain, require_evaluator
from core.text import _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import DetectionModel, EvaluationRun


def can_work_on(user: User | AnonymousUser, model: DetectionModel) -> bool:
    """Tell whether a person may run, try and describe a model."""
    return can_evaluate(user) and (can_maintain(user) or model.created_by_id == user.pk)


def require_work_on(user: User | AnonymousUser, model: DetectionModel) -> None:
    require_evaluator(user)
    if not can_work_on(user, model):
        raise NotAllowed(
            _(
                "'%(model)s' was registered by another person. Use another name, or ask a maintainer.",
                model=model.name,
            )
        )


def can_steer(user: User | AnonymousUser, run: EvaluationRun) -> bool:
    """Tell whether a person may stop and resume a run."""
    return can_evaluate(user) and (can_maintain(user) or run.created_by_id == user.pk)


def require_steering(user: User | AnonymousUser, run: EvaluationRun) -> None:
    require_evaluator(user)
    if not can_steer(user, run):
        raise NotAllowed(_("Another person started this run. Ask them or a maintainer."))
