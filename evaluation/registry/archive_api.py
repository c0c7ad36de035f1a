"""Archiving, restoring and deleting models and runs, over the API."""

from typing import Any, TypeVar, cast

from django.db import models
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.models import User
from core.permissions import require_maintainer
from evaluation.registry.archiving import archive, delete_subject, restore

Found = TypeVar("Found", bound="models.QuerySet[Any]")
ARCHIVED = OpenApiParameter("archived", bool, description="Those that are archived, instead of the others.")


def of_list(found: Found, request: Request) -> Found:
    """Return what a list shows: what is archived only on request."""
    wanted = request.query_params.get("archived", "").lower() in ("true", "1", "yes")
    return found.filter(archived_at__isnull=not wanted)


class Archivable(ListModelMixin, GenericViewSet[Any]):
    """A list without what is archived, and the steps that put away and delete."""

    @extend_schema(parameters=[ARCHIVED])
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"], url_path="archive")
    def put_away(self, request: Request, key: str) -> Response:
        """Archive it: lists hide it, shared reports still show it."""
        require_maintainer(request.user)
        subject = self.get_object()
        archive(subject, by=cast(User, request.user))
        return Response(self.get_serializer(subject).data)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, key: str) -> Response:
        """Take it out of the archive."""
        require_maintainer(request.user)
        subject = self.get_object()
        restore(subject, by=cast(User, request.user))
        return Response(self.get_serializer(subject).data)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, key: str) -> Response:
        """Delete it with its answers. Refused for what a shared report shows."""
        require_maintainer(request.user)
        delete_subject(self.get_object(), by=cast(User, request.user))
        return Response(status=204)
