"""Results of models on a release, as the JSON that scripts rely on."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.errors import BadInput, Missing
from core.text import _
from curation.models import Release
from evaluation.models import EvaluationRun, Report
from evaluation.runs.models import EvaluationRunQuerySet


def newest_runs(
    release: Release,
    models: Sequence[str] | None = None,
    *,
    among: EvaluationRunQuerySet | None = None,
    most: int | None = None,
) -> list[EvaluationRun]:
    """Return the newest finished run of each model on the release, in the order asked for. Refuses a model without one.

    Where no models are named and there are more than `most`: those with a star, then those that ran last.
    Two queries whatever the number of runs: which runs there are, then the measures of those that are wanted.
    """
    runs = (
        (EvaluationRun.objects.all() if among is None else among)
        .finished()
        .filter(release=release)
        .select_related("model_version__model")
        .defer("environment", "model_version__description")
        .order_by("created_at", "id")
    )
    # A run that is restricted to some languages shows only where no run on the whole release is there.
    by_extent = sorted(runs, key=lambda run: not run.languages)
    newest: dict[str, EvaluationRun] = {run.model_version.model.name: run for run in by_extent}
    if models is None:
        found = list(newest.values())
        if most is not None and len(found) > most:
            found = sorted(found, key=_prominence, reverse=True)[:most]
        return with_reports(found)
    by_any_name = (
        newest | {run.model_version.model.key: run for run in newest.values()} | {run.key: run for run in runs}
    )
    for name in models:
        if name not in by_any_name:
            raise Missing(
                _(
                    "There is no result of '%(model)s' on %(release)s. Models with results: %(known)s.",
                    model=name,
                    release=release.key,
                    known=sorted(newest) or _("none yet"),
                )
            )
    return with_reports(list(dict.fromkeys(by_any_name[name] for name in models)))


def _prominence(run: EvaluationRun) -> tuple[bool, datetime, int]:
    return run.model_version.model.is_starred, run.created_at, run.pk


def runs_by_key(keys: Sequence[str], *, among: EvaluationRunQuerySet) -> list[EvaluationRun]:
    """Return these finished runs, in the order asked for. Refuses none, one that is not there, and several releases."""
    runs = among.measured().filter(key__in=keys).select_related("release__suite", "model_version__model")
    by_key = {run.key: run for run in runs}
    for key in keys:
        if key not in by_key:
            raise Missing(no_finished_run(key))
    found = [by_key[key] for key in dict.fromkeys(keys)]
    if not found or len({run.release_id for run in found}) > 1:
        raise BadInput(_("Choose at least one model with results, all on one release."))
    return with_reports(found)


def no_finished_run(key: str) -> str:
    return _("There is no finished run '%(run)s'.", run=key)


def with_reports(runs: list[EvaluationRun]) -> list[EvaluationRun]:
    """Return the same runs with their measures at hand."""
    reports = {report.run_id: report for report in Report.objects.filter(run__in=runs)}
    for run in runs:
        run.report = reports[run.pk]
    return runs


def titled(runs: Sequence[EvaluationRun]) -> dict[str, EvaluationRun]:
    """Runs by the name of their model; several runs of one model by version and key too, so that none hides another.

    A run that is restricted to some languages says which.
    """
    names = Counter(run.model_version.model.name for run in runs)
    return {_title(run, is_alone=names[run.model_version.model.name] == 1): run for run in runs}


def _title(run: EvaluationRun, *, is_alone: bool) -> str:
    title = run.model_version.model.name
    if not is_alone:
        number = str(run.model_version.number)
        title = _("%(model)s, version %(version)s, %(run)s", model=title, version=number, run=run.key)
    if not run.languages:
        return title
    return _("%(model)s (%(languages)s only)", model=title, languages=run.languages)


def as_json(release: Release, runs: Sequence[EvaluationRun]) -> dict[str, Any]:
    """{release, models: {name: measures}}; measures carry how they came about under `run`."""
    return {
        "release": release.key,
        "models": {
            title: {
                **run.report.values,
                "run": {
                    "key": run.key,
                    "source": run.source,
                    "languages": run.languages,
                    "model_version": run.model_version.number,
                    "fingerprint": run.model_version.fingerprint,
                    "finished_at": run.finished_at.isoformat() if run.finished_at else None,
                    "release_sha256": release.sha256,
                },
            }
            for title, run in titled(runs).items()
        },
    }
