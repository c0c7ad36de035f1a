"""What every page shows of the inbox."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from core.notifications.models import Notification

SHOWN = 99


def inbox(request: HttpRequest) -> dict[str, object]:
    """Context processor: how many notifications are unread, counted only where a page shows it."""
    return {"unread_count": SimpleLazyObject(lambda: _count(request))}


def _count(request: HttpRequest) -> int:
    if not hasattr(request, "user") or not request.user.is_authenticated:
        return 0
    return Notification.objects.visible_to(request.user).unread().order_by()[:SHOWN].count()
