"""Runs and plans for programs: list, estimate, start, cancel, resume, check, and decide by rule."""

from dataclasses import asdict
from typing import Any, cast

from django.db.models import Prefetch, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.jobs.api import JobSerializer
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_maintainer
from core.text import shown
from generation.candidates.deciding import decide_by_rule, request_decisions
from generation.checks.studies import start_study
from generation.checks.validating import request_check, set_thresholds
from generation.models import GenerationPlan, GenerationRun
from generation.pages import get_visible_suite
from generation.runs.models import GenerationRunQuerySet, RunState
from generation.runs.planning import Plan, estimate_plan, make_plan, start_plan
from generation.runs.providers import read_uploaded_provider
from generation.runs.serializers import (
    BulkReportSerializer,
    CheckSerializer,
    GenerationPlanSerializer,
    GenerationRunSerializer,
    NewPlanSerializer,
    NewRunSerializer,
    RuleSerializer,
    RunEstimateSerializer,
    StudyResultSerializer,
    StudySerializer,
    ThresholdsSerializer,
)
from generation.runs.services import cancel_run, resume_run


class RunFilter(filters.FilterSet):
    suite = filters.CharFilter(field_name="suite__key")
    functionality = filters.CharFilter(field_name="functionality__key")
    state = filters.ChoiceFilter(choices=RunState.choices)

    class Meta:
        model = GenerationRun
        fields = ["suite", "functionality", "state"]


class WritingViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Any]):
    """What runs and plans have in common. Refused (422) with every problem of the provider file."""

    permission_classes = [SignedIn]
    lookup_field = "key"

    def runs_of(self, found: Any) -> list[GenerationRun]:
        """Return the runs of what an address names; the first stands for all that are cancelled and resumed."""
        raise NotImplementedError

    def _again(self, found: Any, status: int = 200) -> Response:
        return Response(self.get_serializer(self.get_queryset().get(pk=found.pk)).data, status=status)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, key: str) -> Response:
        """Cancel it; answers on their way are kept. The runs of a plan are cancelled together. For maintainers."""
        found = self.get_object()
        cancel_run(self.runs_of(found)[0], by=cast(User, request.user))
        return self._again(found)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, key: str) -> Response:
        """Resume what was stopped or failed; nothing is paid for again. Runs of a plan are resumed together."""
        found = self.get_object()
        resume_run(self.runs_of(found)[0], by=cast(User, request.user))
        return self._again(found)

    @extend_schema(request=StudySerializer, responses={201: StudyResultSerializer})
    @action(detail=True, methods=["post"])
    def study(self, request: Request, key: str) -> Response:
        """Make cases of checked candidates, kept and rejected, in a suite for labelling. For maintainers."""
        runs, options = self.runs_of(self.get_object()), read_options(StudySerializer, request.data)
        study = start_study(runs, options, by=cast(User, request.user))
        return Response(StudyResultSerializer(study).data, status=201)


class RunViewSet(WritingViewSet):
    """Runs of language models; for experts and maintainers."""

    queryset = GenerationRun.objects.none()
    serializer_class = GenerationRunSerializer
    filterset_class = RunFilter

    def get_queryset(self) -> GenerationRunQuerySet:
        return GenerationRun.objects.visible_to(self.request.user).with_names().prefetch_related("targets")

    def runs_of(self, found: GenerationRun) -> list[GenerationRun]:
        return [found]

    @extend_schema(request=NewRunSerializer, responses={201: GenerationRunSerializer})
    def create(self, request: Request) -> Response:
        """Start one run. For maintainers."""
        [run] = start_plan(_plan(request, NewRunSerializer), by=cast(User, request.user))
        return self._again(run, 201)

    @extend_schema(request=NewRunSerializer, responses=RunEstimateSerializer)
    @action(detail=False, methods=["post"])
    def estimate(self, request: Request) -> Response:
        """Return what a run would cost; nothing is asked."""
        return Response(asdict(estimate_plan(_plan(request, NewRunSerializer))))

    @extend_schema(request=CheckSerializer, responses={202: JobSerializer})
    @action(detail=True, methods=["post"])
    def check(self, request: Request, key: str) -> Response:
        """Queue the check of the candidates by an inference model. For maintainers."""
        run = self.get_object()
        asked = CheckSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        job = request_check(run, model=asked.validated_data["model"], by=cast(User, request.user))
        return Response(JobSerializer(job).data, status=202)

    @extend_schema(request=ThresholdsSerializer, responses=GenerationRunSerializer)
    @action(detail=True, methods=["post"])
    def thresholds(self, request: Request, key: str) -> Response:
        """Keep other thresholds for the run's verdicts; no model is run. For experts of the language."""
        run = self.get_object()
        asked = ThresholdsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        set_thresholds(run, by=cast(User, request.user), **asked.validated_data)
        return Response(GenerationRunSerializer(run).data)

    @extend_schema(request=RuleSerializer, responses={200: BulkReportSerializer, 202: JobSerializer})
    @action(detail=True, methods=["post"])
    def decide(self, request: Request, key: str) -> Response:
        """Decide all proposed candidates that a rule fits; very many in the background, then the answer is a job."""
        run = self.get_object()
        asked = RuleSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        if job := request_decisions(run, by=cast(User, request.user), **asked.validated_data):
            return Response(JobSerializer(job).data, status=202)
        report = decide_by_rule(run, by=cast(User, request.user), **asked.validated_data)
        return Response(shown(asdict(report)))


class PlanViewSet(WritingViewSet):
    """Plans: runs of several functionalities, groups and languages with one provider and one budget."""

    queryset = GenerationPlan.objects.none()
    serializer_class = GenerationPlanSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[GenerationPlan]:
        runs = Prefetch("runs", GenerationRun.objects.with_names().prefetch_related("targets").in_order())
        return GenerationPlan.objects.visible_to(self.request.user).select_related("suite").prefetch_related(runs)

    def runs_of(self, found: GenerationPlan) -> list[GenerationRun]:
        return list(found.runs.all())

    @extend_schema(request=NewPlanSerializer, responses={201: GenerationPlanSerializer})
    def create(self, request: Request) -> Response:
        """Start a plan. For maintainers."""
        runs = start_plan(_plan(request, NewPlanSerializer), by=cast(User, request.user), keep_plan=True)
        return self._again(runs[0].plan, 201)

    @extend_schema(request=NewPlanSerializer, responses=RunEstimateSerializer)
    @action(detail=False, methods=["post"])
    def estimate(self, request: Request) -> Response:
        """Return what a plan would cost; nothing is asked."""
        return Response(asdict(estimate_plan(_plan(request, NewPlanSerializer))))


def _plan(request: Request, kind: type[OptionsSerializer[Any]]) -> Plan:
    require_maintainer(request.user)
    options = read_options(kind, request.data)
    suite = get_visible_suite(request, options.suite)
    return make_plan(suite, options, provider=read_uploaded_provider(options.provider))
