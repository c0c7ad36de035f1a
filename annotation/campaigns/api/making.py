"""Campaigns made and steered by programs: the same steps as on the pages. For maintainers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from accounts.models import User
from annotation.campaigns import known_answers
from annotation.campaigns.closing import cancel_campaign, close_now_or_soon, pause_campaign, resume_campaign
from annotation.campaigns.guidelines import load_guidelines
from annotation.campaigns.opening import open_now_or_soon, return_to_draft
from annotation.campaigns.serializers import (
    AddedSerializer,
    CampaignSettingsSerializer,
    CancelSerializer,
    ChangeCampaignSerializer,
    CloseSerializer,
    EndSerializer,
    EstimateSerializer,
    ItemSerializer,
    ItemsSerializer,
    KnownItemSerializer,
    NewCampaignSerializer,
    PausePersonSerializer,
    PeopleSerializer,
    PlatformSerializer,
)
from annotation.campaigns.services import change_campaign, create_campaign, estimate
from annotation.models import Campaign, Participation
from annotation.people.crowd import choose_platform
from annotation.people.crowd_binding import release_browser
from annotation.people.onboarding import grant_try
from annotation.people.participation import (
    add_people,
    end_participation,
    find_annotator,
    pause_participation,
    resume_participation,
)
from annotation.permissions import find_campaign, find_participation_of, find_suite, require_manager
from core.jobs.api import JobSerializer
from core.models import Job
from core.options.serializers import read_options


def campaign_step(
    name: str,
    verb: Callable[..., Job | None],
    says: str,
    *,
    takes: type[Serializer[Any]] | None = None,
    may_be_job: bool = False,
) -> Any:
    """Make the action of a step of a campaign; it answers with the campaign, or with the job."""

    def view(self: MakingCampaigns, request: Request, key: str) -> Response:
        campaign = self.get_object()
        given = self._given(takes).validated_data if takes else {}
        return self._answer(campaign, verb(campaign, by=self._user(), **given))

    view.__name__, view.__doc__ = name, says
    responses = {200: CampaignSettingsSerializer, 202: JobSerializer} if may_be_job else CampaignSettingsSerializer
    return extend_schema(request=takes, responses=responses, filters=False)(action(detail=True, methods=["post"])(view))


class MakingCampaigns(viewsets.GenericViewSet[Campaign]):
    """The part of the campaigns' API that changes them."""

    def get_object(self) -> Campaign:
        return find_campaign(self._user(), self.kwargs["key"])

    def _user(self) -> User:
        return cast(User, self.request.user)

    def _given(self, kind: type[Serializer[Any]], *, partial: bool = False) -> Serializer[Any]:
        given = kind(data=self.request.data, partial=partial)
        given.is_valid(raise_exception=True)
        return given

    def _answer(self, campaign: Campaign, job: Job | None = None, *, status: int = 200) -> Response:
        """The campaign as it is now; 202 and the job where that takes a while."""
        if job is not None:
            return Response(JobSerializer(job).data, status=202)
        return Response(CampaignSettingsSerializer(campaign).data, status=status)

    @extend_schema(request=NewCampaignSerializer, responses={201: CampaignSettingsSerializer})
    def create(self, request: Request) -> Response:
        """Make a draft."""
        require_manager(self._user())
        load_guidelines()
        settings = read_options(NewCampaignSerializer, request.data).model_dump()
        suite = find_suite(self._user(), settings.pop("suite"))
        return self._answer(create_campaign(suite, by=self._user(), **settings), status=201)

    @extend_schema(request=ChangeCampaignSerializer, responses=CampaignSettingsSerializer)
    def partial_update(self, request: Request, key: str) -> Response:
        """Change a draft; settings that are left out stay. An open campaign cannot be changed."""
        campaign = self.get_object()
        require_manager(self._user())
        settings = self._given(ChangeCampaignSerializer, partial=True).validated_data
        return self._answer(change_campaign(campaign, by=self._user(), **settings))

    @extend_schema(responses=EstimateSerializer, filters=False)
    @action(detail=True)
    def estimate(self, request: Request, key: str) -> Response:
        """Estimate labels, working time and cost."""
        campaign = self.get_object()
        require_manager(self._user())
        return Response(EstimateSerializer(estimate(campaign)).data)

    open = campaign_step(
        "open",
        open_now_or_soon,
        "Deal the cases and open the campaign; a job where there are many. Continues an opening that was interrupted.",
        may_be_job=True,
    )
    draft = campaign_step("draft", return_to_draft, "Make a draft of a campaign whose opening was interrupted.")
    pause = campaign_step("pause", pause_campaign, "Give annotators no new texts until the campaign is resumed.")
    resume = campaign_step("resume", resume_campaign, "Resume a paused campaign.")
    close = campaign_step(
        "close",
        lambda campaign, **given: close_now_or_soon(campaign, **given)[1],
        "Turn the labels into verdicts; a job where there are many.",
        takes=CloseSerializer,
        may_be_job=True,
    )
    cancel = campaign_step(
        "cancel", cancel_campaign, "Cancel it; labels are kept and never become verdicts.", takes=CancelSerializer
    )
    platform = campaign_step(
        "platform",
        choose_platform,
        "Choose the crowd platform of a draft or running campaign, while no participant has come from another one.",
        takes=PlatformSerializer,
    )

    @extend_schema(request=PeopleSerializer, responses=AddedSerializer, filters=False)
    @action(detail=True, methods=["post"])
    def people(self, request: Request, key: str) -> Response:
        """Add annotators by the e-mail addresses of their accounts. Idempotent."""
        campaign = self.get_object()
        emails = self._given(PeopleSerializer).validated_data["emails"]
        return Response({"added": add_people(campaign, emails, by=self._user())})

    @extend_schema(request=EndSerializer, responses={204: None}, filters=False)
    @action(detail=True, methods=["post"], url_path="people/(?P<annotator>[^/]+)/end")
    def end(self, request: Request, key: str, annotator: str) -> Response:
        """End the work of an annotator; the open cases go to the others, or to a replacement."""
        person = self._person(annotator)
        given = self._given(EndSerializer).validated_data
        instead = find_annotator(person.campaign, given["replaced_by"]) if given["replaced_by"] else None
        end_participation(person, reason=given["reason"], by=self._user(), replaced_by=instead)
        return Response(status=204)

    @extend_schema(request=PausePersonSerializer, responses={204: None}, filters=False)
    @action(detail=True, methods=["post"], url_path="people/(?P<annotator>[^/]+)/pause")
    def pause_person(self, request: Request, key: str, annotator: str) -> Response:
        """Pause an annotator, who gets no texts until resumed."""
        person = self._person(annotator)
        pause_participation(person, by=self._user(), **self._given(PausePersonSerializer).validated_data)
        return Response(status=204)

    @extend_schema(request=None, responses={204: None}, filters=False)
    @action(detail=True, methods=["post"], url_path="people/(?P<annotator>[^/]+)/resume")
    def resume_person(self, request: Request, key: str, annotator: str) -> Response:
        """Resume an annotator who was paused by a manager or by a quality rule."""
        resume_participation(self._person(annotator), by=self._user())
        return Response(status=204)

    @extend_schema(request=None, responses={204: None}, filters=False)
    @action(detail=True, methods=["post"], url_path="people/(?P<annotator>[^/]+)/retry")
    def grant_try(self, request: Request, key: str, annotator: str) -> Response:
        """Let an annotator who has failed the test take it once more."""
        grant_try(self._person(annotator), by=self._user())
        return Response(status=204)

    @extend_schema(request=None, responses={204: None}, filters=False)
    @action(detail=True, methods=["post"], url_path="people/(?P<annotator>[^/]+)/release")
    def release_person(self, request: Request, key: str, annotator: str) -> Response:
        """Release a platform's participant from their browser: the next one that comes with their id continues."""
        release_browser(self._person(annotator), by=self._user())
        return Response(status=204)

    def _person(self, pseudonym: str) -> Participation:
        campaign = self.get_object()
        require_manager(self._user())
        return find_participation_of(campaign, pseudonym)

    @extend_schema(methods=["GET"], responses=KnownItemSerializer(many=True), filters=False)
    @extend_schema(methods=["POST"], request=ItemsSerializer, responses={201: AddedSerializer}, filters=False)
    @action(detail=True, methods=["get", "post"], pagination_class=None)
    def items(self, request: Request, key: str) -> Response:
        """The texts with a known answer: for training, for the test, and as checks. Posting adds some to a draft."""
        campaign = self.get_object()
        if request.method == "GET":
            require_manager(self._user())
            return Response(KnownItemSerializer(known_answers.known_items(campaign), many=True).data)
        chosen = read_options(ItemsSerializer, request.data)
        added = known_answers.add_items(campaign, chosen, by=self._user())
        return Response({"added": added}, status=201)

    @extend_schema(methods=["PUT"], request=ItemSerializer, responses=KnownItemSerializer, filters=False)
    @extend_schema(methods=["DELETE"], request=None, responses={204: None}, filters=False)
    @action(detail=True, methods=["put", "delete"], url_path=r"items/(?P<number>\d+)")
    def item(self, request: Request, key: str, number: str) -> Response:
        """Change one text with a known answer in a draft, or remove it."""
        campaign = self.get_object()
        if request.method == "PUT":
            options = read_options(ItemSerializer, request.data)
            changed = known_answers.change_item(campaign, int(number), options, by=self._user())
            return Response(KnownItemSerializer(changed).data)
        known_answers.remove_item(campaign, int(number), by=self._user())
        return Response(status=204)
