"""Tell what happened, read an inbox, choose mail, and look after webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Action
from accounts.services import audit
from accounts.services.people import require_administrator
from core.errors import BadInput
from core.inference.settings import allow_hosts
from core.notifications.delivering import notify_workers, sends_mail
from core.notifications.models import (
    DELIVERY_MOVES,
    USUAL_TIME,
    Channel,
    Delivery,
    DeliveryState,
    Happening,
    MailChoice,
    MailTime,
    Notification,
    Webhook,
)
from core.states import move
from core.text import _

if TYPE_CHECKING:
    from accounts.models import User

AT_ONCE = 500


@transaction.atomic
def notify(
    kind: Happening,
    people: Iterable[User],
    *,
    key: str,
    title: str,
    text: str = "",
    url: str = "",
    by: User | None = None,
    facts: Mapping[str, Any] | None = None,
) -> int:
    """Tell people, and the webhooks that want to know, that something happened; return how many people are new to it.

    Call it in the transaction of what happened: told and done are stored together. `key` names what happened, so that
    telling twice is telling once. The person who did it is not told. `facts` are for webhooks and hold keys, no texts.
    """
    receivers = {person.pk: person for person in people if person.is_active and (by is None or person.pk != by.pk)}
    name = f"{kind.value}:{key}"[:160]
    known = set(Notification.objects.filter(key=name, user__in=receivers).values_list("user_id", flat=True))
    new = [person for pk, person in receivers.items() if pk not in known]
    Notification.objects.bulk_create(
        [Notification(user=person, kind=kind, key=name, title=title, text=text, url=url) for person in new],
        batch_size=AT_ONCE,
        ignore_conflicts=True,
    )
    told = {"subject": title, "text": text, "url": url}
    rows = [_mail(kind, name, person, told) for person in _want_mail_at_once(kind, new)]
    event = {"event": kind.value, "key": key, "title": title, "url": url, "facts": dict(facts or {})}
    interested = [webhook for webhook in Webhook.objects.filter(is_active=True) if webhook.wants(kind)]
    rows += [_call(webhook, name, kind, event) for webhook in interested]
    Delivery.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)
    if rows:
        transaction.on_commit(notify_workers)
    return len(new)


def _want_mail_at_once(kind: Happening, people: list[User]) -> list[User]:
    if not sends_mail():
        return []
    chosen = dict(MailChoice.objects.filter(kind=kind, user__in=people).values_list("user_id", "time"))
    return [one for one in people if chosen.get(one.pk, USUAL_TIME[kind]) == MailTime.AT_ONCE]


def _mail(kind: Happening, name: str, person: User, payload: dict[str, str]) -> Delivery:
    return Delivery(key=f"mail:{name}:{person.pk}", channel=Channel.MAIL, kind=kind, user=person, payload=payload)


def _call(webhook: Webhook, name: str, kind: Happening, event: dict[str, Any]) -> Delivery:
    key = f"webhook:{webhook.pk}:{name}"
    return Delivery(key=key, channel=Channel.WEBHOOK, kind=kind, webhook=webhook, payload=event)


def mark_read(notification: Notification) -> None:
    """Note that the person has seen a notification; the first time counts."""
    Notification.objects.filter(pk=notification.pk, read_at=None).update(read_at=timezone.now())


def mark_all_read(user: User) -> int:
    """Note that the person has seen everything in the inbox; return how many were unread."""
    return Notification.objects.visible_to(user).unread().update(read_at=timezone.now())


def mail_times(user: User) -> dict[str, str]:
    """Return when the person wants mail about each kind."""
    chosen = dict(MailChoice.objects.filter(user=user).values_list("kind", "time"))
    return {kind: chosen.get(kind, USUAL_TIME[kind]) for kind in Happening.values}


@transaction.atomic
def choose_mail(user: User, times: Mapping[str, str]) -> None:
    """Store when the person wants mail, for the kinds that are named. Refuses unknown kinds and times."""
    if unknown := sorted(set(times) - set(Happening.values)):
        raise BadInput(
            _(
                "'%(kind)s' is not a kind of notification. Known: %(known)s.",
                kind=unknown[0],
                known=list(Happening.values),
            )
        )
    for kind, time in times.items():
        if time not in MailTime.values:
            raise BadInput(
                _(
                    "%(kind)s: '%(time)s' is not a time. Use one of: %(known)s.",
                    kind=kind,
                    time=time,
                    known=list(MailTime.values),
                )
            )
        MailChoice.objects.update_or_create(user=user, kind=kind, defaults={"time": time})


@transaction.atomic
def add_webhook(url: str, *, kinds: Iterable[str] = (), by: User) -> Webhook:
    """Have an address told what happens. Refuses addresses whose host the settings do not list."""
    require_administrator(by)
    if not allow_hosts(settings.ALLOWED_WEBHOOK_HOSTS)(url):
        raise BadInput(
            _("The host of this address is not permitted. The operator can list it in ALLOWED_WEBHOOK_HOSTS."),
            field="url",
        )
    webhook = Webhook.objects.create(url=url, kinds=sorted(set(kinds)), created_by=by)
    audit.record(by, Action.WEBHOOK_CHANGED, webhook, url=url, step="added")
    return webhook


@transaction.atomic
def remove_webhook(webhook: Webhook, *, by: User) -> None:
    """Tell an address nothing from now on; its log goes with it."""
    require_administrator(by)
    audit.record(by, Action.WEBHOOK_CHANGED, webhook, url=webhook.url, step="removed")
    webhook.delete()


@transaction.atomic
def try_webhook(webhook: Webhook, *, by: User) -> Delivery:
    """Send an address a message that says it is a trial."""
    require_administrator(by)
    event = {"event": "trial", "key": "trial", "title": _("Test of this webhook"), "url": "", "facts": {}}
    key = f"webhook:{webhook.pk}:trial:{timezone.now().timestamp()}"
    row = Delivery.objects.create(key=key, channel=Channel.WEBHOOK, kind="trial", webhook=webhook, payload=event)
    transaction.on_commit(notify_workers)
    return row


@transaction.atomic
def send_again(delivery: Delivery, *, by: User) -> None:
    """Put a message back into the outbox. Refuses one that is still waiting or being sent."""
    require_administrator(by)
    move(delivery, DeliveryState.WAITING, DELIVERY_MOVES, attempts=0, not_before=timezone.now(), lease_until=None)
    transaction.on_commit(notify_workers)
