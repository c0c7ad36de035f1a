"""Models, runs and results over the API: thin callers of the same services as the pages."""

from typing import Any, cast

from django.db.models import Q
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import FormParser, JSONParser, MultiPartParser
from accounts.models import User
from core.errors import BadInput, Missing
from core.options.serializers import read_options
from core.permissions import require_evaluator, require_maintainer
from core.text import _
from curation.models import Release
from curation.releases.access import require_reading
from evaluation.artefacts.api import read_values
from evaluation.datasets.serializers import DatasetSerializer
from evaluation.models import Dataset, DetectionModel, EvaluationRun, ModelVersion
from evaluation.permissions import require_work_on
from evaluation.registry import trying
from evaluation.registry.archive_api import ARCHIVED, Archivable, of_list
from evaluation.registry.models import DetectionModelQuerySet
from evaluation.registry.options import ChangeModelOptions
from evaluation.registry.serializers import (
    ChangeModelSerializer,
    RegisterSerializer,
    StarSerializer,
    StartSerializer,
    UploadSerializer,
)
from evaluation.registry.services import change_model
from evaluation.registry.starring import star_model
from evaluation.results.changes import CHANGES, changed_predictions
from evaluation.results.comparing import compare_releases, compare_runs
from evaluation.results.history import history_of
from evaluation.results.serializers import (
    ChangedSerializer,
    CostSerializer,
    JobReferenceSerializer,
    ModelSerializer,
    PredictionSerializer,
    RunSerializer,
    TrainingSerializer,
    TrySerializer,
)
from evaluation.runs import services as running
from evaluation.runs.costing import estimate_run
from evaluation.runs.failing import FILTERS, matching_predictions
from evaluation.runs.models import EvaluationRunQuerySet, RunState
from evaluation.runs.uploading import import_file
from evaluation.training.feedback import store_material
from evaluation.training.serializers import MaterialSerializer
from evaluation.training.services import request_training

KINDS_OF_CHANGE = list(CHANGES)  # here, because a view has a method of that name


class ModelViewSet(RetrieveModelMixin, Archivable):
    """Models you may see: those on a leaderboard for everyone, all for experts and maintainers."""

    queryset = DetectionModel.objects.none()
    serializer_class = ModelSerializer
    lookup_field = "key"

    def get_queryset(self) -> DetectionModelQuerySet:
        found = DetectionModel.objects.visible_to(self.request.user).prefetch_related("versions")
        return of_list(found, self.request) if self.action == "list" else found

    @extend_schema(request=RegisterSerializer, responses={202: JobReferenceSerializer})
    def create(self, request: Request) -> Response:
        """Check and register a model; a worker does it, so a job comes back. The spec may also be an object."""
        chosen = read_options(RegisterSerializer, request.data)
        job = trying.request_registration(chosen, by=cast(User, request.user))
        return Response({"job": job.key, "state": job.state}, status=202)

    @extend_schema(request=TrainingSerializer, responses={202: JobReferenceSerializer})
    @action(detail=False, methods=["post"])
    def train(self, request: Request) -> Response:
        """Train a baseline on a stored data set; the job ends with a registered model."""
        require_maintainer(request.user)
        chosen = read_options(TrainingSerializer, request.data)
        dataset = get_object_or_404(Dataset.objects.visible_to(request.user), key=chosen.dataset)
        job = request_training(dataset, chosen, by=cast(User, request.user))
        return Response({"job": job.key, "state": job.state}, status=202)

    @extend_schema(request=TrySerializer, responses={202: JobReferenceSerializer})
    @action(detail=True, methods=["post"], url_path="try", url_name="try")
    def ask(self, request: Request, key: str) -> Response:
        """Ask the newest version about a few texts; the answers are in the job's result."""
        require_work_on(request.user, model := self.get_object())
        texts = read_values(TrySerializer, request.data)["texts"]
        job = trying.request_try(newest_version(model.key), texts, by=cast(User, request.user))
        return Response({"job": job.key, "state": job.state}, status=202)

    @extend_schema(responses={200: OpenApiTypes.OBJECT}, filters=False)
    @action(detail=True)
    def history(self, request: Request, key: str) -> Response:
        """{release: [{run, version, accuracy, macro_f1, change, ...}]}: finished runs, the oldest first."""
        found = EvaluationRun.objects.visible_to(request.user).filter(archived_at=None)
        runs = found.filter(model_version__model=self.get_object())
        return Response({key: [line.as_json() for line in lines] for key, lines in history_of(runs).items()})

    @extend_schema(request=StarSerializer, responses=ModelSerializer)
    @action(detail=True, methods=["post"])
    def star(self, request: Request, key: str) -> Response:
        """Mark a model that results show first, or take the mark away."""
        chosen = read_options(StarSerializer, request.data)
        model = star_model(self.get_object(), is_starred=not chosen.off, by=cast(User, request.user))
        return Response(self.get_serializer(model).data)

    @extend_schema(
        parameters=[OpenApiParameter("release", str, required=True)], responses=CostSerializer, filters=False
    )
    @action(detail=True)
    def estimate(self, request: Request, key: str) -> Response:
        """What a run of the newest version would cost; nulls where it is not paid by the token."""
        require_work_on(request.user, model := self.get_object())
        release = find_release(request, request.query_params.get("release", ""))
        found = estimate_run(release, newest_version(model.key))
        return Response(CostSerializer(found).data)

    @extend_schema(request=ChangeModelSerializer, responses=ModelSerializer)
    def partial_update(self, request: Request, key: str) -> Response:
        """What people may read about a model, and whether its results are public."""
        model = self.get_object()
        facts = {name: getattr(model, name) for name in ChangeModelOptions.model_fields}
        facts |= read_values(ChangeModelSerializer, request.data, partial=True)
        changed = change_model(model, ChangeModelOptions(**facts), by=cast(User, request.user))
        return Response(ModelSerializer(changed).data)


class RunViewSet(Archivable):
    """Runs you may see: finished ones of public models for everyone, all for experts and maintainers."""

    queryset = EvaluationRun.objects.none()
    serializer_class = RunSerializer
    lookup_field = "key"
    parser_classes = (JSONParser, MultiPartParser, FormParser)

    def get_queryset(self) -> EvaluationRunQuerySet:
        found = EvaluationRun.objects.visible_to(self.request.user).select_related(
            "release__suite", "model_version__model", "job"
        )
        release, state = (self.request.query_params.get(name, "") for name in ("release", "state"))
        if release:
            suite, version = release.partition("@")[::2]
            found = found.filter(release__suite__key=suite, release__version=version)
        found = found.filter(state=state) if state else found
        return of_list(found, self.request) if self.action == "list" else found

    def get_object(self) -> EvaluationRun:
        run: EvaluationRun = super().get_object()
        running.follow_job(run)
        return run

    @extend_schema(
        parameters=[
            OpenApiParameter("release", str),
            OpenApiParameter("state", str, enum=list(RunState.values)),
            ARCHIVED,
        ]
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    def retrieve(self, request: Request, key: str) -> Response:
        """How far it is: state, done, total."""
        return Response(RunSerializer(self.get_object()).data)

    @extend_schema(
        request={"application/json": StartSerializer, "multipart/form-data": UploadSerializer},
        responses={201: RunSerializer, 202: JobReferenceSerializer},
    )
    def create(self, request: Request) -> Response:
        """Start a run of a registered model, register and run a spec (text or object), or hand in predictions."""
        require_evaluator(request.user)
        by = cast(User, request.user)
        if "predictions" in request.data:
            upload = read_options(UploadSerializer, request.data)
            run = import_file(find_release(request, upload.release), upload, by=by)
            return Response(RunSerializer(run).data, status=201)
        chosen = read_options(StartSerializer, request.data)
        release = find_release(request, chosen.release)
        if chosen.spec:
            job = trying.request_registration(chosen.registration(), by=by)
            return Response({"job": job.key, "state": job.state}, status=202)
        if not chosen.model:
            raise BadInput(_("Name a registered model, or give a spec."))
        run = running.request_run(release, newest_version(chosen.model), by=by, languages=chosen.languages)
        return Response(RunSerializer(run).data, status=201)

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    @action(detail=True)
    def report(self, request: Request, key: str) -> Response:
        """The stored measures: shares between 0 and 1, null where undefined."""
        run = self.get_object()
        if run.state != RunState.DONE:
            raise Missing(
                _(
                    "The run %(run)s has no report yet (state: %(state)s). It is there when the run is done.",
                    run=run.key,
                    state=run.get_state_display(),
                )
            )
        return Response(run.report.values)

    @extend_schema(
        parameters=[
            OpenApiParameter("show", str, enum=["wrong", "right", "unanswered", "refused", "near", "all"]),
            OpenApiParameter("q", str, description="Words of the text."),
            *(OpenApiParameter(name, str) for name in FILTERS),
        ],
        responses=PredictionSerializer(many=True),
    )
    @action(detail=True)
    def cases(self, request: Request, key: str) -> Response:
        """The cases behind the figures, wrong ones unless told otherwise; page by page."""
        run = self.get_object()
        require_reading(request.user, run.release)
        if run.state != RunState.DONE:
            raise Missing(
                _(
                    "The cases of the run %(run)s are not there yet (state: %(state)s). "
                    "They are there when the run is done.",
                    run=run.key,
                    state=run.get_state_display(),
                )
            )
        chosen = {name: request.query_params.get(name, "") for name in FILTERS}
        chosen["show"] = request.query_params.get("show", "wrong")
        found = matching_predictions(run, chosen, search=request.query_params.get("q", "").strip())
        page: Any = self.paginate_queryset(cast(Any, found))
        return self.get_paginated_response(PredictionSerializer(page, many=True).data)

    @extend_schema(request=MaterialSerializer, responses={201: DatasetSerializer})
    @action(detail=True, methods=["post"])
    def material(self, request: Request, key: str) -> Response:
        """Make a data set of what the model fails on; its test part are held-out templates."""
        chosen = read_options(MaterialSerializer, request.data)
        dataset = store_material(self.get_object(), chosen, by=cast(User, request.user))
        return Response(DatasetSerializer(dataset).data, status=201)

    @extend_schema(request=None, responses=RunSerializer)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, key: str) -> Response:
        run = self.get_object()
        running.stop_run(run, by=cast(User, request.user))
        return Response(RunSerializer(run).data)

    @extend_schema(request=None, responses=RunSerializer)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, key: str) -> Response:
        run = self.get_object()
        running.resume_run(run, by=cast(User, request.user))
        return Response(RunSerializer(self.get_object()).data)

    @extend_schema(parameters=[OpenApiParameter("with", str, required=True)], responses={200: OpenApiTypes.OBJECT})
    @action(detail=True)
    def comparison(self, request: Request, key: str) -> Response:
        """Against another run: on the same release with significance, else lower, higher or tie by functionality."""
        runs = EvaluationRun.objects.visible_to(request.user).select_related("release__suite", "report")
        first = get_object_or_404(runs, key=key)
        second = get_object_or_404(runs, key=request.query_params.get("with", ""))
        same = first.release_id == second.release_id
        return Response(compare_runs(first, second) if same else compare_releases(first, second))

    @extend_schema(
        parameters=[
            OpenApiParameter("with", str, required=True, description="The run after the change."),
            OpenApiParameter("change", str, enum=KINDS_OF_CHANGE, description="broken unless told otherwise"),
            OpenApiParameter("q", str, description="Words of the text."),
            *(OpenApiParameter(name, str) for name in FILTERS),
        ],
        responses=ChangedSerializer(many=True),
    )
    @action(detail=True)
    def changes(self, request: Request, key: str) -> Response:
        """The cases that only this run gets right (broken), or only the other one (fixed); page by page."""
        runs = EvaluationRun.objects.visible_to(request.user).select_related("release__suite", "report")
        first = get_object_or_404(runs, key=key)
        second = get_object_or_404(runs, key=request.query_params.get("with", ""))
        compare_runs(first, second)  # refuses runs that cannot be compared
        require_reading(request.user, first.release)
        change = request.query_params.get("change", "broken")
        if change not in CHANGES:
            raise BadInput(_("Choose from: %(known)s.", known=KINDS_OF_CHANGE))
        chosen = {name: request.query_params.get(name, "") for name in FILTERS}
        search = request.query_params.get("q", "").strip()
        page: Any = self.paginate_queryset(cast(Any, changed_predictions(first, second, change, chosen, search=search)))
        return self.get_paginated_response(ChangedSerializer(page, many=True).data)


def find_release(request: Request, key: str) -> Release:
    """A release the person may see. Refuses with those words."""
    release = Release.objects.visible_to(request.user).by_key(key).select_related("suite").first()
    if release is None:
        raise Missing(_("There is no release '%(release)s'. Write suite@version.", release=key))
    return release


def newest_version(model: str) -> ModelVersion:
    """The newest version of a model by its name or key."""
    version = ModelVersion.objects.select_related("model").filter(Q(model__name=model) | Q(model__key=model)).first()
    if version is None:
        raise Missing(_("There is no model '%(model)s'. Register it first, or give a spec.", model=model))
    return version
