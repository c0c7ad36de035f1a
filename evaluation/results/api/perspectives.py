"""Models against groups of annotators, over the API."""

from typing import Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.options.serializers import read_options
from core.permissions import require_workshop
from evaluation.models import EvaluationRun
from evaluation.results.api.results import find_release
from evaluation.results.perspectives import compare_models_with_groups
from evaluation.results.reporting import newest_runs
from evaluation.results.serializers import GroupLabelsSerializer


class GroupLabelsView(APIView):
    """How close models come to the labels of groups of annotators, for experts and maintainers."""

    permission_classes = [SignedIn]

    @extend_schema(parameters=[GroupLabelsSerializer], responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        """{release, by, label, models: {name: {group: {jensen_shannon, cross_entropy, disagreement, ...}}}, reason}."""
        require_workshop(request.user)
        viewer = cast(User, request.user)
        asked: dict[str, Any] = request.query_params.dict() | {"model": request.query_params.getlist("model")}
        chosen = read_options(GroupLabelsSerializer, asked)
        release = find_release(request, chosen.release)
        runs = newest_runs(release, chosen.model or None, among=EvaluationRun.objects.visible_to(viewer))
        return Response(compare_models_with_groups(release, runs, by=chosen.by, viewer=viewer))
