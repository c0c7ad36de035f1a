"""Asking for a release that is given on request, and answering."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from core.permissions import can_maintain
from curation.models import ReleaseAccessRequest
from curation.releases.access import decide_access, request_access
from curation.releases.api.base import KEY, Part, person

NUMBER = OpenApiParameter("number", int, OpenApiParameter.PATH, description="number of the request")


class AccessRequestSerializer(serializers.ModelSerializer[ReleaseAccessRequest]):
    number = serializers.IntegerField(source="pk", read_only=True)
    person = serializers.CharField(source="user.name", read_only=True)

    class Meta:
        model = ReleaseAccessRequest
        fields = ("number", "person", "reason", "terms_accepted", "state", "answer", "asked_at", "decided_at")
        read_only_fields = fields


class AskSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    accepts_terms = serializers.BooleanField()


class AccessDecisionSerializer(serializers.Serializer[Any]):
    grant = serializers.BooleanField()
    answer = serializers.CharField(required=False, allow_blank=True, default="")


class ReleaseAccess(Part):
    @extend_schema(parameters=[KEY], responses=AccessRequestSerializer(many=True))
    @action(detail=True, url_path="access-requests", permission_classes=[SignedIn])
    def access_requests(self, request: Request, key: str) -> Response:
        """Your requests; for maintainers everybody's. Newest first."""
        asked = ReleaseAccessRequest.objects.filter(release=self.get_object()).select_related("user")
        if not can_maintain(request.user):
            asked = asked.filter(user=person(request))
        page: Any = self.paginate_queryset(asked.order_by("-asked_at"))  # type: ignore[arg-type]
        return self.get_paginated_response(AccessRequestSerializer(page, many=True).data)

    @extend_schema(parameters=[KEY], request=AskSerializer, responses={201: AccessRequestSerializer})
    @access_requests.mapping.post
    def ask(self, request: Request, key: str) -> Response:
        """Ask for the release; a maintainer answers."""
        form = AskSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = request_access(self.get_object(), by=person(request), **form.validated_data)
        return Response(AccessRequestSerializer(asked).data, status=201)

    @extend_schema(
        operation_id="releases_access_requests_decide",
        parameters=[KEY, NUMBER],
        request=AccessDecisionSerializer,
        responses=AccessRequestSerializer,
    )
    @action(detail=True, methods=["post"], url_path=r"access-requests/(?P<number>[0-9]+)")
    def decide(self, request: Request, key: str, number: str) -> Response:
        """Grant or refuse, or take back what was granted; a refusal needs an answer."""
        form = AccessDecisionSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = get_object_or_404(ReleaseAccessRequest, pk=number, release=self.get_object())
        return Response(AccessRequestSerializer(decide_access(asked, by=person(request), **form.validated_data)).data)
