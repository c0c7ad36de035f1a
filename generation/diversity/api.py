"""The diversity of two sets for programs."""

from typing import cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from core.jobs.api import JobSerializer
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_workshop
from generation.api import JobsOfOneKind
from generation.diversity.options import DiversityOptions
from generation.diversity.services import KIND, request_comparison


class NewComparisonSerializer(OptionsSerializer[DiversityOptions]):
    options = DiversityOptions


class DiversityViewSet(JobsOfOneKind):
    """Your comparisons of two sets, as jobs; maintainers see those of everyone. The result holds the measures."""

    kind = KIND

    @extend_schema(request=NewComparisonSerializer, responses={202: JobSerializer})
    def create(self, request: Request) -> Response:
        """Queue self-BLEU 2, 3, 4 on samples of equal size, distinct-n, length and perplexity of two sets."""
        require_workshop(request.user)
        job = request_comparison(read_options(NewComparisonSerializer, request.data), by=cast(User, request.user))
        return Response(JobSerializer(job).data, status=202)
