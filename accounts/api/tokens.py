"""One's own API tokens."""

from typing import cast

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.answers import NEVER_KEPT
from accounts.api.permissions import SignedIn
from accounts.confirming import require_confirmed
from accounts.models import ApiToken, User
from accounts.options import TokenOptions
from accounts.services import tokens
from core.options.serializers import OptionsSerializer, read_options


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    state = serializers.CharField(source="standing", read_only=True, help_text="usable, expired or revoked")

    class Meta:
        model = ApiToken
        fields = ["id", "name", "scope", "start", "state", "created_at", "last_used_at", "expires_at"]
        read_only_fields = fields


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(read_only=True, help_text="Shown only in this answer.")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]


class CreateTokenSerializer(OptionsSerializer[TokenOptions]):
    options = TokenOptions


class TokenViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[ApiToken]):
    queryset = ApiToken.objects.none()
    serializer_class = TokenSerializer
    permission_classes = [SignedIn]

    def get_queryset(self) -> QuerySet[ApiToken]:
        if not self.request.user.is_authenticated:
            return ApiToken.objects.none()
        return ApiToken.objects.owned_by(self.request.user)

    @extend_schema(request=CreateTokenSerializer, responses={201: NewTokenSerializer})
    def create(self, request: Request) -> Response:
        """Make a token, as a signed-in person: a token makes no tokens (403). It is in this answer only."""
        require_confirmed(request, by_token=False)
        chosen = read_options(CreateTokenSerializer, request.data)
        token, secret = tokens.create_token(cast(User, request.user), **chosen.model_dump())
        return Response(
            {**TokenSerializer(token).data, "token": secret}, status=status.HTTP_201_CREATED, headers=NEVER_KEPT
        )

    @extend_schema(request=None, responses=TokenSerializer)
    @action(detail=True, methods=["post"])
    def revoke(self, request: Request, pk: str) -> Response:
        """Make the token unusable at once. Revoking twice changes nothing."""
        token = self.get_object()
        tokens.revoke_token(token, by=cast(User, request.user))
        token.refresh_from_db()
        return Response(TokenSerializer(token).data)
