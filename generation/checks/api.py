"""Figures for programs: pass rates at any threshold, and the diversity of two sets."""

from dataclasses import asdict
from typing import Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.errors import Missing
from core.jobs.api import JobSerializer
from core.permissions import require_workshop
from curation.cases.models import Origin
from curation.models import Suite
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.checks.validating import pass_rate_cells
from generation.diversity.services import KIND, MOST_REPEATS, SMOOTHING, SMOOTHINGS, SetChoice, request_comparison
from generation.models import GenerationRun
from generation.runs.api.jobs_of_one_kind import JobsOfOneKind

SUITE = OpenApiParameter("suite", OpenApiTypes.STR, description="Key; empty: all suites.")
RUN = OpenApiParameter("run", OpenApiTypes.STR, description="Key; empty: all runs.")
THRESHOLD = OpenApiParameter("threshold", OpenApiTypes.FLOAT, description=f"0 to 1; default {DEFAULT_THRESHOLD}.")


class PassRateQuerySerializer(serializers.Serializer[Any]):
    suite = serializers.CharField(default="", allow_blank=True)
    run = serializers.CharField(default="", allow_blank=True)
    threshold = serializers.FloatField(min_value=0, max_value=1, default=DEFAULT_THRESHOLD)


class PassRateCellSerializer(serializers.Serializer[Any]):
    """`rate` is null where nothing was decided; undecided candidates count in no rate."""

    functionality = serializers.CharField()
    group = serializers.CharField()
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    undecided = serializers.IntegerField()
    rate = serializers.FloatField(allow_null=True)


class PassRatesSerializer(serializers.Serializer[Any]):
    threshold = serializers.FloatField()
    cells = PassRateCellSerializer(many=True)


class PassRatesView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(
        parameters=[SUITE, RUN, THRESHOLD], responses=PassRatesSerializer, operation_id="pass_rates_retrieve"
    )
    def get(self, request: Request) -> Response:
        """Pass rates by functionality and group, from kept scores: no model is run, whatever the threshold."""
        require_workshop(request.user)
        asked = PassRateQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        runs = GenerationRun.objects.visible_to(request.user)
        if given["suite"]:
            if not Suite.objects.visible_to(request.user).filter(key=given["suite"]).exists():
                raise Missing(f"There is no suite '{given['suite']}'.")
            runs = runs.filter(suite__key=given["suite"])
        if given["run"]:
            runs = runs.filter(key=given["run"])
            if not runs.exists():
                raise Missing(f"There is no run '{given['run']}'.")
        cells = pass_rate_cells(runs, threshold=given["threshold"])
        return Response(
            {"threshold": given["threshold"], "cells": [asdict(cell) | {"rate": cell.rate} for cell in cells]}
        )


class TextSetSerializer(serializers.Serializer[Any]):
    """Which cases make a set; empty means all."""

    suite = serializers.CharField()
    origin = serializers.ChoiceField(choices=Origin.choices, default="", allow_blank=True)
    language = serializers.CharField(default="", allow_blank=True)
    functionality = serializers.CharField(default="", allow_blank=True)


class NewComparisonSerializer(serializers.Serializer[Any]):
    """Two sets to measure. A model for perplexity (folder or hub id) may be named by maintainers."""

    first = TextSetSerializer()
    second = TextSetSerializer()
    perplexity_model = serializers.CharField(default="", allow_blank=True, max_length=300)
    repeats = serializers.IntegerField(min_value=2, max_value=MOST_REPEATS, default=10)
    seed = serializers.IntegerField(min_value=0, default=0)
    smoothing = serializers.ChoiceField(choices=list(SMOOTHINGS), default=SMOOTHING, help_text="NLTK's methods.")


class DiversityViewSet(JobsOfOneKind):
    """Your comparisons of two sets, as jobs; for maintainers, everybody's. The result holds the measures."""

    kind = KIND

    @extend_schema(request=NewComparisonSerializer, responses={202: JobSerializer})
    def create(self, request: Request) -> Response:
        """Queue self-BLEU 2/3/4 on samples of equal size, distinct-n, length and perplexity of two sets."""
        require_workshop(request.user)
        asked = NewComparisonSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = dict(asked.validated_data)
        first, second = SetChoice(**given.pop("first")), SetChoice(**given.pop("second"))
        job = request_comparison(first, second, by=cast(User, request.user), **given)
        return Response(JobSerializer(job).data, status=202)
