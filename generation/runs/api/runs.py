"""Runs for programs: look, estimate, start, stop, go on, check, and decide by rule."""

from dataclasses import asdict
from typing import Any, cast

from django.db import transaction
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.errors import Missing
from core.jobs.api import JobSerializer
from core.permissions import require_maintainer
from curation.catalogue.loading import load_catalogue
from curation.models import Language, Suite
from generation.candidates.deciding import decide_by_rule, request_decisions
from generation.checks.validating import request_check, set_thresholds
from generation.models import GenerationRun
from generation.prompts.services import load_prompts
from generation.runs.groups import find_targets
from generation.runs.models import GenerationRunQuerySet, RunState
from generation.runs.planning import RunPlan, estimate_run, find_functionality, plan_run, start_run, suggest_seed
from generation.runs.providers import read_uploaded_provider
from generation.runs.serializers import (
    BulkReportSerializer,
    CheckSerializer,
    GenerationRunSerializer,
    NewRunSerializer,
    RuleSerializer,
    RunEstimateSerializer,
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


class RunViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[GenerationRun]):
    """Runs of language models; for experts and maintainers."""

    queryset = GenerationRun.objects.none()
    serializer_class = GenerationRunSerializer
    permission_classes = [SignedIn]
    filterset_class = RunFilter
    lookup_field = "key"

    def get_queryset(self) -> GenerationRunQuerySet:
        return (
            GenerationRun.objects.visible_to(self.request.user)
            .select_related("suite", "language", "functionality", "prompt", "job")
            .prefetch_related("targets")
        )

    @extend_schema(request=NewRunSerializer, responses={201: GenerationRunSerializer})
    def create(self, request: Request) -> Response:
        """Start a run. For maintainers; refused (422) with every problem of the provider file."""
        require_maintainer(request.user)
        with transaction.atomic():
            run = start_run(_plan(request), by=cast(User, request.user))
        return Response(GenerationRunSerializer(run).data, status=201)

    @extend_schema(request=NewRunSerializer, responses=RunEstimateSerializer)
    @action(detail=False, methods=["post"])
    def estimate(self, request: Request) -> Response:
        """What a run would cost; nothing is asked."""
        require_maintainer(request.user)
        return Response(asdict(estimate_run(_plan(request))))

    @extend_schema(request=None, responses=GenerationRunSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, key: str) -> Response:
        """Ask the run to stop; answers on their way are kept."""
        run = self.get_object()
        cancel_run(run, by=cast(User, request.user))
        return Response(GenerationRunSerializer(run).data)

    @extend_schema(request=None, responses=GenerationRunSerializer)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, key: str) -> Response:
        """Let a stopped or failed run go on; nothing that was answered is paid for again."""
        run = self.get_object()
        resume_run(run, by=cast(User, request.user))
        return Response(GenerationRunSerializer(run).data)

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
        return Response(asdict(decide_by_rule(run, by=cast(User, request.user), **asked.validated_data)))


def _plan(request: Request) -> RunPlan:
    load_catalogue()
    load_prompts()
    asked_for = NewRunSerializer(data=request.data)
    asked_for.is_valid(raise_exception=True)
    asked: dict[str, Any] = asked_for.validated_data
    suite = Suite.objects.visible_to(request.user).filter(key=asked["suite"]).first()
    if suite is None:
        raise Missing(f"There is no suite '{asked['suite']}'.")
    language = Language.objects.filter(code=asked["language"]).first()
    if language is None:
        raise Missing(f"There is no language '{asked['language']}'.")
    functionality = find_functionality(asked["functionality"])
    seed = suggest_seed(suite, functionality) if asked["seed"] is None else asked["seed"]
    return plan_run(
        suite,
        language,
        functionality,
        targets=find_targets(language, asked["groups"]),
        provider=read_uploaded_provider(asked["provider"]),
        wanted=asked["wanted"],
        per_request=asked["per_request"],
        seed=seed,
        nli_model=asked["nli_model"],
        threshold=asked["threshold"],
    )
