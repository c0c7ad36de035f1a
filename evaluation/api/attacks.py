"""Data sets and attacks for programs."""

from __future__ import annotations

from typing import cast

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import FormParser, JSONParser, MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from curation.permissions import require_maintainer
from evaluation.api.attacks_serializers import (
    AnswersSerializer,
    AttackModelSerializer,
    AttackPostSerializer,
    AttackScoreSerializer,
    AttackSerializer,
    AttackSuiteSerializer,
    DatasetSerializer,
    NewAttackSerializer,
    NewDatasetSerializer,
)
from evaluation.api.results_serializers import CostSerializer
from evaluation.models import Attack, Dataset
from evaluation.models.attacks import AttackQuerySet
from evaluation.models.datasets import DatasetQuerySet
from evaluation.services import attack_scores
from evaluation.services.attack_answers import SHOWN, posts_of
from evaluation.services.attack_store import archive_of
from evaluation.services.attack_table import compare_with_suites, score_rows
from evaluation.services.attacking import as_suite, request_attack
from evaluation.services.costing import estimate_attack
from evaluation.services.dataset_uploads import import_uploads
from evaluation.services.datasets import Mapped, delete_dataset, parse_label_map
from evaluation.services.file_store import keep_file


class DatasetViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Dataset]):
    """Your labelled data; for maintainers, everybody's."""

    queryset = Dataset.objects.none()
    serializer_class = DatasetSerializer
    permission_classes = [SignedIn]
    parser_classes = [MultiPartParser, FormParser, JSONParser]
    lookup_field = "key"

    def get_queryset(self) -> DatasetQuerySet:
        return Dataset.objects.visible_to(self.request.user)

    @extend_schema(request=NewDatasetSerializer, responses={201: DatasetSerializer})
    def create(self, request: Request) -> Response:
        """Import a labelled file. Refused (422) with every bad row named; then nothing is kept."""
        given = NewDatasetSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        names = ("text_column", "label_column", "split_column", "id_column")
        dataset = import_uploads(
            values["file"],
            title=values["title"],
            language=values["language"],
            by=_person(request),
            mapped=Mapped(
                **{name: values[name] for name in names},
                extra_columns=tuple(values["extra_columns"]),
                label_map=parse_label_map(values["label_map"]),
            ),
            further_parts={part: values[f"{part}_file"] for part in ("dev", "test") if f"{part}_file" in values},
            ids={part: values[f"{part}_ids"] for part in ("train", "dev", "test") if f"{part}_ids" in values},
        )
        return Response(DatasetSerializer(dataset).data, status=status.HTTP_201_CREATED)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, key: str) -> Response:
        """Delete a data set that nothing was made of. Refused (409) otherwise."""
        delete_dataset(self.get_object(), by=_person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class AttackViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Attack]):
    """Your attacks; for maintainers, everybody's."""

    queryset = Attack.objects.none()
    serializer_class = AttackSerializer
    permission_classes = [SignedIn]
    parser_classes = [JSONParser, MultiPartParser, FormParser]
    lookup_field = "key"

    def get_queryset(self) -> AttackQuerySet:
        return Attack.objects.visible_to(self.request.user).select_related("dataset", "job")

    @extend_schema(request=NewAttackSerializer, responses={202: AttackSerializer})
    def create(self, request: Request) -> Response:
        """Queue the building of an attack; its job says how far it is."""
        given = NewAttackSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        dataset = get_object_or_404(Dataset.objects.visible_to(_person(request)), key=values.pop("dataset"))
        for field, folder in (("lexicon", "lexicons"), ("templates", "quotations")):
            file = values.pop(field, None)
            values[f"{field}_file"] = keep_file(file, folder)[0] if file else ""
            values[f"{field}_name"] = file.name if file else ""
        attack = request_attack(dataset, by=_person(request), **values)
        return Response(AttackSerializer(attack).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        responses=AttackScoreSerializer(many=True),
        parameters=[
            OpenApiParameter("show", str, enum=["current", "all"], description="`all`: replaced answers as well.")
        ],
        filters=False,
    )
    @action(detail=True, methods=["get"], pagination_class=None)
    def scores(self, request: Request, key: str) -> Response:
        """Every model's scores under both policies, and who is on the Pareto frontier."""
        attack = self.get_object()
        frontier = {row["name"] for row in score_rows(attack, "penalise") if row["on_frontier"]}
        static: dict[str, list[dict[str, object]]] = {}
        for one in compare_with_suites(attack, "penalise"):
            beside = {"attack": one["attack"], "accuracy": dict(one["static"]), "release": one["run"].release.key}
            static.setdefault(one["model"], []).append(beside)
        found = attack.scores.all() if request.query_params.get("show") == "all" else attack.scores.current()
        context = {"frontier": frontier, "static": static}
        return Response(AttackScoreSerializer(found.select_related("job"), many=True, context=context).data)

    @extend_schema(
        responses=AttackPostSerializer(many=True),
        parameters=[
            OpenApiParameter("set", str, required=True, description="quo, flip, corr_aa, corr_nn, ident_nn, ..."),
            OpenApiParameter("model", str, description="With the answers of the model of this name."),
            OpenApiParameter("show", str, enum=SHOWN, description="`wrong`: only the model's wrong answers."),
            OpenApiParameter("q", str, description="Only posts that hold these words."),
        ],
        filters=False,
    )
    @action(detail=True, methods=["get"])
    def posts(self, request: Request, key: str) -> Response:
        """The posts of one set, and what a model answered to them."""
        attack, asked = self.get_object(), request.query_params
        score = get_object_or_404(attack.scores.current(), name=asked["model"]) if "model" in asked else None
        found = posts_of(
            attack, asked.get("set", ""), score=score, show=asked.get("show", "all"), search=asked.get("q", "")
        )
        page = cast(BasePagination, self.paginator).paginate_queryset(found, request, view=self)
        return self.get_paginated_response(AttackPostSerializer(page, many=True).data)

    @extend_schema(request=AttackModelSerializer, responses={202: AttackScoreSerializer})
    @action(detail=True, methods=["post"])
    def models(self, request: Request, key: str) -> Response:
        """Put a registered model under the attack."""
        given = AttackModelSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        score = attack_scores.request_score(self.get_object(), given.find(), by=_person(request))
        return Response(AttackScoreSerializer(score).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(parameters=[AttackModelSerializer], responses=CostSerializer, filters=False)
    @action(detail=True, methods=["get"])
    def estimate(self, request: Request, key: str) -> Response:
        """What putting a registered model under the attack would cost; nulls where it is not paid by the token."""
        require_maintainer(request.user)
        given = AttackModelSerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        return Response(CostSerializer(estimate_attack(self.get_object(), given.find())).data)

    @extend_schema(request=AnswersSerializer, responses={201: AttackScoreSerializer})
    @action(detail=True, methods=["post"])
    def answers(self, request: Request, key: str) -> Response:
        """Score a model that answered elsewhere. A wrong line is refused (422) and named, a name that has answers too
        (409), unless these are to replace them."""
        given = AnswersSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        files = [*values["files"], *([values["archive"]] if "archive" in values else [])]
        score = attack_scores.score_upload(
            self.get_object(), files, name=values["name"], by=_person(request), replace=values["replace"]
        )
        return Response(AttackScoreSerializer(score).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        request=AttackSuiteSerializer, responses={201: {"type": "object", "properties": {"suite": {"type": "string"}}}}
    )
    @action(detail=True, methods=["post"])
    def suite(self, request: Request, key: str) -> Response:
        """Make the attack, or a sample of it, a suite of its own."""
        given = AttackSuiteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        suite = as_suite(self.get_object(), by=_person(request), **given.validated_data)
        return Response({"suite": suite.key}, status=status.HTTP_201_CREATED)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"])
    def sets(self, request: Request, key: str) -> HttpResponse:
        """The exchange files and the manifest as a zip archive."""
        attack = self.get_object()
        answer = HttpResponse(archive_of(attack), content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="{attack.key}.zip"'
        return answer


def _person(request: Request) -> User:
    return cast(User, request.user)
