"""Splits and experiments for programs."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.parsers import FormParser, JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from curation.models import Job
from evaluation.models import Dataset, Experiment, ExperimentResult, Split, SplitMethod
from evaluation.models.splits import ExperimentQuerySet, SplitQuerySet
from evaluation.services.experiments import request_experiment, summarise
from evaluation.services.file_store import keep_file
from evaluation.services.splitting import archive_of, request_split


class SplitSerializer(serializers.ModelSerializer[Split]):
    dataset: serializers.SlugRelatedField[Dataset] = serializers.SlugRelatedField(slug_field="key", read_only=True)
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )
    is_built = serializers.BooleanField(read_only=True)

    class Meta:
        model = Split
        fields = [
            "key",
            "title",
            "dataset",
            "method",
            "seed",
            "choices",
            "report",
            "sha256",
            "is_built",
            "job",
            "created_at",
        ]
        read_only_fields = fields


class NewSplitSerializer(serializers.Serializer[Any]):
    dataset = serializers.SlugField()
    method = serializers.ChoiceField(choices=SplitMethod.choices)
    title = serializers.CharField(required=False, default="", allow_blank=True, max_length=160)
    seed = serializers.IntegerField(default=42)
    share = serializers.FloatField(default=0.1)
    independent_share = serializers.FloatField(default=0.0)
    k_min = serializers.IntegerField(default=3)
    k_max = serializers.IntegerField(default=50)
    encoder = serializers.CharField(required=False, default="", allow_blank=True, help_text="A folder or hub id.")
    vectors = serializers.FileField(required=False, help_text="Ready vectors (.npy), one row per example.")
    language_model = serializers.CharField(required=False, default="", allow_blank=True)
    pooling = serializers.ChoiceField(choices=["cls", "mean"], default="cls")
    reduce = serializers.ChoiceField(choices=["umap", "pca"], required=False, default="", allow_blank=True)
    dimensions = serializers.IntegerField(default=50)
    groups_column = serializers.CharField(required=False, default="", allow_blank=True)
    sources_column = serializers.CharField(required=False, default="", allow_blank=True)


class ResultSerializer(serializers.ModelSerializer[ExperimentResult]):
    split: serializers.SlugRelatedField[Split] = serializers.SlugRelatedField(slug_field="key", read_only=True)

    class Meta:
        model = ExperimentResult
        fields = ["split", "seed", "test", "independent", "finished_at"]
        read_only_fields = fields


class ExperimentSerializer(serializers.ModelSerializer[Experiment]):
    dataset: serializers.SlugRelatedField[Dataset] = serializers.SlugRelatedField(slug_field="key", read_only=True)
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )
    results = ResultSerializer(many=True, read_only=True)
    summary = serializers.SerializerMethodField(help_text="Mean, standard error and drop against random, by split.")

    class Meta:
        model = Experiment
        fields = ["key", "dataset", "trainer", "seeds", "options", "results", "summary", "job", "created_at"]
        read_only_fields = fields

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_summary(self, experiment: Experiment) -> list[dict[str, Any]]:
        return [{**row, "split": row["split"].key} for row in summarise(experiment)]


class NewExperimentSerializer(serializers.Serializer[Any]):
    splits = serializers.ListField(child=serializers.CharField(), help_text="Keys of splits of one data set.")
    trainer = serializers.CharField(default="linear", max_length=300)
    seeds = serializers.ListField(child=serializers.IntegerField(), default=[1, 2, 3])
    options = serializers.DictField(default=dict, help_text="epochs, learning_rate, batch_size, max_length")


class SplitViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Split]):
    """Your splits; for maintainers, everybody's."""

    queryset = Split.objects.none()
    serializer_class = SplitSerializer
    permission_classes = [SignedIn]
    parser_classes = [JSONParser, MultiPartParser, FormParser]
    lookup_field = "key"

    def get_queryset(self) -> SplitQuerySet:
        return Split.objects.visible_to(self.request.user).without_rows().select_related("dataset", "job")

    @extend_schema(request=NewSplitSerializer, responses={202: SplitSerializer})
    def create(self, request: Request) -> Response:
        """Queue the building of a split; its job says how far it is."""
        given = NewSplitSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        dataset = get_object_or_404(Dataset.objects.visible_to(_person(request)), key=values.pop("dataset"))
        file = values.pop("vectors", None)
        stored = keep_file(file, "vectors")[0] if file else ""
        split = request_split(dataset, by=_person(request), vectors_file=stored, **values)
        return Response(SplitSerializer(split).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True, methods=["get"])
    def indices(self, request: Request, key: str) -> Response:
        """Rows from 0 of the test and the independent part; all others are for training."""
        return Response(self.get_object().indices)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"])
    def files(self, request: Request, key: str) -> HttpResponse:
        """Rows, JSON Lines, evaluation card and report as a zip archive."""
        split = self.get_object()
        answer = HttpResponse(archive_of(split), content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="{split.key}.zip"'
        return answer


class ExperimentViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Experiment]):
    """Trainings on splits, with their results."""

    queryset = Experiment.objects.none()
    serializer_class = ExperimentSerializer
    permission_classes = [SignedIn]
    lookup_field = "key"

    def get_queryset(self) -> ExperimentQuerySet:
        found = Experiment.objects.visible_to(self.request.user).select_related("dataset", "job")
        return found.prefetch_related("results__split")

    @extend_schema(request=NewExperimentSerializer, responses={202: ExperimentSerializer})
    def create(self, request: Request) -> Response:
        """Queue a training on each split with each seed."""
        given = NewExperimentSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        splits = [get_object_or_404(Split.objects.visible_to(_person(request)), key=key) for key in values["splits"]]
        experiment = request_experiment(
            splits, trainer=values["trainer"], seeds=values["seeds"], by=_person(request), **values["options"]
        )
        return Response(ExperimentSerializer(experiment).data, status=status.HTTP_202_ACCEPTED)


def _person(request: Request) -> User:
    return cast(User, request.user)
