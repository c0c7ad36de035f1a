"""Cases out to other tools, and imports of labels taken back, for programs."""

from typing import cast

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.models import User
from annotation.labels.reversing import as_json, take_import_back
from annotation.labels.sending import tool_archive
from annotation.labels.serializers import ReversalEffectSerializer, TakeBackSerializer, ToolExportSerializer
from annotation.permissions import find_managed_campaign, find_suite, require_manager
from core.options.serializers import read_options


class SendCasesView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(
        parameters=[ToolExportSerializer],
        responses={(200, "application/zip"): bytes},
        summary="The cases of a suite or campaign for another annotation tool, as a zip archive",
    )
    def get(self, request: Request, key: str) -> HttpResponse:
        user = cast(User, request.user)
        suite = find_suite(user, key)
        require_manager(user)
        name, content = tool_archive(suite, read_options(ToolExportSerializer, request.query_params))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(content, content_type="application/zip", headers=headers)


class TakeBackView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(
        request=TakeBackSerializer,
        responses=ReversalEffectSerializer,
        summary="Take an import of labels back; with `dry_run`, say what that would do",
    )
    def post(self, request: Request, key: str) -> Response:
        user = cast(User, request.user)
        chosen = read_options(TakeBackSerializer, request.data)
        campaign = find_managed_campaign(user, key)
        effect = take_import_back(campaign, by=user, reason=chosen.reason, dry_run=chosen.dry_run)
        return Response(as_json(effect))
