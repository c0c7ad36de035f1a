"""Guidelines for programs: every version, and writing the next one."""

from __future__ import annotations

from typing import Any, cast

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.models import User
from annotation.models import Guideline
from annotation.services.guidelines import LONGEST, load_guidelines, write_guideline
from curation.models import Language
from curation.permissions import require_workshop


class GuidelineSerializer(serializers.ModelSerializer[Guideline]):
    language = serializers.CharField(source="language.code")

    class Meta:
        model = Guideline
        fields = ["language", "version", "title", "text", "created_at"]
        read_only_fields = fields


class NewGuidelineSerializer(serializers.Serializer[Any]):
    language = serializers.CharField(max_length=20)
    title = serializers.CharField(max_length=160, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=LONGEST, help_text="Markdown.")


class GuidelinesView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(responses=GuidelineSerializer(many=True), summary="Every version of every guideline")
    def get(self, request: Request) -> Response:
        require_workshop(cast(User, request.user))
        load_guidelines()
        rows = Guideline.objects.select_related("language").order_by("language__code", "-version")
        return Response(GuidelineSerializer(rows, many=True).data)

    @extend_schema(
        request=NewGuidelineSerializer, responses={201: GuidelineSerializer}, summary="Write the next version"
    )
    def post(self, request: Request) -> Response:
        given = NewGuidelineSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        require_workshop(cast(User, request.user))
        load_guidelines()
        language = get_object_or_404(Language, code=given.validated_data.pop("language"))
        made = write_guideline(language, by=cast(User, request.user), **given.validated_data)
        return Response(GuidelineSerializer(made).data, status=201)
