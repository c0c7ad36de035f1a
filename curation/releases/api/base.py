"""What the parts of the releases' API share."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.viewsets import GenericViewSet

from accounts.models import User
from curation.models import Release

KEY = OpenApiParameter("key", str, OpenApiParameter.PATH, description="suite@version")
Part = GenericViewSet[Release]  # each part adds actions to the one view set of releases


def person(request: Request) -> User:
    assert isinstance(request.user, User)  # the default permission lets only signed-in people change things
    return request.user
