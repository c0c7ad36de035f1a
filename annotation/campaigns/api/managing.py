"""Campaigns for programs: progress, agreement, disagreements and decisions, labels. For experts and maintainers."""

from typing import Any, cast

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.models import User
from annotation.agreement.adjudicating import adjudicate
from annotation.agreement.campaign_report import agreement_now, current_report
from annotation.agreement.disputes import Status, disputed_items, read_disputed
from annotation.campaigns.api.making import MakingCampaigns
from annotation.campaigns.guidelines import load_guidelines, write_guideline
from annotation.campaigns.messages import send_message
from annotation.campaigns.models import CampaignQuerySet, CampaignState
from annotation.campaigns.progress import progress_of_campaign
from annotation.campaigns.rounds import start_round
from annotation.campaigns.serializers import (
    AdjudicationSerializer,
    CampaignProgressSerializer,
    CampaignSerializer,
    DecideSerializer,
    DisputedSerializer,
    GuidelineSerializer,
    MessageSerializer,
    NewGuidelineSerializer,
    PaymentSerializer,
)
from annotation.labels.exporting import label_download
from annotation.labels.serializers import LabelExportSerializer
from annotation.models import Annotator, Campaign, Guideline
from annotation.people.crowd import payments
from annotation.people.serializers import PaymentOptionsSerializer
from core.options.serializers import read_options
from core.permissions import require_workshop
from core.text import _, recall, shown
from curation.models import Language, TestCase

NOT_MEASURED = _("There are no labels yet, or they are still being measured. Ask again in a minute.")


class CampaignFilter(filters.FilterSet):
    suite = filters.CharFilter(field_name="suite__key")
    state = filters.ChoiceFilter(choices=CampaignState.choices)

    class Meta:
        model = Campaign
        fields = ["suite", "state"]


class CampaignViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, MakingCampaigns):
    """Campaigns, for experts and maintainers."""

    queryset = Campaign.objects.none()
    serializer_class = CampaignSerializer
    permission_classes = [SignedIn]
    filterset_class = CampaignFilter
    lookup_field = "key"

    def get_queryset(self) -> CampaignQuerySet:
        rows = Campaign.objects.visible_to(self.request.user)
        return rows.select_related("suite", "language", "previous_round").order_by("-created_at", "-id")

    @extend_schema(responses=CampaignProgressSerializer, filters=False)
    @action(detail=True)
    def progress(self, request: Request, key: str) -> Response:
        """Progress by annotator and by functionality, and when the campaign will be done."""
        return Response(CampaignProgressSerializer(progress_of_campaign(self.get_object())).data)

    @extend_schema(responses=OpenApiTypes.OBJECT, filters=False)
    @action(detail=True)
    def agreement(self, request: Request, key: str) -> Response:
        """Agreement as last measured, and kappa of all labels `now`. What is undefined is null, with its reason."""
        campaign = self.get_object()
        report = current_report(campaign)
        values: dict[str, Any] = recall(report.values) if report else {"overall": None, "reason": NOT_MEASURED}
        measured_at = report.measured_at if report else None
        now = agreement_now(campaign)
        return Response(shown({"campaign": campaign.key, "measured_at": measured_at, "now": now, **values}))

    @extend_schema(
        responses=DisputedSerializer(many=True),
        filters=False,
        parameters=[
            OpenApiParameter("status", enum=["open", "decided"]),
            OpenApiParameter("functionality"),
        ],
    )
    @action(detail=True)
    def disagreements(self, request: Request, key: str) -> Response:
        """Cases with a disagreement, with votes, comments and decisions."""
        campaign = self.get_object()
        asked = request.query_params.get("status", "")
        status: Status = "open" if asked == "open" else "decided" if asked == "decided" else ""
        functionality = request.query_params.get("functionality", "")
        items = disputed_items(campaign, functionality=functionality, status=status)
        page: Any = self.paginate_queryset(cast(Any, items))
        rows: Any = read_disputed(campaign, page or [])
        return self.get_paginated_response(DisputedSerializer(rows, many=True).data)

    @extend_schema(request=DecideSerializer, responses={201: AdjudicationSerializer}, filters=False)
    @action(detail=True, methods=["post"], url_path="disagreements/(?P<case>.+)")
    def decide(self, request: Request, key: str, case: str) -> Response:
        """Decide about a case of a closed campaign: keep, exclude or reword, with a reason."""
        campaign = self.get_object()
        given = self._given(DecideSerializer)
        cases = TestCase.objects.of(campaign.suite).select_related("language", "functionality", "suite", "target")
        made = adjudicate(campaign, get_object_or_404(cases, key=case), by=self._user(), **given.validated_data)
        return Response(AdjudicationSerializer(made).data, status=201)

    @extend_schema(request=MessageSerializer, responses={204: None}, filters=False)
    @action(detail=True, methods=["post"])
    def messages(self, request: Request, key: str) -> Response:
        """Send a message to one annotator, or to all."""
        campaign = self.get_object()
        given = self._given(MessageSerializer).validated_data
        annotator = get_object_or_404(Annotator, pseudonym=given["annotator"]) if given["annotator"] else None
        send_message(campaign, text=given["text"], annotator=annotator, by=self._user())
        return Response(status=204)

    @extend_schema(request=None, responses={201: CampaignSerializer}, filters=False)
    @action(detail=True, methods=["post"])
    def round(self, request: Request, key: str) -> Response:
        """Make a draft of a follow-up campaign over the disagreements without a decision."""
        return Response(CampaignSerializer(start_round(self.get_object(), by=self._user())).data, status=201)

    @extend_schema(responses=PaymentSerializer(many=True), parameters=[PaymentOptionsSerializer], filters=False)
    @action(detail=True, pagination_class=None)
    def payments(self, request: Request, key: str) -> Response:
        """What each annotator did and is owed, with the platform's ids. For maintainers."""
        chosen = read_options(PaymentOptionsSerializer, request.query_params)
        rows = payments(self.get_object(), by=self._user(), with_names=chosen.with_names)
        return Response(PaymentSerializer(list(rows), many=True).data)

    @extend_schema(
        responses={(200, "text/csv"): OpenApiTypes.STR, (200, "application/jsonl"): OpenApiTypes.STR},
        parameters=[LabelExportSerializer],
        filters=False,
    )
    @action(detail=True)
    def labels(self, request: Request, key: str) -> StreamingHttpResponse:
        """Every label with revisions, comments and times; people by pseudonym."""
        campaign = self.get_object()
        chosen = read_options(LabelExportSerializer, request.query_params)
        download = label_download(campaign.suite, chosen.model_copy(update={"campaign": campaign.key}))
        return StreamingHttpResponse(download.content, content_type=download.content_type)


class GuidelinesView(APIView):
    permission_classes = [SignedIn]

    @extend_schema(responses=GuidelineSerializer(many=True), summary="Every version of every guideline")
    def get(self, request: Request) -> Response:
        require_workshop(cast(User, request.user))
        load_guidelines()
        rows = Guideline.objects.select_related("language").order_by("language__code", "-version")
        return Response(GuidelineSerializer(rows, many=True).data)

    @extend_schema(
        request=NewGuidelineSerializer, responses={201: GuidelineSerializer}, summary="Write the next version"
    )
    def post(self, request: Request) -> Response:
        chosen = read_options(NewGuidelineSerializer, request.data)
        require_workshop(cast(User, request.user))
        load_guidelines()
        language = get_object_or_404(Language, code=chosen.language)
        made = write_guideline(language, title=chosen.title, text=chosen.text, by=cast(User, request.user))
        return Response(GuidelineSerializer(made).data, status=201)
