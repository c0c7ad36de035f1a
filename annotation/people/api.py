"""Participants of a crowd, for programs: a platform's list compared with the work, and bonuses."""

from typing import cast

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.parsers import MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from annotation.people.bonuses import bonus_file
from annotation.people.reconciling import reconcile_upload
from annotation.people.serializers import BonusSerializer, ReconciledSerializer, ReconcileSerializer
from annotation.permissions import find_managed_campaign
from core.options.serializers import read_options


class ReconcileView(APIView):
    permission_classes = [SignedIn]
    parser_classes = [MultiPartParser]

    @extend_schema(
        request=ReconcileSerializer,
        responses=ReconciledSerializer(many=True),
        summary="Compare a platform's list of submissions with the work done; nothing is stored",
    )
    def post(self, request: Request, key: str) -> Response:
        user = cast(User, request.user)
        campaign = find_managed_campaign(user, key)
        rows = reconcile_upload(campaign, read_options(ReconcileSerializer, request.data).file, by=user)
        return Response(ReconciledSerializer(rows, many=True).data)


class BonusesView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(
        parameters=[BonusSerializer],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        summary="What is owed beyond the reward, as the file that Prolific pays bonuses from",
    )
    def get(self, request: Request, key: str) -> HttpResponse:
        user = cast(User, request.user)
        campaign = find_managed_campaign(user, key)
        chosen = read_options(BonusSerializer, request.query_params)
        content = bonus_file(campaign, by=user, reward=chosen.reward)
        return HttpResponse(content, content_type="text/csv; charset=utf-8")
