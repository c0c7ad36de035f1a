"""Limits on guessing passwords and codes of the second factor.

Attempts are rows in the database: all web processes count together, and a restart or a lost cache forgets nothing.
An attempt is written before the secret is compared, so guesses made at the same moment cannot all pass.
"""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.errors import TooManyAttempts
from accounts.models import Action, Secret, SignInAttempt, User
from accounts.models.sign_in import SignInAttemptQuerySet
from accounts.services import audit

LOCKED_FOR = timedelta(minutes=15)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KNOWN_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Limit:
    """How many failures of the same account, address or both within a time lead to a lock of `LOCKED_FOR`."""

    same: tuple[str, ...]
    failures: int
    within: timedelta


def limits(secret: Secret) -> list[Limit]:
    """The limit on an account is high, so that a stranger cannot easily keep its owner out."""
    few: int = settings.SIGN_IN_FAILURE_LIMIT
    if secret == Secret.PASSWORD:
        return [
            Limit(("account", "address"), few, LOCKED_FOR),
            Limit(("account",), 4 * few, HOUR),
            Limit(("address",), 10 * few, HOUR),
        ]
    if secret == Secret.RESET:
        return [Limit(("account",), few, HOUR), Limit(("address",), 4 * few, HOUR)]
    if secret == Secret.INVITATION:
        return [Limit(("address",), 4 * few, HOUR)]
    return [
        Limit(("account",), few, LOCKED_FOR),
        Limit(("account",), 4 * few, DAY),
        Limit(("address",), 4 * few, HOUR),
    ]


def begin_attempt(secret: Secret, *, account: str, address: str) -> SignInAttempt:
    """Note an attempt before the secret is compared. Refuses with the end of the lock while one holds."""
    now = timezone.now()
    SignInAttempt.objects.filter(at__lt=now - DAY, succeeded=False).delete()
    SignInAttempt.objects.filter(at__lt=now - KNOWN_FOR).delete()
    attempt = SignInAttempt.objects.create(at=now, secret=secret, account=_digest(account), address=network_of(address))
    if until := _locked_until(attempt, now):
        attempt.delete()  # a refused attempt does not make the lock longer
        raise TooManyAttempts(until=until, secret=secret.label)
    return attempt


def record_failure(attempt: SignInAttempt, *, account: str) -> None:
    """Audit a wrong secret. Refuses when this failure reached a limit, and audits the lock.

    Unknown accounts are recorded without what was typed: it may be a password in the wrong field.
    """
    person = User.objects.filter(email=account).first()
    facts = {"secret": attempt.secret, "address": attempt.address}
    audit.record(None, Action.SIGN_IN_FAILED, person or "account", **facts)
    if until := _locked_until(attempt, timezone.now(), including=True):
        audit.record(None, Action.SIGN_IN_LOCKED, person or "account", **facts)
        raise TooManyAttempts(until=until, secret=Secret(attempt.secret).label)


def record_passkey_failure(person: User | None, *, address: str) -> None:
    """Audit a passkey that was refused."""
    facts = {"secret": "passkey", "address": network_of(address)}
    audit.record(None, Action.SIGN_IN_FAILED, person or "account", **facts)


def record_success(attempt: SignInAttempt) -> None:
    """Forget the failures of this account from this address only: signing in to one account clears no other."""
    _like(attempt, ("account", "address")).exclude(pk=attempt.pk).delete()
    SignInAttempt.objects.filter(pk=attempt.pk).update(succeeded=True)


def record_sign_in(user: User, *, address: str) -> None:
    """Audit that a person has signed in, with the address."""
    audit.record(user, Action.SIGNED_IN, user, address=network_of(address))


def forget_failures(account: str) -> None:
    """A person who could set a new password owns the account: earlier failures no longer lock it."""
    SignInAttempt.objects.failed().filter(account=_digest(account), secret=Secret.PASSWORD).delete()


def network_of(address: str) -> str:
    """What is counted as one address: an IPv4 address, or the /64 that one IPv6 customer has."""
    try:
        found = ipaddress.ip_address(address.strip())
    except ValueError:
        return address.strip()[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def _digest(account: str) -> str:
    return salted_hmac("accounts.sign_in", account.strip().lower(), algorithm="sha256").hexdigest()


def _like(attempt: SignInAttempt, same: tuple[str, ...]) -> SignInAttemptQuerySet:
    return SignInAttempt.objects.filter(secret=attempt.secret, **{name: getattr(attempt, name) for name in same})


def _locked_until(attempt: SignInAttempt, now: datetime, *, including: bool = False) -> datetime | None:
    """When the lock on an attempt ends; None where there is none. The attempt itself counts only if `including`."""
    found = None
    for limit in limits(Secret(attempt.secret)):
        if limit.same == ("address",) and not attempt.address:
            continue  # behind a socket without addresses everyone would share one
        if limit.same == ("account",) and attempt.secret == Secret.PASSWORD and _is_known(attempt):
            continue
        failures = _like(attempt, limit.same).failed()
        if not including:
            failures = failures.exclude(pk=attempt.pk)
        times = failures.newest(limit.failures)
        if len(times) == limit.failures and times[0] - times[-1] <= limit.within and now < times[0] + LOCKED_FOR:
            found = max(found or times[0], times[0])
    return found + LOCKED_FOR if found else None


def _is_known(attempt: SignInAttempt) -> bool:
    """Whether the owner signed in from this address before: strangers elsewhere do not lock it."""
    return _like(attempt, ("account", "address")).filter(succeeded=True).exists()
