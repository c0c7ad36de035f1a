"""What every page may print about this instance."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    return {"version": settings.VERSION, "single_sign_on": bool(settings.SOCIALACCOUNT_PROVIDERS)}
