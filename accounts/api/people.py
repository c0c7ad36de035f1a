"""Oneself, and for maintainers everybody."""

from collections.abc import Callable
from typing import cast

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.permissions import SignedIn
from accounts.confirming import require_confirmed
from accounts.models import RoleGrant, RoleName, User
from accounts.options import NameOptions, RoleOptions
from accounts.services import people
from core.options.serializers import OptionsSerializer, read_options
from core.text import _


class RoleSerializer(OptionsSerializer[RoleOptions]):
    options = RoleOptions


class NameSerializer(OptionsSerializer[NameOptions]):
    options = NameOptions


class GrantSerializer(serializers.ModelSerializer[RoleGrant]):
    class Meta:
        model = RoleGrant
        fields = ["role", "language"]


class PersonSerializer(serializers.ModelSerializer[User]):
    roles = GrantSerializer(source="grants", many=True, read_only=True)
    is_suspended = serializers.SerializerMethodField()
    is_administrator = serializers.BooleanField(source="is_superuser", read_only=True)

    class Meta:
        model = User
        fields = ["id", "email", "name", "is_administrator", "is_suspended", "roles", "joined_at"]
        read_only_fields = fields

    def get_is_suspended(self, person: User) -> bool:
        return not person.is_active


class MeView(APIView):
    """Who the token or the session belongs to."""

    permission_classes = [SignedIn]

    @extend_schema(responses=PersonSerializer)
    def get(self, request: Request) -> Response:
        return Response(PersonSerializer(cast(User, request.user)).data)

    @extend_schema(request=NameSerializer, responses=PersonSerializer)
    def patch(self, request: Request) -> Response:
        """Change one's name."""
        user = cast(User, request.user)
        people.rename(user, name=read_options(NameSerializer, request.data).name)
        return Response(PersonSerializer(user).data)


class PersonFilter(filters.FilterSet):
    q = filters.CharFilter(method="matching", label="Part of the name or address")
    role = filters.ChoiceFilter(
        method="having", choices=[*RoleName.choices, ("administrator", _("Administrator")), ("none", _("No role"))]
    )

    class Meta:
        model = User
        fields = ["q", "role"]

    def matching(self, rows: QuerySet[User], name: str, words: str) -> QuerySet[User]:
        return rows.matching(words)  # type: ignore[attr-defined,no-any-return]

    def having(self, rows: QuerySet[User], name: str, role: str) -> QuerySet[User]:
        return rows.with_role(role)  # type: ignore[attr-defined,no-any-return]


class PersonViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[User]):
    """People and their roles, for maintainers and administrators."""

    queryset = User.objects.prefetch_related("grants").order_by("email", "pk")
    serializer_class = PersonSerializer
    permission_classes = [SignedIn]
    filterset_class = PersonFilter

    def get_queryset(self) -> QuerySet[User]:
        people.require_can_manage_people(cast(User, self.request.user))
        return super().get_queryset()

    @extend_schema(request=RoleSerializer, responses=PersonSerializer)
    @action(detail=True, methods=["post"])
    def grant(self, request: Request, pk: str) -> Response:
        """Give a role in a language. Giving it twice changes nothing. A maintainer takes no language (422)."""
        person, given = self._given(request)
        people.grant_role(person, **given, by=cast(User, request.user))
        return Response(PersonSerializer(self.get_object()).data)

    @extend_schema(request=RoleSerializer, responses=PersonSerializer)
    @action(detail=True, methods=["post"])
    def take(self, request: Request, pk: str) -> Response:
        """Take a role away. There is nothing to take (404) where the person does not have it."""
        person, given = self._given(request)
        people.take_role(get_object_or_404(person.grants, **given), by=cast(User, request.user))
        return Response(PersonSerializer(self.get_object()).data)

    @extend_schema(request=None, responses=PersonSerializer)
    @action(detail=True, methods=["post"])
    def suspend(self, request: Request, pk: str) -> Response:
        """Keep a person out at once, for administrators: sessions end, tokens are revoked, sign-in is refused."""
        return self._changed(request, people.suspend)

    @extend_schema(request=None, responses=PersonSerializer)
    @action(detail=True, methods=["post"])
    def reinstate(self, request: Request, pk: str) -> Response:
        """Let a suspended person sign in again, for administrators."""
        return self._changed(request, people.reinstate)

    @extend_schema(request=None, responses=PersonSerializer)
    @action(detail=True, methods=["post"], url_path="end-sessions")
    def end_sessions(self, request: Request, pk: str) -> Response:
        """Sign a person out everywhere, for administrators."""
        return self._changed(request, people.end_sessions)

    def _changed(self, request: Request, change: Callable[..., None]) -> Response:
        person = self.get_object()
        require_confirmed(request, by_token=False)
        change(person, by=cast(User, request.user))
        return Response(PersonSerializer(person).data)

    def _given(self, request: Request) -> tuple[User, dict[str, str]]:
        person = self.get_object()
        require_confirmed(request, by_token=False)
        return person, read_options(RoleSerializer, request.data).model_dump()
