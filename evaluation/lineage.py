"""How each evaluated model did on a case, in the case's lineage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.urls import NoReverseMatch

from core.text import _, pgettext
from curation.releases.extensions import Cell, LineageTable
from evaluation.models import EvaluationRun, Prediction

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from curation.models import ReleaseCase


def model_results(case: ReleaseCase, *, viewer: User | AnonymousUser) -> Iterator[LineageTable]:
    """Yield the answers of finished runs the viewer may see, newest run first."""
    runs = EvaluationRun.objects.visible_to(viewer).finished().filter(release=case.release)
    found = (
        Prediction.objects.filter(release_case=case, run__in=runs)
        .select_related("run__model_version__model")
        .order_by("-run__finished_at", "-run_id")
    )
    yield LineageTable(
        _("Models"),
        (_("Model"), _("Answer"), _("Verdict"), _("Score")),
        [_answer(prediction, case) for prediction in found],
        empty=_("There are no results of models on this release that you may see."),
    )


def _answer(prediction: Prediction, case: ReleaseCase) -> tuple[Cell, ...]:
    if prediction.label is None:
        answer = Cell(_("refused") if prediction.is_refusal else _("no usable answer"))
        verdict = _("unanswered")
    else:
        answer = Cell(prediction.label, is_label=True)
        is_right = prediction.label == case.label
        verdict = pgettext("answer of a model", "right") if is_right else pgettext("answer of a model", "wrong")
    score = "" if prediction.score is None else f"{prediction.score:.3f}"  # also in the API
    return Cell(prediction.run.model_version.title, url=_page(prediction.run)), answer, Cell(verdict), Cell(score)


def _page(run: EvaluationRun) -> str:
    try:
        return run.get_absolute_url()
    except NoReverseMatch:  # an installation may leave the pages of results out
        return ""
