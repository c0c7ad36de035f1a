"""What the pages and the API of generation share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts.models import User
from core.errors import Missing
from core.permissions import require_workshop
from core.text import _
from curation.models import Language, Suite
from generation.models import GenerationRun


def expert_of(request: HttpRequest) -> User:
    """Return the signed-in person. Refuses everyone to whom the workshop is not open."""
    require_workshop(request.user)
    return cast(User, request.user)


def suites() -> Iterable[tuple[str, str]]:
    """Return the suites that a form offers."""
    return Suite.objects.order_by("name").values_list("key", "name")


def languages_of_suites() -> Iterable[tuple[str, str]]:
    """Return the languages that a form offers: those of any suite."""
    return Language.objects.filter(suites__isnull=False).distinct().values_list("code", "name")


def suite_asked_for(request: HttpRequest) -> Suite | None:
    """Return the suite that the address names, or the first one."""
    return Suite.objects.filter(key=request.GET.get("suite", "")).first() or Suite.objects.order_by("name").first()


def get_visible_suite(request: HttpRequest | Request, key: str) -> Suite:
    """Return the suite of that key. Refuses one the person cannot see."""
    suite = Suite.objects.visible_to(request.user).filter(key=key).first()
    if suite is None:
        raise Missing(_("There is no suite '%(key)s'.", key=key))
    return suite


def find_run(request: HttpRequest, key: str) -> GenerationRun:
    """Return a run the person may see; 404 where there is none."""
    return get_object_or_404(GenerationRun.objects.visible_to(request.user).with_names(), key=key)


def threshold_of(request: HttpRequest, default: float) -> float:
    """Return the threshold that the address asks for, between 0 and 1; the default where it makes no sense."""
    try:
        asked = float(request.GET.get("threshold", ""))
    except ValueError:
        return default
    return asked if 0 <= asked <= 1 else default
