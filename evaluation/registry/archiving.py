"""Putting models and runs away, taking them out again, and deleting what nothing rests on."""

from __future__ import annotations

from django.db import models, transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import ChangedMeanwhile, DomainError, Missing
from core.permissions import require_maintainer
from core.text import _, ngettext
from evaluation.models import AttackScore, AttackSpread, DetectionModel, EvaluationRun, SharedReport
from evaluation.runs.models import RunState

Subject = DetectionModel | EvaluationRun
DONE = {
    (DetectionModel, True): Action.MODEL_ARCHIVED,
    (DetectionModel, False): Action.MODEL_RESTORED,
    (EvaluationRun, True): Action.RUN_ARCHIVED,
    (EvaluationRun, False): Action.RUN_RESTORED,
}


class StillNeeded(DomainError):
    """Something rests on the model or the run, so it cannot be deleted or archived now."""

    code, status = "still_needed", 409


class ModelArchived(DomainError):
    """The model was put away."""

    code, status = "model_archived", 409


def require_current(model: DetectionModel) -> None:
    """Refuse a model that is archived."""
    if model.archived_at:
        raise ModelArchived(_("%(model)s is archived. Restore it first.", model=model.name))


def find_subject(key: str) -> Subject:
    """Return the run of that key, or the model of that key or name. Refuses what is neither."""
    run = EvaluationRun.objects.select_related("model_version__model", "release__suite").filter(key=key).first()
    found: Subject | None = run or DetectionModel.objects.named(key).first()
    if found is None:
        raise Missing(_("There is no model and no run '%(key)s'.", key=key))
    return found


@transaction.atomic
def archive(subject: Subject, *, by: User | None) -> None:
    """Put a model or a run away: lists hide it, links that were shared still show it. Refuses what is still at work."""
    _may(by)
    _refuse_unfinished(subject)
    _mark(subject, is_archived=True, by=by)


@transaction.atomic
def restore(subject: Subject, *, by: User | None) -> None:
    """Take a model or a run out again."""
    _may(by)
    _mark(subject, is_archived=False, by=by)


@transaction.atomic
def delete_subject(subject: Subject, *, by: User | None) -> None:
    """Delete a run with its answers, or a model with all its runs.

    Refuses runs that are at work or that a shared report shows, and models that attacks were made on.
    """
    _may(by)
    _refuse_unfinished(subject)
    runs = _runs_of(subject)
    _refuse_shared(runs)
    if isinstance(subject, DetectionModel):
        _refuse_attacked(subject)
        audit.record(by, Action.MODEL_DELETED, subject, runs=runs.count())
        runs.delete()
    else:
        model = subject.model_version.model
        audit.record(by, Action.RUN_DELETED, subject, model=model.key, release=subject.release.key)
    subject.delete()


def _may(by: User | None) -> None:
    if by is not None:  # None is an operator at the command line
        require_maintainer(by)


def _runs_of(subject: Subject) -> models.QuerySet[EvaluationRun]:
    if isinstance(subject, EvaluationRun):
        return EvaluationRun.objects.filter(pk=subject.pk)
    return EvaluationRun.objects.filter(model_version__model=subject)


def _mark(subject: Subject, *, is_archived: bool, by: User | None) -> None:
    """Compare and set, as every other change of a state."""
    now = timezone.now() if is_archived else None
    rows = type(subject)._default_manager.filter(pk=subject.pk, archived_at__isnull=is_archived)
    if not rows.update(archived_at=now):
        raise ChangedMeanwhile(subject)
    subject.archived_at = now
    audit.record(by, DONE[type(subject), is_archived], subject)


def _refuse_unfinished(subject: Subject) -> None:
    running = _runs_of(subject).filter(state__in=[RunState.QUEUED, RunState.RUNNING])
    if keys := list(running.values_list("key", flat=True)):
        raise StillNeeded(
            ngettext(
                "%(count)s run is not finished: %(runs)s. Stop it first.",
                "%(count)s runs are not finished: %(runs)s. Stop them first.",
                len(keys),
                runs=keys,
            )
        )


def _refuse_shared(runs: models.QuerySet[EvaluationRun]) -> None:
    shared = SharedReport.objects.usable().filter(runs__in=runs).distinct()
    if not shared.exists():
        return
    keys = list(runs.filter(shared_reports__in=shared).distinct().values_list("key", flat=True))
    raise StillNeeded(
        ngettext(
            "A shared report shows %(count)s run: %(runs)s. Withdraw its link first, or archive instead.",
            "Shared reports show %(count)s runs: %(runs)s. Withdraw their links first, or archive instead.",
            len(keys),
            runs=keys,
        )
    )


def _refuse_attacked(model: DetectionModel) -> None:
    of_model = {"model_version__model": model}
    if AttackScore.objects.filter(**of_model).exists() or AttackSpread.objects.filter(**of_model).exists():
        raise StillNeeded(
            _("Attacks were made on %(model)s, and their scores name it. Archive it instead.", model=model.name)
        )
