"""Empty the outbox: send mails and webhook calls, try again later, and gather daily digests.

A mail is sent at most once: a process that dies between sending and noting it leaves the mail "possibly sent", and an
administrator may send it again. A webhook is called at least once: every call carries the id of its delivery, so that
the receiver can drop a second one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import timedelta

import structlog
from celery import current_app
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import F, Max
from django.template.loader import render_to_string
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.interface_language import in_language_of
from accounts.models import User
from core.errors import sentence_of
from core.inference.settings import allow_hosts
from core.notifications.models import (
    DELIVERY_MOVES,
    USUAL_TIME,
    Channel,
    Delivery,
    DeliveryState,
    MailChoice,
    MailTime,
    Notification,
)
from core.states import move_rows
from core.text import _, ngettext

log = structlog.get_logger(__name__)
DELIVER = "core.deliver_messages"
AT_MOST = 200  # messages of one run
LEASE = timedelta(minutes=2)
ATTEMPTS = 8
FIRST_WAIT = timedelta(seconds=30)  # doubled with each attempt: the last one comes after about two hours
TIMEOUT = 10
DAY = timedelta(days=1)
WEEK = timedelta(days=7)


class NotDelivered(Exception):
    """The receiver did not take the message."""


def sends_mail() -> bool:
    """Tell whether this instance has a way to send mail."""
    return bool(settings.EMAIL_URL)


def notify_workers() -> None:
    """Tell the workers that messages wait. The schedule finds those that no worker heard of."""
    try:
        current_app.send_task(DELIVER, queue=f"{settings.QUEUE_PREFIX}light", retry=False)
    except OperationalError as error:
        log.warning("workers_not_notified", what="messages", error=str(error))


def deliver() -> int:
    """Send what is due; return how many were sent. Several processes may do it at once."""
    _give_up_abandoned()
    sent = 0
    for pk in list(Delivery.objects.due().values_list("pk", flat=True)[:AT_MOST]):
        now = timezone.now()
        mine = Delivery.objects.filter(pk=pk, not_before__lte=now)
        lease = now + LEASE
        if move_rows(mine, DeliveryState.SENDING, DELIVERY_MOVES, lease_until=lease, attempts=F("attempts") + 1):
            sent += _send(Delivery.objects.select_related("user", "webhook").get(pk=pk))
    return sent


def _give_up_abandoned() -> None:
    """Settle what a process left half sent: calls are repeated, mails are not."""
    left = Delivery.objects.abandoned()
    move_rows(left.filter(channel=Channel.WEBHOOK), DeliveryState.WAITING, DELIVERY_MOVES, lease_until=None)
    words = _("The process ended while it was sending this message.")
    move_rows(left.filter(channel=Channel.MAIL), DeliveryState.UNSURE, DELIVERY_MOVES, lease_until=None, answer=words)


def _send(delivery: Delivery) -> bool:
    """Send one message and note how that ended."""
    mine = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    try:
        answer = _mail(delivery) if delivery.channel == Channel.MAIL else _call(delivery)
    except (NotDelivered, OSError) as error:
        log.warning("message_not_delivered", delivery=delivery.key, attempt=delivery.attempts, error=str(error))
        is_last = delivery.attempts >= ATTEMPTS
        wait = FIRST_WAIT * 2 ** (delivery.attempts - 1)
        facts = {"answer": sentence_of(error), "lease_until": None, "not_before": timezone.now() + wait}
        move_rows(mine, DeliveryState.FAILED if is_last else DeliveryState.WAITING, DELIVERY_MOVES, **facts)
        return False
    facts = {"answer": answer, "lease_until": None, "sent_at": timezone.now()}
    move_rows(mine, DeliveryState.SENT, DELIVERY_MOVES, **facts)
    return True


def _mail(delivery: Delivery) -> str:
    user = delivery.user
    assert user is not None
    if not user.is_active:
        return _("The account is suspended; nothing was sent.")
    context = {**delivery.payload, "person": user, "site": settings.SITE_URL}
    context["lines"] = delivery.payload.get("lines", [])
    with in_language_of(user):
        text = render_to_string("core/notifications/mail.txt", context)
        message = EmailMultiAlternatives(f"[Touchstone] {delivery.payload['subject']}", text, to=[user.email])
        message.attach_alternative(render_to_string("core/notifications/mail.html", context), "text/html")
    digest = hashlib.sha256(delivery.key.encode()).hexdigest()[:32]
    message.extra_headers["Message-ID"] = f"<{digest}@touchstone>"
    message.send()
    return _("Passed to the mail server.")


def signature(secret: str, moment: str, body: bytes) -> str:
    """Return what proves that a call comes from this instance: HMAC-SHA256 over moment, full stop and body."""
    return hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()


def _call(delivery: Delivery) -> str:
    webhook = delivery.webhook
    assert webhook is not None
    if not allow_hosts(settings.ALLOWED_WEBHOOK_HOSTS)(webhook.url):
        raise NotDelivered(_("The host is not listed in ALLOWED_WEBHOOK_HOSTS."))
    moment = str(int(timezone.now().timestamp()))
    event = {**delivery.payload, "delivery": delivery.key, "created_at": delivery.created_at.isoformat()}
    body = json.dumps(event, ensure_ascii=False, sort_keys=True).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Touchstone/{settings.VERSION}",
        "Touchstone-Event": delivery.kind,
        "Touchstone-Delivery": delivery.key,
        "Touchstone-Signature": f"t={moment},v1={signature(webhook.secret, moment, body)}",
    }
    import httpx

    try:
        # Redirects would lead past the list of permitted hosts. The answer's content is not read.
        with (
            httpx.Client(timeout=TIMEOUT, follow_redirects=False) as client,
            client.stream("POST", webhook.url, content=body, headers=headers) as answer,
        ):
            said = f"HTTP {answer.status_code}"
    except httpx.HTTPError as error:
        raise NotDelivered(f"{type(error).__name__}: {error}") from error
    if not answer.is_success:
        raise NotDelivered(said)
    return said


def queue_digests() -> int:
    """Write one mail a day to each person with unread notifications that wait for it; return how many."""
    if not sends_mail():
        return 0
    now, made = timezone.now(), 0
    fresh = Notification.objects.unread().filter(created_at__gt=now - WEEK, user__is_active=True)
    for user in User.objects.filter(pk__in=fresh.values("user")).order_by("pk").iterator(chunk_size=500):
        name = f"digest:{user.pk}"
        last = Delivery.objects.filter(key__startswith=f"{name}:").aggregate(at=Max("created_at"))["at"]
        if last and now - last < DAY:
            continue
        chosen = dict(MailChoice.objects.filter(user=user).values_list("kind", "time"))
        daily = [kind for kind, usual in USUAL_TIME.items() if chosen.get(kind, usual) == MailTime.DAILY]
        rows = fresh.filter(user=user, kind__in=daily)
        rows = rows.filter(created_at__gt=last) if last else rows
        lines = [{"title": row.title, "url": row.url} for row in rows.order_by("id")[:100]]
        if not lines:
            continue
        subject = ngettext("%(count)s notification", "%(count)s notifications", len(lines))
        payload = {"subject": subject, "text": "", "url": "", "lines": lines}
        key = f"{name}:{now:%Y-%m-%d}"
        _, is_new = Delivery.objects.get_or_create(
            key=key, defaults={"channel": Channel.MAIL, "kind": "digest", "user": user, "payload": payload}
        )
        made += is_new
    if made:
        notify_workers()
    return made
