"""Expansion of templates for programs: count, make, read the outcome."""

from dataclasses import asdict
from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from core.jobs.api import JobSerializer
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_workshop
from core.text import shown
from generation.api import JobsOfOneKind
from generation.runs.expanding import KIND, count_expansion, request_expansion
from generation.runs.options import ExpansionOptions


class ExpansionSerializer(OptionsSerializer[ExpansionOptions]):
    options = ExpansionOptions


class ExpansionCountSerializer(serializers.Serializer[Any]):
    """How large an expansion is. Where `is_exact` is false, `total` counts words that meet themselves, too."""

    language = serializers.CharField()
    templates = serializers.IntegerField()
    total = serializers.IntegerField()
    is_exact = serializers.BooleanField()
    by_group = serializers.DictField(child=serializers.IntegerField())
    by_functionality = serializers.DictField(child=serializers.IntegerField())
    unbalanced = serializers.ListField(child=serializers.CharField(), help_text="Templates with unequal groups.")
    problems = serializers.ListField(child=serializers.CharField(), help_text="Texts that cannot be read.")


class ExpansionViewSet(JobsOfOneKind):
    """Your expansions, as jobs; maintainers see those of everyone. The result holds the counts."""

    kind = KIND

    @extend_schema(request=ExpansionSerializer, responses={202: JobSerializer})
    def create(self, request: Request) -> Response:
        """Queue the cases of an expansion; those that are there stay as they are. For experts of the language."""
        require_workshop(request.user)
        job = request_expansion(read_options(ExpansionSerializer, request.data), by=cast(User, request.user))
        return Response(JobSerializer(job).data, status=202)

    @extend_schema(request=ExpansionSerializer, responses=ExpansionCountSerializer)
    @action(detail=False, methods=["post"])
    def count(self, request: Request) -> Response:
        """Count the texts there would be; nothing is made."""
        require_workshop(request.user)
        return Response(shown(asdict(count_expansion(read_options(ExpansionSerializer, request.data)))))
