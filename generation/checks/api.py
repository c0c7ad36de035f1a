"""Hypotheses, pass rates and the quality of the validator for programs."""

from dataclasses import asdict
from typing import Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.errors import Missing
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_workshop
from core.text import _
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.checks.models import RuleSetName
from generation.checks.options import CheckOptions, PublishedWordingOptions
from generation.checks.studies import validator_quality
from generation.checks.validating import pass_rate_cells
from generation.checks.versions import add_check, check_of, load_published_wording
from generation.models import CheckVersion, GenerationRun
from generation.pages import get_visible_suite
from generation.runs.models import GenerationRunQuerySet

FUNCTIONALITY = OpenApiParameter("functionality", OpenApiTypes.STR, OpenApiParameter.PATH, description="Its key.")
LANGUAGE = OpenApiParameter("language", OpenApiTypes.STR, description="Code of the language; default en.")
RULE_SET = OpenApiParameter("rule_set", OpenApiTypes.STR, enum=RuleSetName.values, description="Default touchstone.")


class MeasureQuerySerializer(serializers.Serializer[Any]):
    """Which runs are measured, and above which score a hypothesis holds."""

    suite = serializers.CharField(default="", allow_blank=True, help_text="Key; empty: all suites.")
    run = serializers.CharField(default="", allow_blank=True, help_text="Key; empty: all runs.")
    plan = serializers.CharField(default="", allow_blank=True, help_text="Key; empty: all plans.")
    threshold = serializers.FloatField(min_value=0, max_value=1, default=DEFAULT_THRESHOLD)


def _measured(request: Request) -> tuple[GenerationRunQuerySet, float]:
    """Return the runs that an address asks for, and the threshold. Refuses names that are not there."""
    require_workshop(request.user)
    asked = MeasureQuerySerializer(data=request.query_params)
    asked.is_valid(raise_exception=True)
    given = asked.validated_data
    runs = GenerationRun.objects.visible_to(request.user)
    if given["suite"]:
        runs = runs.filter(suite=get_visible_suite(request, given["suite"]))
    if given["run"]:
        runs = runs.filter(key=given["run"])
        if not runs.exists():
            raise Missing(_("There is no run '%(key)s'.", key=given["run"]))
    if given["plan"]:
        runs = runs.filter(plan__key=given["plan"])
        if not runs.exists():
            raise Missing(_("There is no plan '%(key)s'.", key=given["plan"]))
    return runs, given["threshold"]


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
        parameters=[MeasureQuerySerializer], responses=PassRatesSerializer, operation_id="pass_rates_retrieve"
    )
    def get(self, request: Request) -> Response:
        """Return pass rates by functionality and group, from kept scores: no model is run for another threshold."""
        runs, threshold = _measured(request)
        cells = pass_rate_cells(runs, threshold=threshold)
        return Response({"threshold": threshold, "cells": [asdict(cell) | {"rate": cell.rate} for cell in cells]})


class ValiditySerializer(serializers.Serializer[Any]):
    """Candidates with human labels. `precision` is the share of valid ones among those kept, `unfiltered` among all."""

    functionality = serializers.CharField(help_text="Empty: all together.")
    labelled = serializers.IntegerField()
    valid_kept = serializers.IntegerField()
    valid_rejected = serializers.IntegerField()
    invalid_kept = serializers.IntegerField()
    invalid_rejected = serializers.IntegerField()
    unfiltered = serializers.FloatField(allow_null=True)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    precision_ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    recall_ci95 = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class ValidatorQualityView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(
        parameters=[MeasureQuerySerializer],
        responses=ValiditySerializer(many=True),
        operation_id="validator_quality_list",
    )
    def get(self, request: Request) -> Response:
        """Return the validator's precision and recall against human labels, for all and by functionality."""
        runs, threshold = _measured(request)
        found = validator_quality(runs, threshold=threshold)
        return Response([{"functionality": key} | validity.as_json() for key, validity in found.items()])


class CheckVersionSerializer(serializers.ModelSerializer[CheckVersion]):
    functionality = serializers.CharField(source="functionality.key", read_only=True)
    language = serializers.CharField(source="language.code", read_only=True, allow_null=True, default=None)
    version = serializers.IntegerField(source="number", read_only=True)
    author = serializers.StringRelatedField[Any](read_only=True, allow_null=True)

    class Meta:
        model = CheckVersion
        fields = [
            "functionality",
            "language",
            "version",
            "tests",
            "rule",
            "is_published",
            "note",
            "author",
            "created_at",
        ]
        read_only_fields = fields


class FunctionalityCheckSerializer(serializers.Serializer[Any]):
    """The hypotheses that count for a functionality and language, as they are written, and where they come from."""

    functionality = serializers.CharField(source="functionality.key")
    hypotheses = serializers.ListField(child=serializers.CharField())
    rule = serializers.CharField()
    version = serializers.IntegerField(source="version.number", allow_null=True, default=None, help_text="Null: ours.")
    note = serializers.CharField()


class NewCheckSerializer(OptionsSerializer[CheckOptions]):
    options = CheckOptions


class PublishedWordingSerializer(OptionsSerializer[PublishedWordingOptions]):
    options = PublishedWordingOptions


class ChecksView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(
        parameters=[FUNCTIONALITY, LANGUAGE, RULE_SET],
        responses=FunctionalityCheckSerializer,
        operation_id="hypotheses_retrieve",
    )
    def get(self, request: Request, functionality: str) -> Response:
        """Return the hypotheses and the rule that count for a functionality and language."""
        require_workshop(request.user)
        load_catalogue()
        about = get_object_or_404(Functionality, key=functionality)
        language = get_object_or_404(Language, code=request.query_params.get("language") or "en")
        rule_set = request.query_params.get("rule_set") or RuleSetName.TOUCHSTONE
        found = check_of(about, language, rule_set) if rule_set in RuleSetName.values else None
        if found is None:
            raise Missing(
                _(
                    "There are no such hypotheses for '%(functionality)s' in %(language)s. Write them.",
                    functionality=functionality,
                    language=language.name,
                )
            )
        return Response(FunctionalityCheckSerializer(found).data)

    @extend_schema(
        parameters=[FUNCTIONALITY],
        request=NewCheckSerializer,
        responses={201: CheckVersionSerializer},
        operation_id="hypotheses_create",
    )
    def post(self, request: Request, functionality: str) -> Response:
        """Keep new hypotheses and a rule; older versions stay. For experts of the language."""
        require_workshop(request.user)
        about = get_object_or_404(Functionality, key=functionality)
        row = add_check(about, read_options(NewCheckSerializer, request.data), by=cast(User, request.user))
        return Response(CheckVersionSerializer(row).data, status=201)


class PublishedWordingView(APIView):
    permission_classes = [SignedIn]
    parser_classes = [MultiPartParser]

    @extend_schema(
        request=PublishedWordingSerializer,
        responses={201: CheckVersionSerializer(many=True)},
        operation_id="hypotheses_load_published",
    )
    def post(self, request: Request) -> Response:
        """Load the published hypotheses of GPT-HateCheck from your copy. For maintainers."""
        asked = read_options(PublishedWordingSerializer, request.data)
        load_catalogue()
        rows = load_published_wording(asked.file.read(), by=cast(User, request.user))
        return Response(CheckVersionSerializer(rows, many=True).data, status=201)
