"""Releases over the API: thin callers of the same services as the pages."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.api.permissions import SignedIn
from curation.models import Release, ReleaseCase, Suite
from curation.publishing.export import FORMATS
from curation.releases import downloads
from curation.releases import services as releases
from curation.releases.access import record_download, require_reading
from curation.releases.api.access import ReleaseAccess
from curation.releases.api.base import KEY, person
from curation.releases.api.documents import ReleaseDocuments
from curation.releases.api.lineage import ReleaseLineage
from curation.releases.api.making import ReleaseMaking
from curation.releases.difference import difference_between
from curation.releases.models import ReleaseQuerySet
from curation.releases.serializers import (
    CaseSerializer,
    ExportSerializer,
    FreezeSerializer,
    IdentifierSerializer,
    PublishSerializer,
    ReleaseSerializer,
    VerificationSerializer,
    WithdrawSerializer,
    WriteExportSerializer,
)
from curation.releases.services import record_doi
from curation.releases.verifying import verify_release


class ReleaseViewSet(
    ReleaseMaking, ReleaseDocuments, ReleaseLineage, ReleaseAccess, ListModelMixin, GenericViewSet[Release]
):
    """Releases you may see: published ones for everybody, all for experts and maintainers."""

    serializer_class = ReleaseSerializer
    lookup_url_kwarg = "key"
    lookup_value_regex = r"[-\w]+@[^/@]+"
    queryset = Release.objects.none()  # for the schema

    def get_queryset(self) -> ReleaseQuerySet:
        found = Release.objects.visible_to(self.request.user).select_related("suite", "withdrawal")
        suite, state = (self.request.query_params.get(name, "") for name in ("suite", "state"))
        found = found.filter(suite__key=suite) if suite else found
        found = found.filter(state=state) if state else found
        return found.prefetch_related("identifiers").order_by("suite__key", "-created_at")

    def get_object(self) -> Release:
        release = Release.objects.visible_to(self.request.user).by_key(self.kwargs["key"])
        return get_object_or_404(release.select_related("suite", "withdrawal"))

    @extend_schema(parameters=[KEY])
    def retrieve(self, request: Request, key: str) -> Response:
        return Response(ReleaseSerializer(self.get_object()).data)

    @extend_schema(request=FreezeSerializer, responses={201: ReleaseSerializer})
    def create(self, request: Request) -> Response:
        """Set down what shall be frozen and queue the building."""
        form = FreezeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(form.validated_data)
        suite = get_object_or_404(Suite.objects.visible_to(request.user), key=values.pop("suite"))
        release = releases.request_release(suite, values.pop("version"), by=person(request), **values)
        job = releases.request_build(release, by=person(request))
        return Response({**ReleaseSerializer(release).data, "job": job.key}, status=201)

    @extend_schema(parameters=[KEY])
    def destroy(self, request: Request, key: str) -> Response:
        """Delete a draft or candidate."""
        releases.delete_release(self.get_object(), by=person(request))
        return Response(status=204)

    @extend_schema(parameters=[KEY], responses=CaseSerializer(many=True))
    @action(detail=True)
    def cases(self, request: Request, key: str) -> Response:
        """The cases in order, page by page, with the column names of the export."""
        release = self.get_object()
        require_reading(request.user, release)
        rows = ReleaseCase.objects.filter(release=release).order_by("position")
        for name in ("language", "functionality", "label"):
            if value := request.query_params.get(name):
                rows = rows.filter(**{name: value})
        page: Any = self.paginate_queryset(rows)  # type: ignore[arg-type]
        return self.get_paginated_response(CaseSerializer(page, many=True).data)

    @extend_schema(parameters=[KEY], request=None, responses=VerificationSerializer)
    @action(detail=True, methods=["get", "post"], permission_classes=[SignedIn])
    def verify(self, request: Request, key: str) -> Response:
        """Recompute every checksum; names the first difference."""
        found = verify_release(self.get_object())
        return Response(VerificationSerializer(found).data)

    @extend_schema(parameters=[KEY], request=PublishSerializer, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def publish(self, request: Request, key: str) -> Response:
        form = PublishSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        release = releases.publish_release(
            self.get_object(), by=person(request), notes=form.validated_data.get("notes")
        )
        return Response(ReleaseSerializer(release).data)

    @extend_schema(parameters=[KEY], request=WithdrawSerializer, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, key: str) -> Response:
        form = WithdrawSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        release = self.get_object()
        releases.withdraw_release(release, reason=form.validated_data["reason"], by=person(request))
        return Response(ReleaseSerializer(self.get_object()).data)

    @extend_schema(parameters=[KEY], request=IdentifierSerializer, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def doi(self, request: Request, key: str) -> Response:
        """Record the DOI of a published release, or a correction of it; the release itself does not change."""
        form = IdentifierSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        record_doi(self.get_object(), form.validated_data["doi"], by=person(request))
        return Response(ReleaseSerializer(self.get_object()).data)

    @extend_schema(parameters=[KEY], request=WriteExportSerializer, responses=ExportSerializer(many=True))
    @action(detail=True, methods=["get", "post"], pagination_class=None)
    def exports(self, request: Request, key: str) -> Response:
        """GET: every format, whether it is ready and where. POST {"format": ...}: let a worker write one."""
        release = self.get_object()
        require_reading(request.user, release)
        if request.method == "POST":
            form = WriteExportSerializer(data=request.data)
            form.is_valid(raise_exception=True)
            wanted = form.validated_data["format"]
            job = None if downloads.is_ready(release, wanted) else downloads.request_download(
                release, wanted, by=person(request)
            )  # fmt: skip
            described = _describe(request, release, wanted) | {"job": job.key if job else None}
            return Response(described, status=202 if job else 200)
        waiting = downloads.unfinished_downloads(release)
        return Response(
            [
                _describe(request, release, name) | {"job": waiting[name].key if name in waiting else None}
                for name in (*FORMATS, downloads.ALL)
            ]
        )

    @extend_schema(parameters=[KEY], responses={200: OpenApiTypes.BINARY})
    @action(detail=True, url_path=r"exports/(?P<file_format>[a-z]+)")
    def export(self, request: Request, key: str, file_format: str) -> HttpResponseBase:
        """The archive. A large release must be written first: POST to `exports/` and wait for the job."""
        release = self.get_object()
        require_reading(request.user, release)
        if not downloads.is_ready(release, file_format) and not downloads.is_quick(release):
            raise NotFound("The file is not written yet. POST the format to exports/ and wait for the job.")
        path = downloads.make_download(release, file_format)
        name = downloads.download_name(release, file_format)
        record_download(release, file=name, by=request.user)
        return FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type="application/zip")

    @extend_schema(
        parameters=[KEY, OpenApiParameter("since", str, required=True)], responses={200: OpenApiTypes.OBJECT}
    )
    @action(detail=True)
    def changes(self, request: Request, key: str) -> Response:
        """What changed since another version of the suite: keys by kind, with reasons."""
        release = self.get_object()
        visible = Release.objects.visible_to(request.user).select_related("suite")
        old = get_object_or_404(visible, suite=release.suite, version=request.query_params.get("since", ""))
        for one in (release, old):
            require_reading(request.user, one)
        found = difference_between(old, release)
        return Response(
            {
                "since": old.key,
                "release": release.key,
                "unchanged": found.unchanged,
                "added": [case.key for case in found.added],
                "removed": [case.key for case in found.removed],
                "changed_text": [change.key for change in found.changed_text],
                "changed_verdict": [change.key for change in found.changed_verdict],
                "changed_otherwise": [change.key for change in found.changed_otherwise],
                "reasons": dict(found.reasons),
            }
        )


def _describe(request: Request, release: Release, name: str) -> dict[str, Any]:
    address = reverse("api-release-export", args=[release.key, name])
    return {
        "format": name,
        "is_ready": downloads.is_ready(release, name),
        "url": request.build_absolute_uri(address),
    }
