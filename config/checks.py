"""Checks over the whole product: what would go wrong in production is said before it does."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security, deploy=True)
def production_can_send_mail(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.PRODUCTION and not settings.EMAIL_URL:
        return [
            Warning(
                f"EMAIL_URL is not set: mails are written to {settings.VAR / 'mail'} instead of being sent, "
                "so people cannot reset their passwords.",
                hint="Set EMAIL_URL, e.g. smtp+tls://user:password@mail.example.org:587",
                id="config.W001",
            )
        ]
    return []
