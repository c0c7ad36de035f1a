"""Results that were measured elsewhere: recomputed from their predictions, or kept as self-reported."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.permissions import require_evaluator
from core.states import move
from core.text import _, ngettext
from curation.models import Release, ReleaseCase
from curation.releases.access import require_reading
from evaluation.models import DetectionModel, EvaluationRun, ModelVersion, ReportedResult
from evaluation.permissions import require_work_on
from evaluation.registry.services import register_model, runner_settings
from evaluation.reports.submission import Submission, SubmissionRefused, read_submission
from evaluation.runners import Answer
from evaluation.runners.labels import all_of
from evaluation.runners.upload import UploadRunner
from evaluation.runs.answers import store_answers
from evaluation.runs.models import RunSource, RunState
from evaluation.runs.scoring import score_run
from evaluation.runs.services import require_published, start_run
from evaluation.states import RUN_MOVES

SAME = 1e-6  # figures that differ by less are the same; files round
COMPARED = ("accuracy", "macro_f1")


@dataclass(frozen=True, slots=True)
class PushedResult:
    """What became of a result. `differences` says where the figures that came with it are not those measured here."""

    release: Release
    version: ModelVersion
    run: EvaluationRun | None
    reported: ReportedResult | None
    is_new: bool
    differences: tuple[str, ...] = ()


class PushedRunner(UploadRunner):
    """Stands for a model that ran elsewhere, with the fingerprint it has there."""

    def __init__(self, submission: Submission, **settings: Any) -> None:
        super().__init__(submission.model, **settings)
        self._submission = submission

    @property
    def fingerprint(self) -> str:
        return self._submission.fingerprint

    def describe(self) -> dict[str, object]:
        """What its environment said, under a name of its own."""
        return super().describe() | {"reported": dict(self._submission.environment)}


@transaction.atomic
def accept_result(content: Mapping[str, Any], *, by: User) -> PushedResult:
    """Take in what `touchstone push` sends. Taking it in again changes nothing.

    With predictions it is measured here; without, its figures are kept as self-reported. Refuses a broken seal, another
    release than exactly this one, a part of its cases, other labels, and the name of somebody else's model.
    """
    require_evaluator(by)
    try:
        submission = read_submission(content)
    except SubmissionRefused as error:
        raise BadInput(error.sentence) from error
    release = _release_of(submission, by)
    if list(submission.labels) != list(release.suite.labels):
        raise BadInput(
            _(
                "The result has the labels %(found)s; %(release)s has %(labels)s.",
                found=all_of(submission.labels),
                release=release.key,
                labels=all_of(release.suite.labels),
            )
        )
    version = _version_of(submission, release, by)
    if submission.predictions is None:
        return _keep_figures(submission, release, version, by)
    return _recompute(submission, release, version, by)


def _release_of(submission: Submission, by: User) -> Release:
    release = Release.objects.visible_to(by).by_key(submission.release).select_related("suite").first()
    if release is None:
        raise Missing(
            _(
                "There is no release '%(release)s' here. A maintainer can import it: import_release %(release)s.",
                release=submission.release,
            )
        )
    require_published(release)
    require_reading(by, release)
    if release.sha256 != submission.release_sha256:
        raise BadInput(
            _(
                "The result is on another %(release)s: its checksum is %(found)s, and the one here has %(known)s. "
                "Evaluate the model on the release of this instance.",
                release=release.key,
                found=submission.release_sha256,
                known=release.sha256,
            )
        )
    return release


def _version_of(submission: Submission, release: Release, by: User) -> ModelVersion:
    """Return the version with this fingerprint; a new model is public, as pushing a result means."""
    model = DetectionModel.objects.filter(name=submission.model).first()
    if model is not None:
        require_work_on(by, model)
        if known := model.versions.filter(fingerprint=submission.fingerprint).select_related("model").first():
            return known
    runner = PushedRunner(submission, settings=runner_settings(release.suite.labels))
    return register_model(submission.model, "upload", runner, by=by, on_leaderboard=True)


def _keep_figures(submission: Submission, release: Release, version: ModelVersion, by: User) -> PushedResult:
    cases = ReleaseCase.objects.filter(release=release).count()
    if (given := submission.figures["overall"]["n"]) != cases:
        raise BadInput(
            _(
                "The result is on %(given)s cases; %(release)s has %(cases)s. Evaluate all of them.",
                given=given,
                release=release.key,
                cases=cases,
            )
        )
    reported, is_new = ReportedResult.objects.get_or_create(
        release=release,
        seal=submission.seal,
        defaults={
            "model_version": version,
            "figures": dict(submission.figures),
            "environment": dict(submission.environment),
            "finished_at": submission.finished_at,
            "created_by": by,
        },
    )
    if is_new:
        audit.record(by, Action.RESULT_PUSHED, reported, model=version.model.key, release=release.key)
    return PushedResult(release, version, None, reported, is_new)


def _recompute(submission: Submission, release: Release, version: ModelVersion, by: User) -> PushedResult:
    assert submission.predictions is not None
    ids = dict(ReleaseCase.objects.filter(release=release).values_list("key", "id"))
    _refuse_other_cases(submission.predictions, ids, release)
    before = EvaluationRun.objects.filter(
        release=release, model_version=version, file_hash=submission.seal, state=RunState.DONE
    ).select_related("report")
    run, is_new = before.first(), False
    if run is None:
        run, is_new = start_run(release, version, source=RunSource.UPLOAD, by=by, file_hash=submission.seal), True
        run.environment = {**version.description, "reported": dict(submission.environment), "pushed": True}
        run.save(update_fields=["environment"])
        move(run, RunState.RUNNING, RUN_MOVES)
        nothing = _("the model gave no usable answer")
        answers = [
            (ids[case], Answer(label=label, score=score, error=None if label else nothing))
            for case, (label, score) in submission.predictions.items()
        ]
        store_answers(run, answers)
        run.report = score_run(run)
        move(run, RunState.DONE, RUN_MOVES, finished_at=timezone.now())
        audit.record(by, Action.RESULT_PUSHED, run, model=version.model.key, release=release.key)
    return PushedResult(release, version, run, None, is_new, tuple(_differences(submission, run)))


def _refuse_other_cases(predictions: Mapping[str, Any], ids: Mapping[str, int], release: Release) -> None:
    unknown, missing = sorted(predictions.keys() - ids.keys()), sorted(ids.keys() - predictions.keys())
    if unknown:
        raise BadInput(
            ngettext(
                "%(count)s prediction is for a case that %(release)s does not have: %(cases)s.",
                "%(count)s predictions are for cases that %(release)s does not have: %(cases)s.",
                len(unknown),
                release=release.key,
                cases=unknown[:5],
            )
        )
    if missing:
        raise BadInput(
            ngettext(
                "%(count)s case of %(release)s has no prediction: %(cases)s. Evaluate all cases.",
                "%(count)s cases of %(release)s have no prediction: %(cases)s. Evaluate all cases.",
                len(missing),
                release=release.key,
                cases=missing[:5],
            )
        )
    labels = {str(label) for label in release.suite.labels}
    for case, (label, _score) in predictions.items():
        if label is not None and label not in labels:
            raise BadInput(
                _(
                    "The case '%(case)s' has the prediction '%(label)s', which is no label of %(release)s.",
                    case=case,
                    label=label[:60],
                    release=release.key,
                )
            )


def _differences(submission: Submission, run: EvaluationRun) -> list[str]:
    """Say which figures came out differently here."""
    claimed, measured = submission.figures["overall"], run.report.values["overall"]
    found: list[str] = []
    for name in COMPARED:
        one, other = claimed[name], measured[name]
        if (one is None) != (other is None) or (one is not None and abs(one - other) > SAME):
            found.append(
                _(
                    "%(figure)s: %(claimed)s was reported, %(measured)s was measured here",
                    figure=name,
                    claimed=one,
                    measured=other,
                )
            )
    return found
