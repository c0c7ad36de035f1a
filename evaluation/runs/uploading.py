"""Predictions that were computed elsewhere."""

import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.inference.errors import line_of
from core.permissions import require_evaluator
from core.states import move
from core.text import _, keep, ngettext
from curation.models import Release, ReleaseCase, TestCase
from curation.releases.access import require_reading
from evaluation.models import EvaluationRun
from evaluation.registry.services import register_model, runner_settings
from evaluation.runners import Answer, ConfigurationError, InferenceError
from evaluation.runners.upload import UploadRunner, read_predictions
from evaluation.runs.answers import store_answers
from evaluation.runs.models import RunSource, RunState
from evaluation.runs.options import PredictionsOptions
from evaluation.runs.scoring import score_run
from evaluation.runs.services import require_published, start_run
from evaluation.states import RUN_MOVES


@transaction.atomic
def import_predictions(
    release: Release,
    path: Path,
    *,
    model: str,
    by: User | None = None,
    column: str | None = None,
    label_map: Mapping[str, str] | None = None,
    threshold: float | None = None,
    allow_missing: bool = False,
) -> EvaluationRun:
    """Check a file of predictions against a published release and score it. The same file twice gives the same run.

    Refuses unknown, doubled and missing cases and unknown labels, all named with their rows. What was only noted is in
    the run's environment under `problems`.
    """
    require_published(release)
    settings = runner_settings(release.suite.labels)
    ids = dict(ReleaseCase.objects.filter(release=release).order_by("position").values_list("key", "id"))
    try:
        uploaded = read_predictions(
            path,
            known=ids,
            left_out=set(TestCase.objects.filter(suite=release.suite).values_list("key", flat=True)) - ids.keys(),
            settings=settings,
            model=model,
            column=column or None,
            label_map=label_map,
            threshold=threshold,
            allow_missing=allow_missing,
        )
    except ConfigurationError as error:
        raise BadInput(_told(error), problems=[asdict(one) for one in error.problems]) from error
    except InferenceError as error:
        raise BadInput(_("Nothing was imported. %(problem)s", problem=error.sentence)) from error
    version = register_model(model, "upload", UploadRunner(model, settings=settings), by=by)

    before = EvaluationRun.objects.filter(
        release=release, model_version=version, file_hash=uploaded.file_hash, state=RunState.DONE
    )
    for known in before:
        if all(known.environment.get(name) == value for name, value in uploaded.reading.items()):
            return known
    run = start_run(release, version, source=RunSource.UPLOAD, by=by, file_hash=uploaded.file_hash)
    run.environment |= {**uploaded.reading, "problems": keep([asdict(one) for one in uploaded.problems])}
    run.save(update_fields=["environment"])
    move(run, RunState.RUNNING, RUN_MOVES)
    nothing = Answer(label=None, error=_("the file has no prediction for this case"))
    answers = uploaded.answers | dict.fromkeys(uploaded.missing, nothing)
    store_answers(run, [(ids[key], answer) for key, answer in answers.items()])
    score_run(run)
    move(run, RunState.DONE, RUN_MOVES, finished_at=timezone.now())
    audit.record(by, Action.PREDICTIONS_IMPORTED, run, model=model, release=release.key)
    return run


def _told(error: ConfigurationError) -> str:
    """Return the first problem of a file, and how many more there are."""
    first, *others = error.problems
    if not others:
        return _("Nothing was imported. %(problem)s", problem=line_of(first))
    return ngettext(
        "Nothing was imported. %(problem)s (%(count)s more)",
        "Nothing was imported. %(problem)s (%(count)s more)",
        len(others),
        problem=line_of(first),
    )


def import_file(release: Release, options: PredictionsOptions, *, by: User) -> EvaluationRun:
    """As `import_predictions`, for a file that came over the network; only evaluators and maintainers may hand one in.

    It goes through a temporary file under its own name, so that problems name it.
    """
    require_evaluator(by)
    require_reading(by, release)
    file = options.predictions
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(file.name).name or "predictions.csv")
        with path.open("wb") as out:
            for part in file.chunks():
                out.write(part)
        return import_predictions(release, path, model=options.model, by=by, **options.reading())
