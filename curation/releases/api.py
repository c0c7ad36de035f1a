"""Releases over the API: thin callers of the same services as the pages."""

from dataclasses import asdict
from typing import Any, cast

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.api.permissions import SignedIn
from accounts.confirming import require_confirmed
from accounts.models import User
from core.options.serializers import read_options
from core.permissions import can_maintain, require_maintainer
from core.text import _, in_english, shown
from curation.models import Release, ReleaseAccessRequest, ReleaseCase, Suite
from curation.publishing.export import ALL, FORMATS
from curation.releases import downloads
from curation.releases import services as releases
from curation.releases.access import decide_access, request_access, require_reading
from curation.releases.checklist import checklist
from curation.releases.difference import KINDS, difference_between
from curation.releases.documents import card_of, datasheet_of, statement_of, write_prose
from curation.releases.importing_by_name import request_release_import
from curation.releases.lineage import lineage_of
from curation.releases.models import ReleaseQuerySet
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import freeze_settings
from curation.releases.serializers import (
    AccessDecisionSerializer,
    AccessRequestSerializer,
    AskSerializer,
    BuildSerializer,
    CaseSerializer,
    DocumentsSerializer,
    DownloadSerializer,
    ExportSerializer,
    FreezePreviewSerializer,
    FreezeSerializer,
    IdentifierSerializer,
    ImportReleaseSerializer,
    LineageSerializer,
    PreviewSerializer,
    ProseSerializer,
    PublishSerializer,
    ReleaseDocumentSerializer,
    ReleaseSerializer,
    VerificationSerializer,
    WithdrawSerializer,
)
from curation.releases.verifying import verify_release

KEY = OpenApiParameter("key", str, OpenApiParameter.PATH, description="suite@version")
NUMBER = OpenApiParameter("number", int, OpenApiParameter.PATH, description="number of the request")
CASE = OpenApiParameter("case", str, OpenApiParameter.PATH, description="case_id")


@method_decorator(conditional_page, name="dispatch")
class ReleaseViewSet(ListModelMixin, GenericViewSet[Release]):
    """Releases you may see: published ones for everyone, all for experts and maintainers.

    Answers have an ETag; a request with `If-None-Match` gets 304 where nothing changed.
    """

    serializer_class = ReleaseSerializer
    lookup_url_kwarg = "key"
    lookup_value_regex = r"[-\w]+@[^/@]+"
    queryset = Release.objects.none()  # for the schema

    @property
    def person(self) -> User:
        return cast(User, self.request.user)  # the default permission lets only signed-in people change things

    def get_queryset(self) -> ReleaseQuerySet:
        found = Release.objects.visible_to(self.request.user).select_related("suite", "withdrawal")
        suite, state = (self.request.query_params.get(name, "") for name in ("suite", "state"))
        found = found.filter(suite__key=suite) if suite else found
        found = found.filter(state=state) if state else found
        return found.prefetch_related("identifiers").order_by("suite__key", "-created_at")

    def get_object(self) -> Release:
        release = Release.objects.visible_to(self.request.user).by_key(self.kwargs["key"])
        return get_object_or_404(release.select_related("suite", "withdrawal"))

    def readable(self) -> Release:
        """Return the release, if the person may read its cases."""
        release = self.get_object()
        require_reading(self.request.user, release)
        return release

    def suite_named(self, key: str) -> Suite:
        return get_object_or_404(Suite.objects.visible_to(self.request.user), key=key)

    def shown(self) -> Response:
        return Response(ReleaseSerializer(self.get_object()).data)

    def page_of(self, rows: Any, serializer: Any) -> Response:
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(serializer(page, many=True).data)

    @extend_schema(parameters=[KEY])
    def retrieve(self, request: Request, key: str) -> Response:
        return self.shown()

    @extend_schema(request=FreezeSerializer, responses={201: ReleaseSerializer})
    def create(self, request: Request) -> Response:
        """Set down what shall be frozen and queue the building."""
        chosen = read_options(FreezeSerializer, request.data)
        suite = self.suite_named(chosen.suite)
        release = releases.request_release(
            suite, chosen.version, by=self.person, **chosen.rules(), **chosen.said()
        )  # fmt: skip
        job = releases.request_build(release, by=self.person)
        return Response({**ReleaseSerializer(release).data, "job": job.key}, status=201)

    @extend_schema(request={"multipart/form-data": ImportReleaseSerializer}, responses={202: dict})
    @action(detail=False, methods=["post"], url_path="import", permission_classes=[SignedIn])
    def bring_in(self, request: Request) -> Response:
        """Import the zip file of a release that another instance exported; the job says how far it is."""
        job = request_release_import(read_options(ImportReleaseSerializer, request.data), by=self.person)
        return Response({"job": job.key}, status=202)

    @extend_schema(parameters=[PreviewSerializer], responses=FreezePreviewSerializer)
    @action(detail=False, permission_classes=[SignedIn], pagination_class=None, filter_backends=[])
    def preview(self, request: Request) -> Response:
        """What would be in and out, and why. Writes nothing."""
        require_maintainer(self.person)
        chosen = read_options(PreviewSerializer, request.query_params)
        suite = self.suite_named(chosen.suite)
        plan = plan_freeze(suite, freeze_settings(suite, **chosen.rules()))
        return Response(FreezePreviewSerializer(preview(suite, plan)).data)

    @extend_schema(parameters=[KEY], request=None, responses={202: BuildSerializer})
    @action(detail=True, methods=["post"])
    def build(self, request: Request, key: str) -> Response:
        """Build a draft, or a candidate again; the job says how far it is."""
        release = self.get_object()
        job = releases.request_build(release, by=self.person)
        return Response({"release": release.key, "job": job.key}, status=202)

    @extend_schema(parameters=[KEY], request=None, responses={204: None})
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, key: str) -> Response:
        """Stop the build; a draft is left."""
        releases.stop_build(self.get_object(), by=self.person)
        return Response(status=204)

    @extend_schema(parameters=[KEY])
    def destroy(self, request: Request, key: str) -> Response:
        """Delete a draft or candidate."""
        releases.delete_release(self.get_object(), by=self.person)
        return Response(status=204)

    @extend_schema(parameters=[KEY], request=PublishSerializer, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def publish(self, request: Request, key: str) -> Response:
        """Make a candidate public and unchangeable. While points of the checklist are open, give a reason."""
        require_confirmed(request, by_token=True)
        chosen = read_options(PublishSerializer, request.data)
        releases.publish_release(self.get_object(), by=self.person, notes=chosen.notes, reason=chosen.reason)
        return self.shown()

    @extend_schema(parameters=[KEY], request=WithdrawSerializer, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, key: str) -> Response:
        require_confirmed(request, by_token=True)
        chosen = read_options(WithdrawSerializer, request.data)
        releases.withdraw_release(self.get_object(), reason=chosen.reason, by=self.person)
        return self.shown()

    @extend_schema(parameters=[KEY], request=IdentifierSerializer, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def doi(self, request: Request, key: str) -> Response:
        """Record the DOI of a published release, or a correction of it; the release itself does not change."""
        form = IdentifierSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        releases.record_doi(self.get_object(), form.validated_data["doi"], by=self.person)
        return self.shown()

    @extend_schema(parameters=[KEY], request=None, responses=VerificationSerializer)
    @action(detail=True, methods=["get", "post"], permission_classes=[SignedIn])
    def verify(self, request: Request, key: str) -> Response:
        """Recompute every checksum; names the first difference."""
        return Response(VerificationSerializer(verify_release(self.get_object())).data)

    @extend_schema(parameters=[KEY], responses=CaseSerializer(many=True))
    @action(detail=True)
    def cases(self, request: Request, key: str) -> Response:
        """The cases in order, page by page, with the column names of the export."""
        rows = ReleaseCase.objects.filter(release=self.readable()).order_by("position")
        for name in ("language", "functionality", "label"):
            if value := request.query_params.get(name):
                rows = rows.filter(**{name: value})
        return self.page_of(rows, CaseSerializer)

    @extend_schema(parameters=[KEY, CASE], responses=LineageSerializer)
    @action(detail=True, url_path=r"cases/(?P<case>[^/]+)")
    def lineage(self, request: Request, key: str, case: str) -> Response:
        """Template version, words, prompt and model, every vote under a pseudonym, verdicts, and how models did."""
        found = lineage_of(self.get_object(), case, viewer=request.user)
        with in_english():  # scripts read these names
            origin = {str(name): value for name, value in found.origin}
        values = {
            "case": found.case,
            "origin": origin,
            "forms": found.forms,
            "template_version": found.template_version.number if found.template_version else None,
            "varies": found.varies.key if found.varies else None,
            "varied_by": [case.key for case in found.varied_by],
            "tables": [asdict(table) for table in found.tables],
        }
        return Response(LineageSerializer(values).data)

    @extend_schema(parameters=[KEY, ReleaseDocumentSerializer], responses=DocumentsSerializer)
    @action(detail=True)
    def documents(self, request: Request, key: str) -> Response:
        """The data statement, the data sheet and the dataset card as they would be exported, and what is still open."""
        return _documents(self.get_object(), read_options(ReleaseDocumentSerializer, request.query_params).language)

    @extend_schema(parameters=[KEY], request=ProseSerializer, responses=DocumentsSerializer)
    @documents.mapping.patch
    def write(self, request: Request, key: str) -> Response:
        """Write sections; an empty text removes one."""
        form = ProseSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        return _documents(write_prose(self.get_object(), form.validated_data, by=self.person))

    @extend_schema(parameters=[KEY], request=DownloadSerializer, responses=ExportSerializer(many=True))
    @action(detail=True, methods=["get", "post"], pagination_class=None)
    def exports(self, request: Request, key: str) -> Response:
        """GET: every format, whether it is ready and where. POST {"format": ...}: let a worker write one."""
        release = self.readable()
        if request.method == "POST":
            wanted = read_options(DownloadSerializer, request.data).format
            is_ready = downloads.is_ready(release, wanted)
            job = None if is_ready else downloads.request_download(release, wanted, by=self.person)
            described = _describe(request, release, wanted) | {"job": job.key if job else None}
            return Response(described, status=202 if job else 200)
        waiting = downloads.unfinished_downloads(release)
        return Response(
            [
                _describe(request, release, name) | {"job": waiting[name].key if name in waiting else None}
                for name in (*FORMATS, ALL)
            ]
        )

    @extend_schema(parameters=[KEY], responses={200: OpenApiTypes.BINARY})
    @action(detail=True, url_path=r"exports/(?P<file_format>[a-z]+)")
    def export(self, request: Request, key: str, file_format: str) -> HttpResponseBase:
        """The archive. A large release must be written first: POST to `exports/` and wait for the job."""
        release = self.readable()
        if not downloads.is_ready(release, file_format) and not downloads.is_quick(release):
            raise NotFound(str(_("The file is not written yet. POST the format to exports/ and wait for the job.")))
        return downloads.file_answer(request, release, file_format)

    @extend_schema(
        parameters=[KEY, OpenApiParameter("since", str, required=True)], responses={200: OpenApiTypes.OBJECT}
    )
    @action(detail=True)
    def changes(self, request: Request, key: str) -> Response:
        """What changed since another version of the suite: keys by kind, with reasons."""
        release = self.readable()
        visible = Release.objects.visible_to(request.user).select_related("suite")
        old = get_object_or_404(visible, suite=release.suite, version=request.query_params.get("since", ""))
        require_reading(request.user, old)
        found = difference_between(old, release)
        keys = {kind: [one.key for one in getattr(found, kind)] for kind in KINDS}
        about = {"since": old.key, "release": release.key, "unchanged": found.unchanged}
        return Response({**about, **keys, "reasons": shown(found.reasons)})

    @extend_schema(parameters=[KEY], responses=AccessRequestSerializer(many=True))
    @action(detail=True, url_path="access-requests", permission_classes=[SignedIn])
    def access_requests(self, request: Request, key: str) -> Response:
        """Your requests; for maintainers all requests. Newest first."""
        asked = ReleaseAccessRequest.objects.filter(release=self.get_object()).select_related("user")
        if not can_maintain(request.user):
            asked = asked.filter(user=self.person)
        return self.page_of(asked.order_by("-asked_at"), AccessRequestSerializer)

    @extend_schema(parameters=[KEY], request=AskSerializer, responses={201: AccessRequestSerializer})
    @access_requests.mapping.post
    def ask(self, request: Request, key: str) -> Response:
        """Ask for the release; a maintainer answers."""
        asked = request_access(self.get_object(), read_options(AskSerializer, request.data), by=self.person)
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
        return Response(AccessRequestSerializer(decide_access(asked, by=self.person, **form.validated_data)).data)


def _documents(release: Release, language: str = "en") -> Response:
    found = {
        "data_statement": statement_of(release, language),
        "datasheet": datasheet_of(release, language),
        "dataset_card": card_of(release, language),
        "prose": release.prose,
        "checklist": checklist(release),
    }
    return Response(DocumentsSerializer(found).data)


def _describe(request: Request, release: Release, name: str) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("api-release-export", args=[release.key, name]))
    return {"format": name, "is_ready": downloads.is_ready(release, name), "url": address}
