"""Results that were measured elsewhere, over the API: what `touchstone push` calls."""

from typing import Any, cast

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.parsers import JSONParser
from accounts.api.permissions import SignedIn
from accounts.links import public_url
from accounts.models import User
from core.text import shown
from evaluation.results.pushed import accept_result


class SubmissionSerializer(serializers.Serializer[Any]):
    """A sealed result, as `touchstone push` makes it from the JSON file of an evaluation."""

    format = serializers.CharField(help_text="touchstone-submission/1")
    release = serializers.CharField(help_text="suite@version")
    release_sha256 = serializers.CharField(help_text="Only a result on exactly this release is taken.")
    model = serializers.CharField()
    fingerprint = serializers.CharField(help_text="Of the model.")
    labels = serializers.ListField(child=serializers.CharField())
    figures = serializers.JSONField(help_text="{overall: {n, accuracy, macro_f1, ci95, templates}, by_functionality}")
    environment = serializers.JSONField()
    finished_at = serializers.CharField(allow_blank=True)
    predictions = serializers.JSONField(
        allow_null=True, help_text="{case: [], label: [], score: []}, or null: then the figures are self-reported."
    )
    seal = serializers.CharField(help_text="SHA-256 of everything else in canonical JSON.")


class PushedResultSerializer(serializers.Serializer[Any]):
    release = serializers.CharField()
    model = serializers.CharField()
    source = serializers.ChoiceField(choices=["recomputed", "self-reported"])  # type: ignore[assignment]
    key = serializers.CharField(help_text="Of the run, or of the self-reported result.")
    is_public = serializers.BooleanField(help_text="Whether the leaderboard shows it to everyone.")
    differences = serializers.ListField(child=serializers.CharField())
    leaderboard = serializers.CharField()


class PushView(APIView):
    """Hand in a result that was measured elsewhere."""

    permission_classes = [SignedIn]
    parser_classes = (JSONParser,)

    @extend_schema(request=SubmissionSerializer, responses={200: PushedResultSerializer, 201: PushedResultSerializer})
    def post(self, request: Request) -> Response:
        """With predictions the instance measures them itself; handing in the same again answers 200."""
        pushed = accept_result(cast(Any, request.data), by=cast(User, request.user))
        release, row = pushed.release, pushed.run or pushed.reported
        assert row is not None
        leaderboard = reverse("evaluation:leaderboard", args=[release.suite.key, release.version])
        values = {
            "release": release.key,
            "model": pushed.version.model.name,
            "source": "recomputed" if pushed.run else "self-reported",
            "key": row.key,
            "is_public": pushed.version.model.on_leaderboard,
            "differences": [str(shown(each)) for each in pushed.differences],
            "leaderboard": public_url(request, leaderboard),
        }
        return Response(PushedResultSerializer(values).data, status=201 if pushed.is_new else 200)
