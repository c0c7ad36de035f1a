"""Invitations by link, for maintainers."""

from typing import cast

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.answers import NEVER_KEPT
from accounts.api.permissions import SignedIn
from accounts.confirming import require_confirmed
from accounts.links import public_url
from accounts.models import Invitation, User
from accounts.options import InvitationOptions
from accounts.services import invitations, people
from core.options.serializers import OptionsSerializer, read_options


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    state = serializers.CharField(source="standing", read_only=True, help_text="open, accepted, withdrawn or expired")

    class Meta:
        model = Invitation
        fields = ["id", "email", "role", "language", "state", "created_at", "expires_at", "accepted_at"]
        read_only_fields = fields


class NewInvitationSerializer(InvitationSerializer):
    link = serializers.CharField(read_only=True, help_text="Shown only in this answer.")

    class Meta(InvitationSerializer.Meta):
        fields = [*InvitationSerializer.Meta.fields, "link"]


class InviteSerializer(OptionsSerializer[InvitationOptions]):
    options = InvitationOptions


class InvitationViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Invitation]):
    queryset = Invitation.objects.order_by("-created_at", "-pk")
    serializer_class = InvitationSerializer
    permission_classes = [SignedIn]

    def get_queryset(self) -> QuerySet[Invitation]:
        people.require_can_manage_people(cast(User, self.request.user))
        return super().get_queryset()

    @extend_schema(request=InviteSerializer, responses={201: NewInvitationSerializer})
    def create(self, request: Request) -> Response:
        """Make a link for one person. The link is in this answer only. A maintainer takes no language (422)."""
        require_confirmed(request, by_token=False)
        chosen = read_options(InviteSerializer, request.data)
        invitation, secret = invitations.invite(**chosen.model_dump(), by=cast(User, request.user))
        link = public_url(request, reverse("accounts:accept", args=[secret]))
        return Response(
            {**InvitationSerializer(invitation).data, "link": link}, status=status.HTTP_201_CREATED, headers=NEVER_KEPT
        )

    @extend_schema(request=None, responses=InvitationSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: str) -> Response:
        """Make the link unusable. An accepted invitation stays as it is."""
        invitation = self.get_object()
        invitations.withdraw(invitation, by=cast(User, request.user))
        invitation.refresh_from_db()
        return Response(InvitationSerializer(invitation).data)
