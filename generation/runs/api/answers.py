"""Answers of a run for programs, as they came."""

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.generics import get_object_or_404

from accounts.api.permissions import SignedIn
from generation.models import GenerationRun, ProviderRequest
from generation.runs.answers import Outcome, answers_of, read_answer, with_outcome
from generation.runs.models import ProviderRequestQuerySet

RUN = OpenApiParameter("run", OpenApiTypes.STR, OpenApiParameter.PATH, description="Key of the run.")


class AnswerSerializer(serializers.ModelSerializer[ProviderRequest]):
    """One answer. `run` is the one that paid for it; `outcome` and `messages` are what is read from it."""

    outcome = serializers.SerializerMethodField()
    messages = serializers.SerializerMethodField()

    class Meta:
        model = ProviderRequest
        fields = [
            *("key", "run", "model", "prompt_sha256", "system", "user", "parameters", "seed", "attempts", "seconds"),
            *("prompt_tokens", "completion_tokens", "cost", "finish_reason", "refusal", "text", "raw", "created_at"),
            *("outcome", "messages"),
        ]
        read_only_fields = fields

    def get_outcome(self, row: ProviderRequest) -> str:
        return read_answer(row).outcome.value

    def get_messages(self, row: ProviderRequest) -> int:
        return read_answer(row).messages


class AnswerFilter(filters.FilterSet):
    outcome = filters.ChoiceFilter(choices=Outcome.choices, method="turned_out")

    class Meta:
        model = ProviderRequest
        fields: list[str] = []

    def turned_out(self, rows: ProviderRequestQuerySet, name: str, value: str) -> ProviderRequestQuerySet:
        return with_outcome(rows, value)


@extend_schema(parameters=[RUN])
class AnswerViewSet(mixins.ListModelMixin, viewsets.GenericViewSet[ProviderRequest]):
    """Every answer a run paid for or took candidates from; for experts and maintainers."""

    queryset = ProviderRequest.objects.none()
    serializer_class = AnswerSerializer
    permission_classes = [SignedIn]
    filterset_class = AnswerFilter

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return ProviderRequest.objects.none()
        runs = GenerationRun.objects.visible_to(self.request.user)
        return answers_of(get_object_or_404(runs, key=self.kwargs["run"]))
