"""Labelling by program: the same exchange the screen uses."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import ApiToken, Scope
from annotation.campaigns.messages import notes_for
from annotation.errors import SignedOut
from annotation.labelling.exchange import Exchanged, ShownText, exchange_as, progress_of
from annotation.labelling.recording import Event, Receipt
from annotation.labelling.serializers import Exchange, ExchangedSerializer, TaskSerializer, read_exchange
from annotation.models import Participation
from annotation.people.crowd_binding import Requester, find_requested, requester_of
from annotation.people.onboarding import next_step, require_begun
from annotation.people.participation import leave_campaign
from core.errors import NotAllowed
from core.text import _


class LabellingView(APIView):
    """People with an account and people sent by a platform; who does not take part learns nothing."""

    permission_classes = [AllowAny]
    throttle_classes = []  # fast typists are welcome; an exchange costs a few milliseconds and strangers get none

    def requester(self, request: Request, key: str) -> Requester:
        """Who stands behind the request."""
        if isinstance(request.auth, ApiToken) and request.method == "POST" and request.auth.scope != Scope.WRITE:
            raise NotAllowed(_("Use a token with the scope 'write'."))
        found = requester_of(key, user=request.user, cookies=request.COOKIES)
        if found is None:
            raise SignedOut
        return found

    def participation(self, request: Request, key: str) -> Participation:
        """The participation behind the request. Refuses strangers, and every request before the campaign is open."""
        found = find_requested(self.requester(request, key))
        require_begun(found.campaign)
        return found


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
                "notes": notes_for(participation),
            }
        )


class ExchangeView(LabellingView):
    @extend_schema(
        request=Exchange,
        responses=ExchangedSerializer,
        summary="Send labels, get the next texts",
        description="Repeatable: an answer with a known client_id changes nothing and gets the same receipt.",
    )
    def post(self, request: Request, key: str) -> Response:
        requester = self.requester(request, key)
        given = read_exchange(request.data)
        events = [Event(**vars(answer)) for answer in given.events]
        return Response(_as_json(exchange_as(requester, events, have=given.have, want=given.want, who=given.who)))


def _as_json(done: Exchanged) -> dict[str, Any]:
    """Like `asdict`, without its deep copies; sentences are in the language of the annotator."""
    return {
        **{name: getattr(done, name) for name in Exchanged.__slots__},
        "message": str(done.message),
        "receipts": [
            {name: getattr(receipt, name) for name in Receipt.__slots__} | {"reason": str(receipt.reason)}
            for receipt in done.receipts
        ],
        "texts": [{name: getattr(text, name) for name in ShownText.__slots__} for text in done.texts],
    }


class LeaveView(LabellingView):
    @extend_schema(request=None, responses={204: None}, summary="Stop for now and give back what you hold")
    def post(self, request: Request, key: str) -> Response:
        leave_campaign(self.participation(request, key))
        return Response(status=204)
