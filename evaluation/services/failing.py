"""The cases behind a figure: what the model said about each, by every key the report slices by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Q, QuerySet

from evaluation.models import EvaluationRun, Prediction

FILTERS = {
    "functionality": "release_case__functionality",
    "label": "release_case__label",
    "language": "release_case__language",
    "direction": "release_case__direction",
    "origin": "release_case__origin",
    "target": "",
}
SORTS = {
    "key": "release_case__position",
    "functionality": "release_case__functionality",
    "score": "score",
}


def matching_predictions(
    run: EvaluationRun, chosen: Mapping[str, str], *, search: str = "", sort: str = ""
) -> QuerySet[Prediction]:
    """Predictions of a run that fit the filters; `show` is wrong (the default), right, unanswered, near or all."""
    found = Prediction.objects.filter(run=run).select_related("release_case")
    right = Q(label=F("release_case__label"))
    show = chosen.get("show", "wrong")
    if show == "wrong":
        found = found.filter(Q(label=None) | ~right)
    elif show == "right":
        found = found.filter(right)
    elif show == "unanswered":
        found = found.filter(label=None)
    elif show == "near":
        found = found.filter(release_case__key__in=run.report.values["near_threshold"]["cases"])
    for name, column in FILTERS.items():
        if value := chosen.get(name, ""):
            found = found.filter(**{column: value}) if column else found.filter(_has_target(value))
    if search:
        found = found.filter(release_case__text__icontains=search)
    column = SORTS.get(sort.removeprefix("-"), "release_case__position")
    return found.order_by(f"-{column}" if sort.startswith("-") else column, "release_case__position")


def choices_for(run: EvaluationRun) -> dict[str, list[str]]:
    """What can be chosen, from the stored measures: no look at the cases."""
    values: dict[str, Any] = run.report.values
    sections = {
        "functionality": "by_functionality",
        "label": "by_label",
        "language": "by_language",
        "target": "by_target",
        "direction": "by_direction",
        "origin": "by_origin",
    }
    return {name: list(values.get(section, {})) for name, section in sections.items()}


def _has_target(value: str) -> Q:
    """Targets are a JSON list; as text it holds the name in quotes, which both databases can look for."""
    return Q(release_case__targets__icontains=f'"{value}"')
