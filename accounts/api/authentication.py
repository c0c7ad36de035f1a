"""`Authorization: Bearer <token>` for programs."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ApiToken, User
from accounts.second_factor import require_second_factor
from accounts.services.tokens import find_token
from core.text import _


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if not scheme or (scheme.lower() != "bearer" and _is_signed_in(request)):
            return None  # a proxy in front of us may have a password of its own
        if scheme.lower() != "bearer":
            raise AuthenticationFailed(
                _("'%(scheme)s' is not understood here. Write: Authorization: Bearer TOKEN", scheme=scheme[:20])
            )
        token = find_token(secret.strip())
        if token is None:
            raise AuthenticationFailed(
                _("This token is unknown, expired or revoked. Create a new one in your account.")
            )
        require_second_factor(token.user)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _is_signed_in(request: Request) -> bool:
    """Return whether the session of a browser already says who asks."""
    user = getattr(request._request, "user", None)
    return bool(user and user.is_authenticated)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
