"""Prompts for programs: list, compare two versions, see what a model will read, write and try versions."""

from dataclasses import asdict
from typing import Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.errors import Missing
from core.jobs.api import JobSerializer
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_maintainer, require_workshop
from core.text import _
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language, TargetGroup
from generation.models import Prompt
from generation.pages import get_visible_suite
from generation.prompts.options import PromptOptions, TrialOptions
from generation.prompts.services import add_version, compare, fill, load_prompts, starting_point, versions_of
from generation.prompts.trials import request_trial
from generation.runs.groups import find_targets
from generation.runs.providers import read_uploaded_provider

LANGUAGE = OpenApiParameter("language", OpenApiTypes.STR, OpenApiParameter.PATH, description="Code of the language.")
FUNCTIONALITY = OpenApiParameter("functionality", OpenApiTypes.STR, OpenApiParameter.PATH, description="Its key.")
IN_LANGUAGE = OpenApiParameter("language", OpenApiTypes.STR, description="Code; empty: all languages.")
BEFORE = OpenApiParameter("before", OpenApiTypes.INT, description="Number of a version; default: the one before.")
AFTER = OpenApiParameter("after", OpenApiTypes.INT, description="Number of a version; default: the newest.")


class PromptSerializer(serializers.ModelSerializer[Prompt]):
    """One version. `skeleton` holds the parts all prompts of the language share."""

    language = serializers.CharField(source="language.code", read_only=True)
    functionality = serializers.CharField(source="functionality.key", read_only=True)
    version = serializers.IntegerField(source="number", read_only=True)
    author = serializers.StringRelatedField[Any](read_only=True, allow_null=True)

    class Meta:
        model = Prompt
        fields = [
            *("language", "functionality", "version", "system", "skeleton", "instruction", "demonstration"),
            *("uses_slurs", "slurs", "sha256", "note", "author", "created_at"),
        ]
        read_only_fields = fields


class NewPromptSerializer(OptionsSerializer[PromptOptions]):
    options = PromptOptions


class PromptChangeSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    pieces = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), help_text="[same, removed or added; words]"
    )


class PromptComparisonSerializer(serializers.Serializer[Any]):
    before = serializers.CharField(help_text="SHA-256 of the wording.")
    after = serializers.CharField()
    is_same = serializers.BooleanField()
    changes = PromptChangeSerializer(many=True)


class FillingSerializer(serializers.Serializer[Any]):
    suite = serializers.CharField(help_text="Whose lexicon the slurs come from.")
    group = serializers.CharField(default="", allow_blank=True)
    count = serializers.IntegerField(min_value=1, max_value=50, default=10)
    version = serializers.IntegerField(min_value=1, required=False, allow_null=True, default=None)


class FilledPromptSerializer(serializers.Serializer[Any]):
    """What a model will read."""

    system = serializers.CharField()
    user = serializers.CharField()
    sha256 = serializers.CharField()


class NewTrialSerializer(OptionsSerializer[TrialOptions]):
    options = TrialOptions


class PromptViewSet(viewsets.GenericViewSet[Prompt]):
    """Prompts by language and functionality; for experts and maintainers."""

    queryset = Prompt.objects.none()
    serializer_class = PromptSerializer
    permission_classes = [SignedIn]
    filter_backends = ()

    @extend_schema(parameters=[IN_LANGUAGE], responses=PromptSerializer(many=True), operation_id="prompts_list")
    def list(self, request: Request) -> Response:
        """List the newest version of each prompt."""
        require_workshop(request.user)
        load_catalogue()
        load_prompts()
        prompts = Prompt.objects.newest().select_related("language", "functionality", "author")
        if code := request.query_params.get("language", ""):
            prompts = prompts.filter(language__code=code)
        page = self.paginate_queryset(prompts.order_by("language__code", "functionality__position", "pk"))
        return self.get_paginated_response(PromptSerializer(page, many=True).data)

    @extend_schema(
        parameters=[LANGUAGE, FUNCTIONALITY], responses=PromptSerializer(many=True), operation_id="prompts_versions"
    )
    def versions(self, request: Request, language: str, functionality: str) -> Response:
        """List all versions of a prompt, newest first."""
        return Response(PromptSerializer(_versions(request, language, functionality), many=True).data)

    @extend_schema(
        parameters=[LANGUAGE, FUNCTIONALITY],
        request=NewPromptSerializer,
        responses={201: PromptSerializer},
        operation_id="prompts_create",
    )
    def create(self, request: Request, language: str, functionality: str) -> Response:
        """Write a new version; the old ones stay. For experts of the language."""
        require_workshop(request.user)
        load_prompts()
        about = get_object_or_404(Functionality, key=functionality)
        tongue = get_object_or_404(Language, code=language)
        start = starting_point(about, tongue)
        start.pop("instruction", None)
        wording = read_options(NewPromptSerializer, start | dict(request.data))
        prompt = add_version(about, tongue, wording, by=cast(User, request.user))
        return Response(PromptSerializer(prompt).data, status=201)

    @extend_schema(
        parameters=[LANGUAGE, FUNCTIONALITY, BEFORE, AFTER],
        responses=PromptComparisonSerializer,
        operation_id="prompts_compare",
    )
    @action(detail=False, methods=["get"])
    def compare(self, request: Request, language: str, functionality: str) -> Response:
        """Compare two versions word by word."""
        versions = _versions(request, language, functionality)
        after = _numbered(versions, request.query_params.get("after", "")) or versions[0]
        before = _numbered(versions, request.query_params.get("before", ""))
        before = before or next((item for item in versions if item.number < after.number), after)
        compared = compare(before, after)
        return Response(asdict(compared) | {"is_same": compared.is_same})

    @extend_schema(
        parameters=[LANGUAGE, FUNCTIONALITY],
        request=FillingSerializer,
        responses=FilledPromptSerializer,
        operation_id="prompts_fill",
    )
    @action(detail=False, methods=["post"])
    def fill(self, request: Request, language: str, functionality: str) -> Response:
        """Show what a model will read for a group; nothing is asked."""
        versions = _versions(request, language, functionality)
        asked = FillingSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        prompt = _numbered(versions, str(given["version"] or "")) or versions[0]
        filled = fill(
            prompt,
            suite=get_visible_suite(request, given["suite"]),
            target=_target(prompt, given["group"]),
            count=given["count"],
        )
        return Response({"system": filled.system, "user": filled.user, "sha256": filled.sha256})

    @extend_schema(
        parameters=[LANGUAGE, FUNCTIONALITY],
        request=NewTrialSerializer,
        responses={202: JobSerializer},
        operation_id="prompts_try",
    )
    @action(detail=False, methods=["post"])
    def trials(self, request: Request, language: str, functionality: str) -> Response:
        """Try versions on one small batch each at temperature 0; the job's result holds them. For maintainers."""
        require_maintainer(request.user)
        versions = _versions(request, language, functionality)
        asked = read_options(NewTrialSerializer, request.data)
        job = request_trial(
            [found for number in asked.versions if (found := _numbered(versions, str(number)))],
            suite=get_visible_suite(request, asked.suite),
            target=_target(versions[0], asked.group),
            provider=read_uploaded_provider(asked.provider),
            count=asked.count,
            by=cast(User, request.user),
        )
        return Response(JobSerializer(job).data, status=202)


def _versions(request: Request, language: str, functionality: str) -> list[Prompt]:
    require_workshop(request.user)
    return versions_of(language, functionality)


def _numbered(versions: list[Prompt], number: str) -> Prompt | None:
    """Return the version of that number, None where none is asked for. Refuses one there is not."""
    if not number:
        return None
    found = next((version for version in versions if str(version.number) == number), None)
    if found is None:
        known = [str(version.number) for version in versions]
        raise Missing(_("There is no version %(number)s. Known: %(known)s.", number=number, known=known))
    return found


def _target(prompt: Prompt, group: str) -> TargetGroup | None:
    return find_targets(prompt.language, [group])[0] if group else None
