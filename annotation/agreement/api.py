"""What labels do to a suite, for programs: agreement, the decision with its preview, exclusions, labels in."""

from dataclasses import asdict
from typing import Any, cast

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.parsers import MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from annotation.agreement.deciding import apply_decision, lift_exclusion, preview_decision
from annotation.agreement.perspectives import suite_perspectives
from annotation.agreement.suite_report import suite_agreement
from annotation.campaigns.serializers import (
    ByQuerySerializer,
    DecisionPreviewSerializer,
    ExclusionSerializer,
    LabelFileSerializer,
    PerspectivesSerializer,
    ReasonSerializer,
    RulesSerializer,
)
from annotation.labels.exporting import label_download
from annotation.labels.serializers import LabelExportSerializer
from annotation.labels.storing import import_uploaded_labels
from annotation.permissions import find_suite, hidden_from
from core.options.serializers import read_options
from curation.models import Exclusion, Suite, TestCase
from curation.releases.following import DecisionEffect


class SuiteView(APIView):
    permission_classes = [SignedIn]

    def person(self) -> User:
        return cast(User, self.request.user)

    def suite(self, key: str) -> Suite:
        return find_suite(self.person(), key)


class AgreementView(SuiteView):
    @extend_schema(
        parameters=[ByQuerySerializer], responses=OpenApiTypes.OBJECT, summary="Agreement on all labels of a suite"
    )
    def get(self, request: Request, key: str) -> Response:
        asked = ByQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        hidden = list(hidden_from(self.person()))
        return Response(suite_agreement(self.suite(key), by=asked.validated_data.get("by"), without=hidden))


class PerspectivesView(SuiteView):
    @extend_schema(
        parameters=[PerspectivesSerializer], responses=OpenApiTypes.OBJECT, summary="How groups of annotators label"
    )
    def get(self, request: Request, key: str) -> Response:
        """Agreement, majority and share of the positive label by the answers annotators agreed to link."""
        chosen = read_options(PerspectivesSerializer, request.query_params)
        return Response(suite_perspectives(self.suite(key), by=chosen.by, without=list(hidden_from(self.person()))))


class DecisionView(SuiteView):
    @extend_schema(
        parameters=[RulesSerializer], responses=DecisionPreviewSerializer, summary="What would go and why; no change"
    )
    def get(self, request: Request, key: str) -> Response:
        suite, chosen = self.suite(key), read_options(RulesSerializer, request.query_params)
        return Response(_shown(suite, preview_decision(suite, **chosen.rules())))

    @extend_schema(request=RulesSerializer, responses=DecisionPreviewSerializer, summary="Leave out and validate")
    def post(self, request: Request, key: str) -> Response:
        suite, chosen = self.suite(key), read_options(RulesSerializer, request.data)
        found = apply_decision(suite, by=self.person(), expected=chosen.expected, **chosen.rules())
        return Response(_shown(suite, found))


def _shown(suite: Suite, found: DecisionEffect) -> dict[str, Any]:
    keys = dict(TestCase.objects.of(suite).values_list("id", "key")) if found.going else {}
    return {
        **asdict(found.rules),
        "going_by_reason": found.going_by_reason,
        "going": [
            {"case": keys[case], "reason": left.reason, "because_of": left.because_of}
            for case, left in found.going.items()
        ],
        "returning": len(found.returning),
        "validated": found.validated,
        "unlabelled": found.unlabelled,
    }


class ExclusionsView(SuiteView):
    @extend_schema(responses=ExclusionSerializer(many=True), summary="Cases that are left out, with the reasons")
    def get(self, request: Request, key: str) -> Response:
        rows = Exclusion.objects.standing().filter(case__suite=self.suite(key)).select_related("case")
        return Response(ExclusionSerializer(rows.order_by("case__language", "case__position"), many=True).data)


class LiftView(SuiteView):
    @extend_schema(request=ReasonSerializer, responses={204: None}, summary="Bring a case back, with the reason")
    def post(self, request: Request, key: str, case: str) -> Response:
        suite = self.suite(key)
        given = ReasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        cases = TestCase.objects.of(suite).select_related("language", "suite")
        lift_exclusion(get_object_or_404(cases, key=case), reason=given.validated_data["reason"], by=self.person())
        return Response(status=204)


class LabelsView(SuiteView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        parameters=[LabelExportSerializer],
        responses={(200, "text/csv"): OpenApiTypes.STR, (200, "application/jsonl"): OpenApiTypes.STR},
        summary="Every label of a suite, with revisions, comments and times; people by pseudonym",
    )
    def get(self, request: Request, key: str) -> StreamingHttpResponse:
        suite, chosen = self.suite(key), read_options(LabelExportSerializer, request.query_params)
        download = label_download(suite, chosen, without=list(hidden_from(self.person())))
        return StreamingHttpResponse(download.content, content_type=download.content_type)

    @extend_schema(
        request=LabelFileSerializer, responses={201: OpenApiTypes.OBJECT}, summary="Take in labels made elsewhere"
    )
    def post(self, request: Request, key: str) -> Response:
        suite = self.suite(key)
        chosen = read_options(LabelFileSerializer, request.data)
        report = import_uploaded_labels(
            suite, chosen.file, by=self.person(), title=chosen.title, layout=chosen.layout, dry_run=chosen.dry_run
        )
        return Response(report, status=200 if chosen.dry_run else 201)
