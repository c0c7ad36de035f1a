"""Attacks for programs."""

from typing import cast

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from core.options.serializers import read_options
from core.permissions import require_maintainer
from evaluation.artefacts.api import ArtefactViewSet
from evaluation.artefacts.models import ArtefactQuerySet
from evaluation.artefacts.services import archive_of
from evaluation.artefacts.views import zip_download
from evaluation.attacks import scores as attack_scores
from evaluation.attacks.answers import SHOWN, posts_of
from evaluation.attacks.serializers import (
    AnswersSerializer,
    AttackModelSerializer,
    AttackPostSerializer,
    AttackScoreSerializer,
    AttackSerializer,
    AttackSpreadSerializer,
    AttackSuiteSerializer,
    NewAttackSerializer,
    SpreadSerializer,
)
from evaluation.attacks.services import request_attack
from evaluation.attacks.spreads import request_spread
from evaluation.attacks.suites import as_suite
from evaluation.attacks.table import compare_with_suites, score_rows
from evaluation.models import Attack
from evaluation.results.serializers import CostSerializer
from evaluation.runs.costing import estimate_attack


class AttackViewSet(ArtefactViewSet[Attack]):
    """Your attacks; for maintainers, everybody's."""

    queryset = Attack.objects.none()
    serializer_class = AttackSerializer

    def get_queryset(self) -> ArtefactQuerySet[Attack]:
        return Attack.objects.visible_to(self.request.user).select_related("dataset", "job")

    @extend_schema(request=NewAttackSerializer, responses={202: AttackSerializer})
    def create(self, request: Request) -> Response:
        """Queue the building of an attack; its job says how far it is."""
        chosen = self.chosen(NewAttackSerializer)
        attack = request_attack(self.find_dataset(chosen.dataset), chosen, by=self.person)
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
        """Every model's scores under every policy, and who is on the Pareto frontier."""
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
        version = attack_scores.find_version(self.chosen(AttackModelSerializer))
        score = attack_scores.request_score(self.get_object(), version, by=self.person)
        return Response(AttackScoreSerializer(score).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(methods=["get"], responses=AttackSpreadSerializer(many=True), filters=False)
    @extend_schema(methods=["post"], request=SpreadSerializer, responses={202: AttackSpreadSerializer})
    @action(detail=True, methods=["get", "post"], pagination_class=None)
    def spread(self, request: Request, key: str) -> Response:
        """How far scores depend on chance: the attack repeated with several seeds on a registered model."""
        attack = self.get_object()
        if request.method == "GET":
            found = attack.spreads.select_related("model_version__model", "job")
            return Response(AttackSpreadSerializer(found, many=True).data)
        chosen = self.chosen(SpreadSerializer)
        spread = request_spread(attack, attack_scores.find_version(chosen), seeds=chosen.seeds, by=self.person)
        return Response(AttackSpreadSerializer(spread).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(parameters=[AttackModelSerializer], responses=CostSerializer, filters=False)
    @action(detail=True, methods=["get"])
    def estimate(self, request: Request, key: str) -> Response:
        """What putting a registered model under the attack would cost; nulls where it is not paid by the token."""
        require_maintainer(request.user)
        version = attack_scores.find_version(read_options(AttackModelSerializer, request.query_params))
        return Response(CostSerializer(estimate_attack(self.get_object(), version)).data)

    @extend_schema(request=AnswersSerializer, responses={201: AttackScoreSerializer})
    @action(detail=True, methods=["post"])
    def answers(self, request: Request, key: str) -> Response:
        """Score a model that answered elsewhere. A wrong line is refused (422) and named, a name that has answers too
        (409), unless these are to replace them."""
        chosen = self.chosen(AnswersSerializer)
        score = attack_scores.score_upload(
            self.get_object(), chosen.answers, name=chosen.name, by=self.person, replace=chosen.replace
        )
        return Response(AttackScoreSerializer(score).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        request=AttackSuiteSerializer, responses={201: {"type": "object", "properties": {"suite": {"type": "string"}}}}
    )
    @action(detail=True, methods=["post"])
    def suite(self, request: Request, key: str) -> Response:
        """Make the attack, or a sample of it, a suite of its own."""
        chosen = self.chosen(AttackSuiteSerializer)
        suite = as_suite(self.get_object(), key=chosen.key, name=chosen.name, sample=chosen.sample, by=self.person)
        return Response({"suite": suite.key}, status=status.HTTP_201_CREATED)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"])
    def sets(self, request: Request, key: str) -> HttpResponse:
        """The exchange files and the manifest as a zip archive."""
        attack = self.get_object()
        return zip_download(attack.key, archive_of(attack))
