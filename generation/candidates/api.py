"""Candidates for programs: look and decide."""

from typing import Any, cast

from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.errors import BadInput
from core.text import _
from generation.candidates.deciding import decide
from generation.candidates.models import CandidateQuerySet, CandidateState
from generation.models import Candidate
from generation.runs.serializers import CandidateSerializer, DecisionSerializer

RUN = OpenApiParameter("run", OpenApiTypes.STR, OpenApiParameter.PATH, description="Key of the run.")
THRESHOLD = OpenApiParameter("threshold", OpenApiTypes.FLOAT, description="For `passed`; default: the run's.")


class CandidateFilter(filters.FilterSet):
    state = filters.ChoiceFilter(choices=CandidateState.choices)
    group = filters.CharFilter(field_name="target__name")
    clean = filters.BooleanFilter(method="only_clean")

    class Meta:
        model = Candidate
        fields = ["state", "group"]

    def only_clean(self, rows: CandidateQuerySet, name: str, value: bool) -> CandidateQuerySet:
        return rows.filter(findings=[]) if value else rows.exclude(findings=[])


@extend_schema(parameters=[RUN, THRESHOLD])
class CandidateViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Candidate]):
    """Candidates of a run; for experts and maintainers."""

    queryset = Candidate.objects.none()
    serializer_class = CandidateSerializer
    permission_classes = [SignedIn]
    filterset_class = CandidateFilter
    lookup_field = "number"
    lookup_value_regex = r"\d{1,9}"

    def get_queryset(self) -> CandidateQuerySet:
        rows = Candidate.objects.visible_to(self.request.user).filter(run__key=self.kwargs.get("run"))
        return rows.for_deciding().order_by("number")

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        if asked := self.request.query_params.get("threshold") if self.request else None:
            try:
                threshold = float(asked)
            except ValueError:
                threshold = -1.0
            if not 0 <= threshold <= 1:
                raise BadInput(_("threshold: '%(given)s' is not a number between 0 and 1.", given=asked))
            context["threshold"] = threshold
        return context

    @extend_schema(request=DecisionSerializer, responses=CandidateSerializer)
    @action(detail=True, methods=["post"])
    def decide(self, request: Request, run: str, number: int) -> Response:
        """Accept, reject (with a reason), edit (with a text) or reconsider. Refused (409) once it is accepted."""
        candidate = self.get_object()
        asked = DecisionSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        decide(candidate, by=cast(User, request.user), **asked.validated_data)
        return Response(self.get_serializer(self.get_queryset().get(pk=candidate.pk)).data)
