"""How django-allauth behaves here: accounts are made by invitation only."""

from typing import Any
from urllib.parse import urlsplit

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as current
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest, HttpResponse

from accounts.links import public_url
from accounts.models import Action, Invitation, User
from accounts.services import audit
from accounts.services.sign_in import forget_failures, record_sign_in
from accounts.sign_in import address_of, note_success

log = structlog.get_logger(__name__)
INVITATION_IN_SESSION = "invitation_id"


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Sign-up happens on the invitation's page, never on allauth's."""
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The password was right, also where a second factor is still missing: it is no failure."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            note_success(request)
        return user

    def post_login(self, request: HttpRequest, user: User, **facts: Any) -> HttpResponse:
        """Audit the sign-in once every factor was right."""
        record_sign_in(user, address=address_of(request))
        answer: HttpResponse = super().post_login(request, user, **facts)
        return answer

    def send_notification_mail(self, template_prefix: str, user: User, *args: Any, **kwargs: Any) -> None:
        """Audit a changed password, address or second factor: allauth tells the owner of each of them here."""
        address = address_of(current.request)
        audit.record(user, Action.CREDENTIALS_CHANGED, user, what=template_prefix.rpartition("/")[2], address=address)
        super().send_notification_mail(template_prefix, user, *args, **kwargs)

    def set_password(self, user: User, password: str) -> None:
        """Whoever could set a new password is the owner: the failures before it no longer lock the account."""
        super().set_password(user, password)
        forget_failures(user.email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send with links to SITE_URL. A mail server that fails changes no page: the answer never tells who has an
        account, and the reason is in the log."""
        here, site = current.request.build_absolute_uri("/"), public_url(current.request, "/")
        links = {
            name: site + value.removeprefix(here)
            for name, value in context.items()
            if isinstance(value, str) and value.startswith(here)
        }
        sender = {"name": "Touchstone", "domain": urlsplit(site).netloc}
        try:
            super().send_mail(template_prefix, email, {**context, **links, "current_site": sender})
        except OSError as error:  # refused, timed out, or an answer of the mail server (SMTPException)
            log.error("mail_not_sent", mail=template_prefix, error=f"{type(error).__name__}: {error}")


class InvitedSingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Single sign-on makes an account only for somebody who came through an invitation's page."""
        invited = Invitation.objects.usable().filter(pk=request.session.get(INVITATION_IN_SESSION, 0))
        return bool(invited.exists())
