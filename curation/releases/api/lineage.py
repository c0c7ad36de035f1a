"""Where one case of a release comes from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from curation.releases.api.base import KEY, Part
from curation.releases.lineage import Lineage, lineage_of
from curation.releases.serializers import CaseSerializer

CASE = OpenApiParameter("case", str, OpenApiParameter.PATH, description="case_id")


class LineageTableSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.DictField()))
    empty = serializers.CharField()
    note = serializers.CharField()


class LineageSerializer(serializers.Serializer[Any]):
    case = CaseSerializer()
    origin = serializers.DictField(child=serializers.CharField())
    forms = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    template_version = serializers.IntegerField(allow_null=True)
    varies = serializers.CharField(allow_null=True)
    varied_by = serializers.ListField(child=serializers.CharField())
    tables = LineageTableSerializer(many=True)


class ReleaseLineage(Part):
    @extend_schema(parameters=[KEY, CASE], responses=LineageSerializer)
    @action(detail=True, url_path=r"cases/(?P<case>[^/]+)")
    def lineage(self, request: Request, key: str, case: str) -> Response:
        """Template version, words, prompt and model, every vote under a pseudonym, verdicts, and how models did."""
        return Response(_described(lineage_of(self.get_object(), case, viewer=request.user)))


def _described(found: Lineage) -> dict[str, Any]:
    values = {
        "case": found.case,
        "origin": dict(found.origin),
        "forms": found.forms,
        "template_version": found.template_version.number if found.template_version else None,
        "varies": found.varies.key if found.varies else None,
        "varied_by": [case.key for case in found.varied_by],
        "tables": [asdict(table) for table in found.tables],
    }
    return dict(LineageSerializer(values).data)
