"""What a model lost and won against another: the verdict, and the cases behind it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from core.errors import BadInput, Missing
from core.text import _
from evaluation.models import EvaluationRun, Prediction
from evaluation.reports.regression import as_junit, as_markdown, changed_cases, judge
from evaluation.results.comparing import columns_of, compare_runs
from evaluation.results.documents import Document
from evaluation.results.reporting import titled
from evaluation.runs.failing import matching_predictions
from evaluation.runs.scoring import case_rows, common_languages

CHANGES = {"broken": _("Broken cases"), "fixed": _("Fixed cases")}
CHANGE_COLUMNS = (
    *("change", "case_id", "test_case", "language", "functionality", "target_ident", "label_gold"),
    *("prediction_before", "prediction_after"),
)
FORMATS = {
    "markdown": ("md", "text/markdown; charset=utf-8"),
    "junit": ("xml", "application/xml"),
    "json": ("json", "application/json"),
}
TITLES = {"markdown": "Markdown", "junit": "JUnit", "json": "JSON"}


def judge_runs(runs: Sequence[EvaluationRun], *, max_drop: float | None = None) -> dict[str, Any]:
    """Return what got worse and better from the first run to the second, with the keys of broken and fixed cases.

    Refuses anything but two runs on one release.
    """
    if len(runs) != 2:
        raise BadInput(_("A model against itself says nothing. Name two models, or two runs by their keys."))
    first, second = runs
    found = compare_runs(first, second)
    release = first.release
    second.release = release
    before, after = titled(runs)
    cases = case_rows(release, common_languages(runs))
    changed = changed_cases(columns_of(first, cases), columns_of(second, cases))
    return judge(found, release=release.key, before=before, after=after, cases=changed, max_drop=max_drop)


def comparison_document(runs: Sequence[EvaluationRun], wanted: str) -> Document:
    """Return the verdict as a file: Markdown, JUnit or JSON. Refuses formats it does not know."""
    if wanted not in FORMATS:
        raise Missing(_("There is no format '%(format)s'. Choose from: %(known)s.", format=wanted, known=list(FORMATS)))
    judged = judge_runs(runs)
    ending, content_type = FORMATS[wanted]
    text = {"markdown": as_markdown, "junit": as_junit, "json": _as_json}[wanted](judged)
    return Document(f"comparison-{runs[0].key}-{runs[1].key}.{ending}", content_type, text.encode())


def _as_json(judged: Mapping[str, Any]) -> str:
    return json.dumps(judged, ensure_ascii=False, indent=1, default=str) + "\n"


def changed_predictions(
    first: EvaluationRun, second: EvaluationRun, change: str, chosen: Mapping[str, str], *, search: str = ""
) -> QuerySet[Prediction]:
    """Return the answers of the second run that changed: `broken` were right before, `fixed` are right now.

    `before` is the answer of the first run, `chosen` are the filters of the cases of a run.
    """
    earlier = Prediction.objects.filter(run=first, release_case=OuterRef("release_case"))
    found = matching_predictions(second, {**chosen, "show": "all"}, search=search).annotate(
        before=Subquery(earlier.values("label")[:1])
    )
    gold = F("release_case__label")
    was_right, is_right = Q(before=gold), Q(label=gold)
    if change == "broken":
        return found.filter(was_right).filter(Q(label=None) | ~is_right)
    return found.filter(Exists(earlier), is_right).filter(Q(before=None) | ~was_right)


def change_lines(change: str, rows: QuerySet[Prediction]) -> Iterator[list[str]]:
    """Yield one line per changed case, in the order of CHANGE_COLUMNS; an empty label is no usable answer."""
    for prediction in rows.iterator(chunk_size=2000):
        case = prediction.release_case
        yield [
            *(change, case.key, case.text, case.language, case.functionality, "|".join(case.targets), case.label),
            *(getattr(prediction, "before", None) or "", prediction.label or ""),
        ]
