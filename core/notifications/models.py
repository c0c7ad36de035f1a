"""Notifications of people, how they want mail, webhooks, and the outbox that delivers to both."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from core.fields import SentenceField
from core.json_fields import SentencesField
from core.states import Moves
from core.text import _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class Happening(models.TextChoices):
    """What people and webhooks can be told."""

    REVIEW_WAITING = "review_waiting", _("A template is waiting for your review")
    TEMPLATE_APPROVED = "template_approved", _("Your template was approved")
    TEMPLATE_REJECTED = "template_rejected", _("Your template was rejected")
    COMMENT = "comment", _("A comment on your template")
    CAMPAIGN_OPENED = "campaign_opened", _("A campaign is open for you")
    CAMPAIGN_CLOSED = "campaign_closed", _("A campaign was closed")
    NOTE = "note", _("A note from the manager of your campaign")
    ACCESS_ASKED = "access_asked", _("A request for access to a release")
    ACCESS_DECIDED = "access_decided", _("A decision about your request for access")
    RELEASE_PUBLISHED = "release_published", _("A release was published")
    RUN_FINISHED = "run_finished", _("An evaluation finished")
    JOB_FAILED = "job_failed", _("One of your jobs failed")


class MailTime(models.TextChoices):
    AT_ONCE = "at_once", _("Immediately")
    DAILY = "daily", _("Once a day")
    NEVER = "never", _("Never")


USUAL_TIME = dict.fromkeys(Happening.values, MailTime.AT_ONCE) | {
    Happening.TEMPLATE_APPROVED: MailTime.DAILY,
    Happening.CAMPAIGN_CLOSED: MailTime.DAILY,
    Happening.RELEASE_PUBLISHED: MailTime.DAILY,
    Happening.RUN_FINISHED: MailTime.NEVER,
}


class NotificationQuerySet(models.QuerySet["Notification"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Return the person's own notifications; an inbox is private."""
        return self.filter(user=user) if user.is_authenticated else self.none()

    def unread(self) -> Self:
        return self.filter(read_at=None)


class Notification(models.Model):
    """One line of a person's inbox."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=20, choices=Happening)
    key = models.CharField(max_length=160, help_text="Names what happened; told twice, it is stored once.")
    title = SentenceField()
    text = SentenceField(blank=True)
    url = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="told_once"),
            models.CheckConstraint(condition=Q(kind__in=Happening.values), name="known_happening"),
        ]
        indexes = [models.Index(fields=["user"], condition=Q(read_at=None), name="unread_of_person")]

    def __str__(self) -> str:
        title: str = self.title
        return title

    def get_absolute_url(self) -> str:
        return reverse("core:notification", args=[self.pk])


class MailChoice(models.Model):
    """When a person wants mail about one kind of happening, where it is not the usual time."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_choices")
    kind = models.CharField(max_length=20, choices=Happening)
    time = models.CharField(max_length=10, choices=MailTime)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="one_choice_per_kind"),
            models.CheckConstraint(condition=Q(time__in=MailTime.values), name="known_mail_time"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_time_display()}"


def new_webhook_secret() -> str:
    return f"whs_{secrets.token_urlsafe(32)}"


class Webhook(models.Model):
    """An address of another program that is told what happens."""

    url = models.URLField(max_length=300)
    kinds = models.JSONField(default=list, help_text="What it is told; empty for everything.")
    secret = models.CharField(max_length=80, default=new_webhook_secret, help_text="Signs every message.")
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.url

    def wants(self, kind: str) -> bool:
        """Tell whether it is told about a kind of happening."""
        return not self.kinds or kind in self.kinds


class Channel(models.TextChoices):
    MAIL = "mail", _("E-mail")
    WEBHOOK = "webhook", _("Webhook")


class DeliveryState(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    SENDING = "sending", _("Being sent")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Failed")
    UNSURE = "unsure", _("Possibly sent")


DELIVERY_MOVES: Moves = {
    DeliveryState.WAITING: {DeliveryState.SENDING},
    DeliveryState.SENDING: {DeliveryState.SENT, DeliveryState.WAITING, DeliveryState.FAILED, DeliveryState.UNSURE},
    DeliveryState.SENT: {DeliveryState.WAITING},
    DeliveryState.FAILED: {DeliveryState.WAITING},
    DeliveryState.UNSURE: {DeliveryState.WAITING},
}


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self) -> Self:
        """Return what waits and may be tried now, the oldest first."""
        return self.filter(state=DeliveryState.WAITING, not_before__lte=timezone.now()).order_by("id")

    def abandoned(self) -> Self:
        """Return what a process began to send and did not finish."""
        return self.filter(state=DeliveryState.SENDING, lease_until__lt=timezone.now())


class Delivery(models.Model):
    """One message to one receiver. It is written with what it tells of, and sent afterwards."""

    key = models.CharField(max_length=200, unique=True)
    channel = models.CharField(max_length=10, choices=Channel)
    kind = models.CharField(max_length=20)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.CASCADE, related_name="deliveries")
    payload = SentencesField(default=dict)
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    answer = SentenceField(blank=True, help_text="What the receiver said last.")
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["state", "not_before"])]
        constraints = [
            models.CheckConstraint(condition=Q(channel__in=Channel.values), name="known_channel"),
            models.CheckConstraint(condition=Q(state__in=DeliveryState.values), name="known_delivery_state"),
            models.CheckConstraint(
                condition=Q(channel=Channel.MAIL, user__isnull=False)
                | Q(channel=Channel.WEBHOOK, webhook__isnull=False),
                name="delivery_has_receiver",
            ),
        ]

    def __str__(self) -> str:
        return self.key
