"""Splits and experiments for programs."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import FormParser, JSONParser, MultiPartParser
from core.errors import Missing
from core.options.serializers import read_options
from core.text import _
from curation.releases.services import unfinished_build
from evaluation.artefacts.api import ArtefactViewSet
from evaluation.artefacts.services import archive_of
from evaluation.artefacts.views import zip_download
from evaluation.models import Experiment, Split
from evaluation.splits.experiments import cross_model_matrix, request_experiment
from evaluation.splits.models import ExperimentQuerySet, SplitQuerySet
from evaluation.splits.releases import request_split_release
from evaluation.splits.serializers import (
    ExperimentSerializer,
    NewExperimentSerializer,
    NewSplitSerializer,
    ReleasedSplitSerializer,
    SplitReleaseSerializer,
    SplitSerializer,
)
from evaluation.splits.services import COLOURS, picture_of, request_split


class SplitViewSet(ArtefactViewSet[Split]):
    """Your splits; for maintainers, everybody's."""

    queryset = Split.objects.none()
    serializer_class = SplitSerializer

    def get_queryset(self) -> SplitQuerySet:
        return Split.objects.visible_to(self.request.user).without_rows().select_related("dataset", "job", "suite")

    @extend_schema(request=NewSplitSerializer, responses={202: SplitSerializer})
    def create(self, request: Request) -> Response:
        """Queue the building of a split; its job says how far it is."""
        chosen = read_options(NewSplitSerializer, request.data)
        dataset = self.find_dataset(chosen.dataset)
        split = request_split(dataset, chosen, by=self.person)
        return Response(SplitSerializer(split).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=SplitReleaseSerializer, responses={202: ReleasedSplitSerializer})
    @action(detail=True, methods=["post"])
    def release(self, request: Request, key: str) -> Response:
        """Queue the building of a release of the split; publishing it is the next step."""
        chosen = read_options(SplitReleaseSerializer, request.data)
        release = request_split_release(self.get_object(), chosen, by=self.person)
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
            raise Missing(_("There is no such picture. Only splits made from vectors are drawn, by part and by label."))
        return HttpResponse(path.read_bytes(), content_type="image/svg+xml")

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"])
    def files(self, request: Request, key: str) -> HttpResponse:
        """Rows, JSON Lines, evaluation card and report as a zip archive."""
        split = self.get_object()
        return zip_download(split.key, archive_of(split))


class ExperimentViewSet(ArtefactViewSet[Experiment]):
    """Trainings on splits, with their results."""

    queryset = Experiment.objects.none()
    serializer_class = ExperimentSerializer
    parser_classes = [JSONParser, FormParser, MultiPartParser]

    def get_queryset(self) -> ExperimentQuerySet:
        found = Experiment.objects.visible_to(self.request.user).select_related("dataset", "job")
        return found.with_results()

    @extend_schema(request=NewExperimentSerializer, responses={202: ExperimentSerializer})
    def create(self, request: Request) -> Response:
        """Queue a training on each split with each seed."""
        chosen = read_options(NewExperimentSerializer, request.data)
        splits = [get_object_or_404(Split.objects.visible_to(self.person), key=key) for key in chosen.splits]
        experiment = request_experiment(splits, chosen, by=self.person)
        return Response(ExperimentSerializer(experiment).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True, methods=["get"])
    def matrix(self, request: Request, key: str) -> Response:
        """Mean F1 on the test set by split and trainer, over all experiments on the same data."""
        experiment = self.get_object()
        siblings = Experiment.objects.visible_to(self.person).filter(dataset=experiment.dataset)
        table = cross_model_matrix(list(siblings.select_related("dataset")))
        return Response({split.key: cells for split, cells in table.items()})
