"""Data statement and data sheet of a release: read, and written until it is published."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from curation.models import Release
from curation.releases.api.base import KEY, Part, person
from curation.releases.checklist import checklist
from curation.releases.documents import SECTIONS, datasheet_of, statement_of, write_prose


class PointSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    is_done = serializers.BooleanField()
    says = serializers.CharField()
    fix = serializers.CharField(help_text="How to mend it; empty where it is done.")


class DocumentsSerializer(serializers.Serializer[Any]):
    data_statement = serializers.CharField(help_text="Markdown")
    datasheet = serializers.CharField(help_text="Markdown")
    prose = serializers.DictField(child=serializers.CharField(), help_text="What people wrote, by section")
    checklist = PointSerializer(many=True)


class ProseSerializer(serializers.Serializer[Any]):
    prose = serializers.DictField(
        child=serializers.CharField(allow_blank=True), help_text=f"By section: {', '.join(SECTIONS)}"
    )


class ReleaseDocuments(Part):
    @extend_schema(parameters=[KEY], responses=DocumentsSerializer)
    @action(detail=True)
    def documents(self, request: Request, key: str) -> Response:
        """The documents as they would be exported, and what is still open."""
        return Response(_documents(self.get_object()))

    @extend_schema(parameters=[KEY], request=ProseSerializer, responses=DocumentsSerializer)
    @documents.mapping.patch
    def write(self, request: Request, key: str) -> Response:
        """Write sections; an empty text takes one back."""
        form = ProseSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        return Response(_documents(write_prose(self.get_object(), form.validated_data["prose"], by=person(request))))


def _documents(release: Release) -> dict[str, Any]:
    found = {
        "data_statement": statement_of(release),
        "datasheet": datasheet_of(release),
        "prose": release.prose,
        "checklist": checklist(release),
    }
    return dict(DocumentsSerializer(found).data)
