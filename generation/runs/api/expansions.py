"""Combinatorial expansion for programs: count, make, look what came of it."""

from dataclasses import asdict
from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from core.jobs.api import JobSerializer
from core.permissions import require_workshop
from generation.runs.api.jobs_of_one_kind import JobsOfOneKind
from generation.runs.expanding import KIND, ExpansionChoice, count_expansion, request_expansion


class ExpansionChoiceSerializer(serializers.Serializer[Any]):
    """What to expand. Without `size` everything, otherwise a sample drawn by `seed` with equally large groups."""

    suite = serializers.CharField()
    language = serializers.CharField(default="en")
    functionalities = serializers.ListField(child=serializers.CharField(), default=list, help_text="Empty: all.")
    size = serializers.IntegerField(min_value=1, required=False, allow_null=True, default=None)
    seed = serializers.IntegerField(min_value=0, default=0)
    similarity = serializers.FloatField(
        min_value=0.5,
        max_value=1,
        required=False,
        allow_null=True,
        default=None,
        help_text="Texts as much like another one of their group are left out; null: kept.",
    )
    across_groups = serializers.BooleanField(default=False, help_text="Combine words of different groups.")


class ExpansionCountSerializer(serializers.Serializer[Any]):
    """How large an expansion is. Where `is_exact` is false, `total` counts words that meet themselves, too."""

    templates = serializers.IntegerField()
    total = serializers.IntegerField()
    is_exact = serializers.BooleanField()
    by_group = serializers.DictField(child=serializers.IntegerField())
    by_functionality = serializers.DictField(child=serializers.IntegerField())
    unbalanced = serializers.ListField(child=serializers.CharField(), help_text="Templates with unequal groups.")
    problems = serializers.ListField(child=serializers.CharField(), help_text="Texts that cannot be read.")


class ExpansionViewSet(JobsOfOneKind):
    """Your expansions, as jobs; for maintainers, everybody's. The result holds the counts. Stop one through its job."""

    kind = KIND

    @extend_schema(request=ExpansionChoiceSerializer, responses={202: JobSerializer})
    def create(self, request: Request) -> Response:
        """Queue the cases of an expansion; those that are there stay as they are. For experts of the language."""
        require_workshop(request.user)
        job = request_expansion(_choice(request), by=cast(User, request.user))
        return Response(JobSerializer(job).data, status=202)

    @extend_schema(request=ExpansionChoiceSerializer, responses=ExpansionCountSerializer)
    @action(detail=False, methods=["post"])
    def count(self, request: Request) -> Response:
        """How many texts there would be; nothing is made."""
        require_workshop(request.user)
        return Response(asdict(count_expansion(_choice(request))))


def _choice(request: Request) -> ExpansionChoice:
    asked = ExpansionChoiceSerializer(data=request.data)
    asked.is_valid(raise_exception=True)
    return ExpansionChoice.from_json(dict(asked.validated_data))
