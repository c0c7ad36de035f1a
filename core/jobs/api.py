"""Jobs for programs: look, stop, resume."""

from typing import cast

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.jobs import services as jobs
from core.jobs.models import JobQuerySet, JobState
from core.json_fields import SentencesSerializerField
from core.models import Job


class JobSerializer(serializers.ModelSerializer[Job]):
    share_done = serializers.FloatField(allow_null=True, read_only=True, help_text="Between 0 and 1; null if unknown.")
    is_finished = serializers.BooleanField(read_only=True)
    result = SentencesSerializerField(read_only=True, allow_null=True)
    error = serializers.CharField(source="reason", read_only=True, help_text="One sentence; empty if nothing failed.")

    class Meta:
        model = Job
        fields = [
            *("key", "kind", "title", "state", "is_finished", "done", "total", "share_done", "message"),
            *("result", "error", "result_url", "attempts", "cancel_requested"),
            *("created_at", "started_at", "finished_at"),
        ]
        read_only_fields = fields


class JobFilter(filters.FilterSet):
    state = filters.ChoiceFilter(choices=JobState.choices)
    kind = filters.CharFilter()

    class Meta:
        model = Job
        fields = ["state", "kind"]


class JobViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Job]):
    """Your jobs; for maintainers, everybody's."""

    queryset = Job.objects.none()
    serializer_class = JobSerializer
    permission_classes = [SignedIn]
    filterset_class = JobFilter
    lookup_field = "key"

    def get_queryset(self) -> JobQuerySet:
        return Job.objects.visible_to(self.request.user)

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, key: str) -> Response:
        """Ask the job to stop. Refused (409) once it is finished."""
        job = self.get_object()
        jobs.cancel(job, by=cast(User, request.user))
        return Response(JobSerializer(job).data)

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, key: str) -> Response:
        """Run a failed or stopped job again, from its checkpoint. Refused (409) in any other state."""
        job = self.get_object()
        jobs.resume(job, by=cast(User, request.user))
        return Response(JobSerializer(job).data)
