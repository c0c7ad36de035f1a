"""The working set over the API."""

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from core.jobs.services import request_job
from core.options.serializers import read_options
from core.text import _, shown
from curation.authoring.api import author_of
from curation.authoring.listing import CaseChoice, cases_matching
from curation.cases.coverage import coverage_matrix
from curation.cases.handwritten import write_case
from curation.cases.perturbing import perturb_by_options
from curation.cases.serializers import (
    GenerateCasesSerializer,
    NewCaseSerializer,
    PerturbSerializer,
    QueuedGenerationSerializer,
    WorkingCaseSerializer,
)
from curation.catalogue.loading import target_set
from curation.finding import named
from curation.models import Functionality, Language, Suite, TargetGroup, TestCase

NAMES = ("suite", "language", "functionality", "target", "origin", "state", "template", "sort")
FILTERS = [OpenApiParameter(name, str, OpenApiParameter.QUERY) for name in (*NAMES, "q")]


class Cases(GenericAPIView[TestCase]):
    """Cases of the working set; those in use unless another state is asked for."""

    permission_classes = [SignedIn]
    serializer_class = WorkingCaseSerializer
    queryset = TestCase.objects.none()  # for the schema

    @extend_schema(parameters=FILTERS, responses=WorkingCaseSerializer(many=True), operation_id="cases_list")
    def get(self, request: Request) -> Response:
        author_of(request)
        asked = {name: request.query_params.get(name, "") for name in NAMES}
        choice = CaseChoice(**asked, search=request.query_params.get("q", ""))
        cases = cases_matching(choice, TestCase.objects.visible_to(request.user)).select_related("template")
        page = self.paginate_queryset(cases) or []
        return self.get_paginated_response(WorkingCaseSerializer(page, many=True).data)

    @extend_schema(request=NewCaseSerializer, responses={201: WorkingCaseSerializer})
    def post(self, request: Request) -> Response:
        """Add a case written by hand."""
        by = author_of(request)
        asked = read_options(NewCaseSerializer, request.data)
        suite = named(Suite.objects.visible_to(request.user), "suite", key=asked.suite)
        language = named(Language.objects.all(), "language", code=asked.language)
        functionality = named(Functionality.objects.all(), "functionality", key=asked.functionality)
        known = TargetGroup.objects.filter(language=language)
        for name in asked.target_ident:
            named(known, f"target group in {language}", name=name)
        target = target_set(language, asked.target_ident)
        case = write_case(suite, language, functionality, by=by, target=target, **asked.facts())
        return Response(WorkingCaseSerializer(case).data, status=201)


class OneCase(GenericAPIView[TestCase]):
    """One case of the working set."""

    permission_classes = [SignedIn]
    serializer_class = WorkingCaseSerializer
    queryset = TestCase.objects.none()  # for the schema

    @extend_schema(operation_id="cases_retrieve")
    def get(self, request: Request, suite: str, key: str) -> Response:
        author_of(request)
        related = ("suite", "language", "functionality", "target", "template")
        cases = TestCase.objects.visible_to(request.user).select_related(*related)
        return Response(WorkingCaseSerializer(get_object_or_404(cases, suite__key=suite, key=key)).data)


class GenerateCases(GenericAPIView[TestCase]):
    permission_classes = [SignedIn]
    serializer_class = GenerateCasesSerializer
    queryset = TestCase.objects.none()  # for the schema

    @extend_schema(request=GenerateCasesSerializer, responses={202: QueuedGenerationSerializer})
    def post(self, request: Request) -> Response:
        """Queue the cases of all approved templates of a suite; the job says how far it is."""
        by = author_of(request)
        asked = read_options(GenerateCasesSerializer, request.data)
        suite = named(Suite.objects.visible_to(request.user), "suite", key=asked.suite)
        title = _("Generate the cases of %(suite)s", suite=str(suite))
        job = request_job("curation.generate_cases", {"suite": suite.key}, title=title, by=by)
        return Response({"job": job.key}, status=202)


class PerturbCases(GenericAPIView[TestCase]):
    permission_classes = [SignedIn]
    serializer_class = PerturbSerializer
    queryset = TestCase.objects.none()  # for the schema

    @extend_schema(request=PerturbSerializer, responses={200: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        """Make perturbations of cases. The same seed makes the same texts, so a second request adds nothing."""
        by = author_of(request)
        asked = read_options(PerturbSerializer, request.data)
        named(Suite.objects.visible_to(request.user), "suite", key=asked.suite)
        report = perturb_by_options(asked, by=by)
        skipped = [{"case_id": key, "reason": shown(reason)} for key, reason in report.skipped]
        without = [{"template": key, "reason": shown(reason)} for key, reason in report.without_cases]
        counts = {"made": report.made, "unchanged": report.unchanged}
        return Response({**counts, "skipped": skipped, "templates_without_cases": without})


@extend_schema(exclude=True)
class RespellCases(PerturbCases):
    """The address that earlier versions had."""


class CaseCoverage(GenericAPIView[TestCase]):
    permission_classes = [SignedIn]
    serializer_class = WorkingCaseSerializer
    queryset = TestCase.objects.none()  # for the schema

    @extend_schema(
        parameters=[
            OpenApiParameter(name, str, OpenApiParameter.QUERY, required=True) for name in ("suite", "language")
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request) -> Response:
        """Cases in use by functionality and target; a functionality that does not apply says why."""
        author_of(request)
        suite = named(Suite.objects.visible_to(request.user), "suite", key=request.query_params.get("suite", ""))
        language = named(Language.objects.all(), "language", code=request.query_params.get("language", ""))
        matrix = coverage_matrix(suite, language)
        rows = [
            {
                "functionality": row.functionality.key,
                "templates": row.templates,
                "cases": {cell.target: cell.cases for cell in row.cells if cell.cases},
                "holes": [cell.target for cell in row.cells if cell.is_hole],
                "not_because": shown(row.not_because),
            }
            for row in matrix.rows
        ]
        return Response({"targets": [name for name in matrix.targets if name], "rows": rows})
