"""Labelling by program: the same exchange the screen uses."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import ApiToken, Scope
from annotation.api.labelling_plain import read_plain
from annotation.api.labelling_types import ExchangedSerializer, ExchangeSerializer, TaskSerializer
from annotation.errors import NotTakingPart
from annotation.models import Annotator, Campaign, Participation
from annotation.services.crowd import annotator_id_in
from annotation.services.labelling import exchange_as, progress_of
from annotation.services.onboarding import next_step
from annotation.services.participation import leave_campaign, participation_of
from annotation.services.recording import Event
from curation.errors import NotAllowed


class LabellingView(APIView):
    """People with an account and people sent by a platform; who does not take part learns nothing."""

    permission_classes = [AllowAny]
    throttle_classes = []  # fast typists are welcome; an exchange costs a few milliseconds and strangers get none

    def who(self, request: Request, key: str) -> tuple[int, int]:
        """The numbers of annotator and campaign behind a request."""
        if isinstance(request.auth, ApiToken) and request.method == "POST" and request.auth.scope != Scope.WRITE:
            raise NotAllowed("Use a token with the scope 'write'.")
        campaign = Campaign.objects.filter(key=key).order_by().values_list("pk", flat=True).first()
        annotator = campaign and annotator_id_in(campaign, user=request.user, cookies=request.COOKIES)
        if not campaign or not annotator:
            raise NotTakingPart
        return annotator, campaign

    def participation(self, request: Request, key: str) -> Participation:
        annotator, campaign = self.who(request, key)
        return participation_of(Annotator(pk=annotator), Campaign(pk=campaign))


class TaskView(LabellingView):
    @extend_schema(responses=TaskSerializer, summary="What is asked, and how far you are")
    def get(self, request: Request, key: str) -> Response:
        participation = self.participation(request, key)
        campaign = participation.campaign
        return Response(
            {
                "campaign": campaign.key,
                "title": campaign.title,
                "prompt": campaign.prompt,
                "labels": campaign.labels,
                "step": next_step(participation).value,
                "progress": asdict(progress_of(participation)),
            }
        )


class ExchangeView(LabellingView):
    @extend_schema(
        request=ExchangeSerializer,
        responses=ExchangedSerializer,
        summary="Send labels, get the next texts",
        description="Repeatable: an answer with a known client_id changes nothing and gets the same receipt.",
    )
    def post(self, request: Request, key: str) -> Response:
        annotator, campaign = self.who(request, key)
        values = read_plain(request.data)
        if values is None:
            given = ExchangeSerializer(data=request.data)
            given.is_valid(raise_exception=True)
            values = given.validated_data
        events = [Event(**event) for event in values["events"]]
        return Response(asdict(exchange_as(annotator, campaign, events, have=values["have"], want=values["want"])))


class LeaveView(LabellingView):
    @extend_schema(request=None, responses={204: None}, summary="Stop for now and give back what you hold")
    def post(self, request: Request, key: str) -> Response:
        leave_campaign(self.participation(request, key))
        return Response(status=204)
