"""A platform's participant and their browser: work that was begun in one browser continues in that one.

The browser carries a secret in a signed cookie, the database its hash. The return code that moves the work to another
browser follows from the secret: the person can be shown it at any time in their own browser, and it is stored as a hash
as well. Both change whenever the work moves.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core import signing
from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from accounts.services.secrets import digest
from annotation.errors import OtherBrowser
from annotation.models import Participation
from annotation.people.participation import find_by
from annotation.permissions import require_manager
from core.errors import BadInput
from core.text import _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

SALT = "annotation.crowd"
PASS_SECONDS = 30 * 24 * 3600
CODE_BYTES = 10  # 80 bits, 16 letters


@dataclass(frozen=True, slots=True)
class BrowserPass:
    """What a visitor's browser carries instead of an account, for one campaign."""

    annotator: int
    secret: str

    def cookie(self, campaign_key: str) -> str:
        """The value of the browser's cookie: signed, lasting from now on, worthless for another campaign."""
        content = {"annotator": self.annotator, "campaign": campaign_key, "secret": self.secret}
        return signing.dumps(content, salt=SALT)

    def opens(self, participation: Participation) -> bool:
        """Whether this browser is the one the participation is bound to."""
        return participation.annotator_id == self.annotator and _matches(self.secret, participation.session_digest)

    @property
    def return_code(self) -> str:
        """The code that moves the work to another browser, in groups of four letters."""
        made = hmac.digest(self.secret.encode(), b"return code", hashlib.sha256)[:CODE_BYTES]
        letters = base64.b32encode(made).decode("ascii")
        return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


@dataclass(frozen=True, slots=True)
class Requester:
    """Who stands behind a request: how to find the participation, and the pass where it is no account's."""

    lookup: Mapping[str, Any]
    browser: BrowserPass | None = None

    def require_own(self, participation: Participation) -> None:
        """Refuse a browser that the participation is not, or no longer, bound to."""
        if self.browser is not None and not self.browser.opens(participation):
            raise OtherBrowser


def cookie_for(campaign_key: str) -> str:
    """The name of the cookie that carries the pass; one per campaign, so that tasks can be done side by side."""
    return f"touchstone_visitor_{campaign_key}"


def read_pass(cookies: Mapping[str, str], campaign_key: str) -> BrowserPass | None:
    """The browser's pass for a campaign; None where it is missing, forged, too old or for another campaign."""
    value = cookies.get(cookie_for(campaign_key))
    if not value:
        return None
    try:
        content = signing.loads(value, salt=SALT, max_age=PASS_SECONDS)
    except signing.BadSignature:
        return None
    if content.get("campaign") != campaign_key or "secret" not in content:
        return None
    return BrowserPass(int(content["annotator"]), str(content["secret"]))


def requester_of(campaign_key: str, *, user: User | AnonymousUser, cookies: Mapping[str, str]) -> Requester | None:
    """Who stands behind a request: the holder of the browser's pass for this campaign, else the signed-in person."""
    browser = read_pass(cookies, campaign_key)
    if browser is not None:
        return Requester({"campaign__key": campaign_key, "annotator": browser.annotator}, browser)
    if user.is_authenticated:
        return Requester({"campaign__key": campaign_key, "annotator__user": user.pk})
    return None


def find_requested(requester: Requester) -> Participation:
    """The participation behind a request. Refuses strangers, and another browser than the one it is bound to."""
    found = find_by(**requester.lookup)
    requester.require_own(found)
    return found


def bind_browser(participation: Participation) -> str:
    """Bind the participation to a new browser and return the value of its cookie. Every earlier browser is locked out.

    Refuses when another browser was bound in the same moment.
    """
    browser = BrowserPass(participation.annotator_id, secrets.token_urlsafe(32))
    digests = {"session_digest": digest(browser.secret), "return_digest": digest(_plain(browser.return_code))}
    unchanged = Participation.objects.filter(pk=participation.pk, session_digest=participation.session_digest)
    if not unchanged.update(**digests):
        raise OtherBrowser
    participation.session_digest, participation.return_digest = digests["session_digest"], digests["return_digest"]
    return browser.cookie(participation.campaign.key)


def may_be_bound(participation: Participation) -> bool:
    """Whether the next browser that comes is bound without a code: after a release, and before consent was given.

    Until then there is nothing to see or to take over, and a link that was clicked twice, or loaded by a program that
    looks ahead, must not lock its owner out.
    """
    return not participation.session_digest or participation.consented_at is None


@transaction.atomic
def move_to_this_browser(participation: Participation, code: str) -> str:
    """Bind the participation to another browser by its return code; returns the value of the cookie.

    Refuses a wrong code. A code works once: the new browser gets one of its own.
    """
    if not _matches(_plain(code), participation.return_digest):
        raise BadInput(_("This is not your return code. Check every letter, or continue in your first browser."))
    cookie = bind_browser(participation)
    audit.record(None, Action.ANNOTATOR_CHANGED, participation.campaign, moved=participation.annotator.pseudonym)
    return cookie


@transaction.atomic
def release_browser(participation: Participation, *, by: User) -> None:
    """Let a person continue in another browser without a code: the next one that comes with their id is bound.

    Refuses people who are bound to none: those with an account, and those released already.
    """
    require_manager(by)
    if not participation.session_digest:
        raise BadInput(_("This annotator is not bound to a browser and can open the task in any."))
    Participation.objects.filter(pk=participation.pk).update(session_digest="", return_digest="")
    audit.record(by, Action.ANNOTATOR_CHANGED, participation.campaign, released=participation.annotator.pseudonym)
    participation.refresh_from_db()


def _matches(secret: str, stored: str) -> bool:
    """In the same time whatever is given; what is not stored matches nothing."""
    return hmac.compare_digest(digest(secret), stored or "-")


def _plain(code: str) -> str:
    """A code as people type it: small letters, blanks and dashes do not matter."""
    return "".join(letter for letter in code.upper() if letter.isalnum())
