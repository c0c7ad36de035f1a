"""The cases behind a figure: what the model said about each, by every key the report slices by."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from core.text import _
from curation.catalogue.group_names import released_group_names
from evaluation.models import EvaluationRun, Prediction

FILTERS = {
    "functionality": "release_case__functionality",
    "class": "release_case__functionality_class",
    "label": "release_case__label",
    "language": "release_case__language",
    "direction": "release_case__direction",
    "origin": "release_case__origin",
    "focus_word": "release_case__focus_lemma",
    "perturbation_set": "release_case__perturbation_set",
    "target": "",
}
FILTER_TITLES = {
    "functionality": _("Functionality"),
    "class": _("Class of functionalities"),
    "label": _("Label"),
    "language": _("Language"),
    "direction": _("Direction"),
    "origin": _("Origin"),
    "focus_word": _("Focus word"),
    "perturbation_set": _("Perturbation set"),
    "target": _("Target group"),
}
CASE_COLUMNS = (
    *("case_id", "test_case", "language", "functionality", "target_ident", "label_gold"),
    *("prediction", "score", "refused", "error"),
)
SORTS = {
    "key": "release_case__position",
    "functionality": "release_case__functionality",
    "score": "score",
}


def matching_predictions(
    run: EvaluationRun, chosen: Mapping[str, str], *, search: str = "", sort: str = ""
) -> QuerySet[Prediction]:
    """Predictions that fit the filters; `show` is wrong (the default), right, unanswered, refused, near or all."""
    found = Prediction.objects.filter(run=run).select_related("release_case")
    right = Q(label=F("release_case__label"))
    show = chosen.get("show", "wrong")
    if show == "wrong":
        found = found.filter(~right, label__isnull=False)
    elif show == "right":
        found = found.filter(right)
    elif show == "unanswered":
        found = found.filter(label=None)
    elif show == "refused":
        found = found.filter(is_refusal=True)
    elif show == "near":
        near = run.report.values["near_threshold"]
        reach = near["within"] + 1e-12  # as measured
        found = found.filter(score__range=(near["threshold"] - reach, near["threshold"] + reach))
    for name, column in FILTERS.items():
        if value := chosen.get(name, ""):
            found = found.filter(**{column: value}) if column else found.filter(_measured_of_target(run, value))
    if search:
        found = found.filter(release_case__text__icontains=search)
    column = SORTS.get(sort.removeprefix("-"), "release_case__position")
    return found.order_by(f"-{column}" if sort.startswith("-") else column, "release_case__position")


@dataclass(frozen=True, slots=True)
class UsualError:
    """How many cases got no usable answer, and what went wrong with most of them."""

    cases: int
    error: str


def usual_error(run: EvaluationRun) -> UsualError | None:
    """None where every answer could be used; refusals are answers."""
    broken = Prediction.objects.filter(run=run).exclude(error="")
    found = list(broken.values_list("error").annotate(cases=Count("id")).order_by("-cases", "error"))
    return UsualError(sum(cases for _, cases in found), found[0][0]) if found else None


def case_lines(rows: QuerySet[Prediction]) -> Iterator[list[str]]:
    """Yield one line per prediction, in the order of CASE_COLUMNS; an empty label is no usable answer."""
    for prediction in rows.iterator(chunk_size=2000):
        case = prediction.release_case
        score = "" if prediction.score is None else repr(prediction.score)
        yield [
            *(case.key, case.text, case.language, case.functionality, "|".join(case.targets), case.label),
            *(prediction.label or "", score, "yes" if prediction.is_refusal else "", str.__str__(prediction.error)),
        ]


def choices_for(run: EvaluationRun) -> dict[str, list[str]]:
    """Return what can be chosen, from the stored measures: no look at the cases."""
    values: dict[str, Any] = run.report.values
    sections = {
        "functionality": "by_functionality",
        "class": "by_class",
        "label": "by_label",
        "language": "by_language",
        "target": "by_target",
        "direction": "by_direction",
        "origin": "by_origin",
        "focus_word": "by_focus_word",
        "perturbation_set": "by_perturbation_set",
    }
    return {name: list(values.get(section, {})) for name, section in sections.items()}


def _measured_of_target(run: EvaluationRun, group: str) -> Q:
    """Return the cases behind the figure of a group: only templates that are filled with every group are measured."""
    column = "release_case__targets"
    found, meant_otherwise = Q(), []
    for language, targets in released_group_names(run.release).items():
        for target, groups in targets.items():
            if group in groups:
                found |= _has_target(target, column) & Q(release_case__language=language)
            elif target.casefold() == group.casefold():  # the search below does not tell capitals apart
                meant_otherwise.append(language)
    found |= _has_target(group, column) & ~Q(release_case__language__in=meant_otherwise)
    return found & (Q(release_case__is_about_identity=True) | Q(release_case__template=""))


def _has_target(value: str, name: str) -> Q:
    """Targets are a JSON list; as text it holds the name in quotes, which both databases can look for.

    SQLite keeps letters beyond ASCII as escapes, PostgreSQL as they are.
    """
    column = f"{name}__icontains"
    return Q(**{column: json.dumps(value)}) | Q(**{column: json.dumps(value, ensure_ascii=False)})
