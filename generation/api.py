"""Work that is queued over the API and read back as jobs."""

from rest_framework import mixins, viewsets

from accounts.api.permissions import SignedIn
from core.jobs.api import JobSerializer
from core.jobs.models import JobQuerySet
from core.models import Job


class JobsOfOneKind(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Job]):
    """Your jobs of one kind; maintainers see those of everyone."""

    kind = ""
    queryset = Job.objects.none()
    serializer_class = JobSerializer
    permission_classes = [SignedIn]
    filter_backends = ()
    lookup_field = "key"

    def get_queryset(self) -> JobQuerySet:
        return Job.objects.visible_to(self.request.user).filter(kind=self.kind)
