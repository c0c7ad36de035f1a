"""Whom evaluation tells what: results of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.notifications.models import Happening
from core.notifications.services import notify
from core.text import _

if TYPE_CHECKING:
    from evaluation.models import EvaluationRun


def tell_of_results(run: EvaluationRun) -> None:
    """Tell the person who requested a run that its results are there."""
    notify(
        Happening.RUN_FINISHED,
        [run.created_by] if run.created_by else [],
        key=run.key,
        title=_("Results of %(model)s on %(release)s", model=run.model_version.model.name, release=run.release.key),
        url=run.get_absolute_url(),
        facts={"run": run.key, "release": run.release.key, "model": run.model_version.model.key},
    )
