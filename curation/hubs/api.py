"""Publishing at hubs over the API: thin callers of the same services as the pages."""

from typing import cast

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.confirming import require_confirmed
from accounts.models import User
from core.options.serializers import read_options
from core.permissions import require_maintainer
from curation.hubs.serializers import HubEntrySerializer, HubJobSerializer, PublishToHubSerializer
from curation.hubs.services import request_publication, request_reservation
from curation.models import HubEntry, Release

KEY = OpenApiParameter("key", str, OpenApiParameter.PATH, description="suite@version")


def _release(request: Request, key: str) -> Release:
    """Return a release for a maintainer; others may not see what is at hubs before it is public there."""
    require_maintainer(request.user)
    return get_object_or_404(Release.objects.visible_to(request.user).by_key(key).select_related("suite"))


class ReleaseHubs(GenericAPIView[HubEntry]):
    """What hubs hold of a release."""

    permission_classes = [SignedIn]
    serializer_class = HubEntrySerializer
    queryset = HubEntry.objects.none()  # for the schema
    pagination_class = None
    filter_backends = []

    @extend_schema(parameters=[KEY], responses=HubEntrySerializer(many=True))
    def get(self, request: Request, key: str) -> Response:
        """Return one entry per hub where the release is, or is going to be."""
        entries = HubEntry.objects.filter(release=_release(request, key))
        return Response(HubEntrySerializer(entries, many=True).data)

    @extend_schema(parameters=[KEY], request=PublishToHubSerializer, responses={202: HubJobSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Publish the release at a hub; the job says how far it is. Doing it again changes nothing."""
        require_confirmed(request, by_token=True)
        release, chosen = _release(request, key), read_options(PublishToHubSerializer, request.data)
        job = request_publication(release, chosen, by=cast(User, request.user))
        return Response({"release": release.key, "job": job.key}, status=202)


class ReserveDoi(GenericAPIView[HubEntry]):
    """The DOI that the files of a release will name."""

    permission_classes = [SignedIn]
    serializer_class = HubJobSerializer
    queryset = HubEntry.objects.none()  # for the schema

    @extend_schema(parameters=[KEY], request=None, responses={202: HubJobSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Reserve a DOI for a draft or candidate; the job says how far it is."""
        release = _release(request, key)
        job = request_reservation(release, by=cast(User, request.user))
        return Response({"release": release.key, "job": job.key}, status=202)
