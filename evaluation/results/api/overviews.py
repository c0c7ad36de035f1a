"""All models on a release over the API: their measures, and the leaderboard."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.models import EvaluationRun
from evaluation.results.api.results import find_release
from evaluation.results.documents import read_scope, results_of
from evaluation.results.leaderboard import leaderboard_of
from evaluation.results.reporting import newest_runs


class ResultsView(APIView):
    """Measures of every model on a release."""

    @extend_schema(
        parameters=[
            OpenApiParameter("release", str, required=True),
            OpenApiParameter("model", str, many=True),
            OpenApiParameter("cross", str, description="Also by two dimensions: functionality,language."),
            OpenApiParameter("threshold", float, description="Also what this threshold would give."),
            OpenApiParameter("prevalence", float, description="Also precision where this share of texts is positive."),
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request) -> Response:
        """{release, models: {name: measures}, names, crossed, operating_points} as the command `report` writes it."""
        release = find_release(request, request.query_params.get("release", ""))
        models = request.query_params.getlist("model")
        among = EvaluationRun.objects.visible_to(request.user)
        runs = newest_runs(release, models or None, among=among)
        return Response(results_of(release, runs, read_scope(request.query_params.dict(), with_examples=False)))


class LeaderboardView(APIView):
    """Models whose results are public, from best to worst, with ties."""

    @extend_schema(parameters=[OpenApiParameter("release", str, required=True)], responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        """{release, ranking: [{rank, model, is_verified, accuracy, ci95, n, templates, ..., tied_with}], baselines}."""
        return Response(leaderboard_of(find_release(request, request.query_params.get("release", ""))).as_json())
