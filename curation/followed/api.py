"""Followed indexes over the API: the same services as the page."""

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import ScopedReadOnlyOrAuthenticated, SignedIn
from accounts.models import User
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_maintainer
from core.text import shown
from curation.followed import services
from curation.followed.options import FollowOptions
from curation.models import FollowedIndex


class FollowSerializer(OptionsSerializer[FollowOptions]):
    options = FollowOptions


class FollowedIndexSerializer(serializers.ModelSerializer[FollowedIndex]):
    error = serializers.SerializerMethodField()

    class Meta:
        model = FollowedIndex
        fields = ["id", "address", "name", "public_key", "fetched_at", "tried_at", "error", "added_at"]
        read_only_fields = fields

    def get_error(self, followed: FollowedIndex) -> str:
        return str(shown(followed.error))


class FollowingSerializer(FollowedIndexSerializer):
    job = serializers.CharField(help_text="Reads the index.")

    class Meta(FollowedIndexSerializer.Meta):
        fields = [*FollowedIndexSerializer.Meta.fields, "job"]
        read_only_fields = fields


class OfferedReleaseSerializer(serializers.Serializer[Any]):
    """A release of a followed index. `here` names the same release in this instance."""

    release = serializers.CharField(source="entry.reference")
    title = serializers.CharField(source="entry.title")
    languages = serializers.ListField(child=serializers.CharField(), source="entry.languages")
    licence = serializers.CharField(source="entry.licence")
    cases = serializers.IntegerField(source="entry.cases")
    published = serializers.CharField(source="entry.published")
    sha256 = serializers.CharField(source="entry.sha256")
    withdrawn = serializers.CharField(source="entry.withdrawn", allow_blank=True)
    address = serializers.CharField(source="source.address")
    here = serializers.CharField(source="here.key", allow_null=True, default=None)


class FollowedIndexViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[FollowedIndex]):
    """Indexes of other instances and folders that are followed here, for maintainers."""

    queryset = FollowedIndex.objects.none()
    serializer_class = FollowedIndexSerializer
    permission_classes = [SignedIn]

    def get_queryset(self) -> QuerySet[FollowedIndex]:
        require_maintainer(self.request.user)
        return FollowedIndex.objects.all()

    @extend_schema(request=FollowSerializer, responses={201: FollowingSerializer})
    def create(self, request: Request) -> Response:
        """Follow an index; the job reads it."""
        by = cast(User, request.user)
        followed = services.follow(read_options(FollowSerializer, request.data), by=by)
        return self._with_job(followed, by, status=201)

    @extend_schema(request=None, responses={202: FollowingSerializer})
    @action(detail=True, methods=["post"])
    def refresh(self, request: Request, pk: str) -> Response:
        """Read the index now; the job says when it is done."""
        return self._with_job(self.get_object(), cast(User, request.user), status=202)

    def destroy(self, request: Request, pk: str) -> Response:
        """Follow an index no longer. Releases that were imported stay."""
        services.drop(self.get_object(), by=cast(User, request.user))
        return Response(status=204)

    @extend_schema(responses=OfferedReleaseSerializer(many=True))
    @action(detail=False, pagination_class=None, filter_backends=[], permission_classes=[ScopedReadOnlyOrAuthenticated])
    def releases(self, request: Request) -> Response:
        """What followed indexes name, for everyone."""
        return Response(OfferedReleaseSerializer(services.offered_releases(request.user), many=True).data)

    def _with_job(self, followed: FollowedIndex, by: User, *, status: int) -> Response:
        job = services.request_refresh(followed, by=by)
        return Response({**FollowedIndexSerializer(followed).data, "job": job.key}, status=status)
