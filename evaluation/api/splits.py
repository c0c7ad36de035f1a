"""Splits and experiments for programs."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import FormParser, JSONParser, MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from curation.errors import Missing
from curation.models import Job, Suite
from curation.services.releases import unfinished_build
from evaluation.models import Dataset, Experiment, ExperimentResult, Split, SplitMethod
from evaluation.models.splits import ExperimentQuerySet, SplitQuerySet
from evaluation.services.experiments import cross_model_matrix, explain_drops, request_experiment, summarise
from evaluation.services.file_store import keep_file
from evaluation.services.split_building import INDEPENDENT_SEED, PICTURES
from evaluation.services.split_releases import request_split_release
from evaluation.services.split_vectors import POOLINGS, REDUCTIONS
from evaluation.services.splitting import COLOURS, archive_of, picture_of, request_split


class SplitSerializer(serializers.ModelSerializer[Split]):
    dataset: serializers.SlugRelatedField[Dataset] = serializers.SlugRelatedField(slug_field="key", read_only=True)
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )
    is_built = serializers.BooleanField(read_only=True)
    suite: serializers.SlugRelatedField[Suite] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True, help_text="What its releases are made of."
    )

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
            "suite",
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
    independent_seed = serializers.IntegerField(
        default=INDEPENDENT_SEED, help_text="Splits with the same one are tested on the same independent examples."
    )
    k_min = serializers.IntegerField(default=3)
    k_max = serializers.IntegerField(default=50)
    initialisations = serializers.IntegerField(default=10, help_text="Of k-means, for every k.")
    encoder = serializers.CharField(required=False, default="", allow_blank=True, help_text="A folder or hub id.")
    vectors = serializers.FileField(required=False, help_text="Ready vectors (.npy), one row per example.")
    vectors_of = serializers.CharField(
        required=False, default="", allow_blank=True, help_text="Key of a split of the same data with vectors."
    )
    language_model = serializers.CharField(required=False, default="", allow_blank=True)
    pooling = serializers.ChoiceField(choices=list(POOLINGS), default="cls")
    fine_tune = serializers.BooleanField(default=False, help_text="Train the encoder on the labels first.")
    reduce = serializers.ChoiceField(
        choices=list(REDUCTIONS),
        required=False,
        default="",
        allow_blank=True,
        help_text="bottleneck: a linear layer trained with the encoder.",
    )
    dimensions = serializers.IntegerField(default=50, help_text="After reducing; 10, 50 or 200 in the paper.")
    epochs = serializers.IntegerField(default=3, help_text="Of fine-tuning, with or without a bottleneck.")
    learning_rate = serializers.FloatField(default=5e-5)
    max_length = serializers.IntegerField(default=128, help_text="Tokens of a text the encoder reads.")
    picture = serializers.ChoiceField(choices=list(PICTURES), default="pca")
    keywords = serializers.ListField(child=serializers.CharField(), required=False, default=list)
    groups_column = serializers.CharField(required=False, default="", allow_blank=True)
    sources_column = serializers.CharField(required=False, default="", allow_blank=True)


class SplitReleaseSerializer(serializers.Serializer[Any]):
    key = serializers.SlugField(max_length=60, help_text="Of the suite the split becomes.")
    version = serializers.CharField(default="1.0.0", max_length=40)
    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=160)
    licence = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)
    language = serializers.CharField(required=False, default="", allow_blank=True, help_text="Default: the data set's.")
    card = serializers.CharField(
        required=False, default="", allow_blank=True, help_text="The evaluation card; default: as prefilled."
    )


class ReleasedSplitSerializer(serializers.Serializer[Any]):
    release = serializers.CharField(help_text="suite@version; publish it under /releases/ when its job is done.")
    job = serializers.CharField()


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

    correlations = serializers.SerializerMethodField(
        help_text="Pearson's r of each property of the splits with the drop in F1."
    )

    class Meta:
        model = Experiment
        fields = [
            "key", "dataset", "trainer", "seeds", "options", "results", "summary", "correlations", "job", "created_at",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_summary(self, experiment: Experiment) -> list[dict[str, Any]]:
        return [{**row, "split": row["split"].key} for row in summarise(experiment)]

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_correlations(self, experiment: Experiment) -> list[dict[str, Any]]:
        return explain_drops(experiment)


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
        return Split.objects.visible_to(self.request.user).without_rows().select_related("dataset", "job", "suite")

    @extend_schema(request=NewSplitSerializer, responses={202: SplitSerializer})
    def create(self, request: Request) -> Response:
        """Queue the building of a split; its job says how far it is."""
        given = NewSplitSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        dataset = get_object_or_404(Dataset.objects.visible_to(_person(request)), key=values.pop("dataset"))
        file = values.pop("vectors", None)
        stored, name = (keep_file(file, "vectors")[0], file.name) if file else ("", "")
        split = request_split(dataset, by=_person(request), vectors_file=stored, vectors_name=name, **values)
        return Response(SplitSerializer(split).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=SplitReleaseSerializer, responses={202: ReleasedSplitSerializer})
    @action(detail=True, methods=["post"])
    def release(self, request: Request, key: str) -> Response:
        """Queue the building of a release of the split; publishing it is the next step."""
        given = SplitReleaseSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        release = request_split_release(self.get_object(), by=_person(request), **given.validated_data)
        job = unfinished_build(release)
        told = {"release": release.key, "job": job.key if job else ""}
        return Response(told, status=status.HTTP_202_ACCEPTED)

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True, methods=["get"])
    def indices(self, request: Request, key: str) -> Response:
        """Rows from 0 of the test and the independent part; all others are for training."""
        return Response(self.get_object().indices)

    @extend_schema(
        parameters=[OpenApiParameter("colour", str, enum=COLOURS, description="Default: part.")],
        responses={(200, "image/svg+xml"): OpenApiTypes.BINARY},
    )
    @action(detail=True, methods=["get"])
    def picture(self, request: Request, key: str) -> HttpResponse:
        """The examples in the plane as SVG, coloured by part or by label."""
        path = picture_of(self.get_object(), request.query_params.get("colour", COLOURS[0]))
        if path is None:
            raise Missing("There is no such picture: only splits made from vectors are drawn, by part and by label.")
        return HttpResponse(path.read_bytes(), content_type="image/svg+xml")

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
        return found.with_results()

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

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True, methods=["get"])
    def matrix(self, request: Request, key: str) -> Response:
        """Mean F1 on the test set by split and trainer, over all experiments on the same data."""
        experiment = self.get_object()
        siblings = Experiment.objects.visible_to(_person(request)).filter(dataset=experiment.dataset)
        table = cross_model_matrix(list(siblings.select_related("dataset")))
        return Response({split.key: cells for split, cells in table.items()})


def _person(request: Request) -> User:
    return cast(User, request.user)
