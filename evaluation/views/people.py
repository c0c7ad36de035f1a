"""Who is asking: a signed-in maintainer, or a refusal that says so."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest

from accounts.models import User
from curation.permissions import require_maintainer


def person_of(request: HttpRequest) -> User:
    """The signed-in person; views that use it stand behind `login_required`."""
    return cast(User, request.user)


def maintainer_of(request: HttpRequest) -> User:
    """The signed-in maintainer. Refuses everybody else."""
    by = person_of(request)
    require_maintainer(by)
    return by
