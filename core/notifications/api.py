"""Inbox and webhooks for programs."""

from typing import Any, cast

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.answers import NEVER_KEPT
from accounts.api.permissions import SignedIn
from accounts.confirming import require_confirmed
from accounts.models import User
from accounts.services.people import require_administrator
from core.models import Delivery, Notification, Webhook
from core.notifications import services
from core.notifications.options import WebhookOptions
from core.options.serializers import OptionsSerializer, read_options


class NotificationSerializer(serializers.ModelSerializer[Notification]):
    class Meta:
        model = Notification
        fields = ["id", "kind", "title", "text", "url", "created_at", "read_at"]
        read_only_fields = fields


class ReadCountSerializer(serializers.Serializer[Any]):
    read = serializers.IntegerField(help_text="How many were unread.")


class InboxFilter(filters.FilterSet):
    unread = filters.BooleanFilter(field_name="read_at", lookup_expr="isnull")

    class Meta:
        model = Notification
        fields = ["kind"]


class InboxViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Notification]):
    """Your notifications, newest first."""

    queryset = Notification.objects.none()
    serializer_class = NotificationSerializer
    permission_classes = [SignedIn]
    filterset_class = InboxFilter

    def get_queryset(self) -> QuerySet[Notification]:
        return Notification.objects.visible_to(self.request.user)

    @extend_schema(request=None, responses=NotificationSerializer)
    @action(detail=True, methods=["post"])
    def read(self, request: Request, pk: str) -> Response:
        """Note that you have seen it; the first time counts."""
        notification = self.get_object()
        services.mark_read(notification)
        notification.refresh_from_db()
        return Response(NotificationSerializer(notification).data)

    @extend_schema(request=None, responses=ReadCountSerializer)
    @action(detail=False, methods=["post"], url_path="read-all")
    def read_all(self, request: Request) -> Response:
        """Note that you have seen everything."""
        return Response({"read": services.mark_all_read(cast(User, request.user))})


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    class Meta:
        model = Webhook
        fields = ["id", "url", "kinds", "is_active", "created_at"]
        read_only_fields = fields


class NewWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(read_only=True, help_text="Signs every message. Shown only in this answer.")

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class AddWebhookSerializer(OptionsSerializer[WebhookOptions]):
    options = WebhookOptions


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    class Meta:
        model = Delivery
        fields = ["id", "key", "kind", "payload", "state", "attempts", "answer", "created_at", "sent_at"]
        read_only_fields = fields


class WebhookViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Webhook]):
    """Addresses that are told what happens, for administrators."""

    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    permission_classes = [SignedIn]

    def get_queryset(self) -> QuerySet[Webhook]:
        require_administrator(cast(User, self.request.user))
        return Webhook.objects.all()

    @extend_schema(request=AddWebhookSerializer, responses={201: NewWebhookSerializer})
    def create(self, request: Request) -> Response:
        """Have an address told what happens. The secret that signs every message is in this answer only."""
        require_confirmed(request, by_token=False)
        chosen = read_options(AddWebhookSerializer, request.data)
        webhook = services.add_webhook(chosen.url, kinds=chosen.kinds, by=cast(User, request.user))
        return Response(NewWebhookSerializer(webhook).data, status=status.HTTP_201_CREATED, headers=NEVER_KEPT)

    def destroy(self, request: Request, pk: str) -> Response:
        """Tell the address nothing from now on."""
        require_confirmed(request, by_token=False)
        services.remove_webhook(self.get_object(), by=cast(User, request.user))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses=DeliverySerializer(many=True))
    @action(detail=True, pagination_class=None)
    def deliveries(self, request: Request, pk: str) -> Response:
        """The last hundred messages to the address, newest first."""
        return Response(DeliverySerializer(self.get_object().deliveries.all()[:100], many=True).data)

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"], url_path="try")
    def send_trial(self, request: Request, pk: str) -> Response:
        """Send a message that says it is a trial."""
        delivery = services.try_webhook(self.get_object(), by=cast(User, request.user))
        return Response(DeliverySerializer(delivery).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"], url_path=r"deliveries/(?P<delivery>\d+)/again")
    def again(self, request: Request, pk: str, delivery: str) -> Response:
        """Send a message again. Refused (409) while it waits or is being sent."""
        row = get_object_or_404(self.get_object().deliveries.all(), pk=delivery)
        services.send_again(row, by=cast(User, request.user))
        return Response(DeliverySerializer(row).data, status=status.HTTP_202_ACCEPTED)
