"""Claiming a key, keeping its answer, and answering again."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from core.errors import DomainError
from core.idempotency.models import KeyedRequest
from core.text import _

LONGEST_BODY = 1 << 20
TIDIED_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends a request, and by what: answers of one token are not given to another."""

    user: User
    credential: str


class KeyInUse(DomainError):
    code, status = "request_in_progress", 409


class KeyOfAnotherRequest(DomainError):
    code, status = "idempotency_key_reused", 422


class AnswerNotKept(DomainError):
    code, status = "already_carried_out", 409


def claim(sender: Sender, key: str, fingerprint: str) -> tuple[KeyedRequest, bool]:
    """Return the request of this key and whether it is to be carried out now.

    Refuses a key that belongs to another request, and one whose request is still being carried out.
    """
    _forget_outdated()
    try:
        with transaction.atomic():
            return KeyedRequest.objects.create(
                user=sender.user, credential=sender.credential, key=key, fingerprint=fingerprint
            ), True
    except IntegrityError:
        known = KeyedRequest.objects.filter(user=sender.user, credential=sender.credential, key=key).first()
    if known is None:  # it failed in the meantime, so its claim is gone
        raise _in_use(key)
    if known.fingerprint != fingerprint:
        raise KeyOfAnotherRequest(
            _("The idempotency key '%(key)s' was used for another request. Use a new key for each request.", key=key)
        )
    if known.status is not None:
        return known, False
    if known.is_abandoned and _take_over(known):
        return known, True
    raise _in_use(key)


def keep_answer(request: KeyedRequest, *, status: int, content_type: str, body: bytes | None) -> None:
    """Keep what was answered. Without a body, a repetition is refused instead of answered."""
    if body is not None and len(body) > LONGEST_BODY:
        body = None
    KeyedRequest.objects.filter(pk=request.pk).update(status=status, content_type=content_type[:100], body=body)


def kept_body(request: KeyedRequest) -> bytes:
    """Return the body that was answered. Refuses where it was not kept."""
    if request.body is None:
        raise AnswerNotKept(
            _("This request was carried out before. Its answer held a secret or was very long, and was not kept.")
        )
    return bytes(request.body)


def release_key(request: KeyedRequest) -> None:
    """Let the key be used again: the request was refused or failed, and changed nothing."""
    KeyedRequest.objects.filter(pk=request.pk, status=None).delete()


def _in_use(key: str) -> KeyInUse:
    return KeyInUse(
        _("A request with the idempotency key '%(key)s' is being carried out. Try again in a moment.", key=key)
    )


def _take_over(request: KeyedRequest) -> bool:
    """Compare and set: one of two that find an abandoned request carries it out."""
    found = KeyedRequest.objects.filter(pk=request.pk, status=None, started_at=request.started_at)
    return bool(found.update(started_at=timezone.now()))


def _forget_outdated() -> None:
    old = list(KeyedRequest.objects.outdated().values_list("pk", flat=True)[:TIDIED_AT_ONCE])
    if old:
        KeyedRequest.objects.filter(pk__in=old).delete()
