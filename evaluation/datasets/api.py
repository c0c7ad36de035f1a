"""Data sets for programs."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import FormParser, JSONParser, MultiPartParser
from evaluation.artefacts.api import ArtefactViewSet
from evaluation.datasets.models import DatasetQuerySet
from evaluation.datasets.serializers import DatasetSerializer, NewDatasetSerializer
from evaluation.datasets.services import delete_dataset
from evaluation.datasets.uploads import import_labelled
from evaluation.models import Dataset
from evaluation.results.serializers import JobReferenceSerializer
from evaluation.training.feedback import request_check, request_inoculation
from evaluation.training.serializers import ContaminationSerializer, InoculationSerializer


class DatasetViewSet(ArtefactViewSet[Dataset]):
    """Your labelled data; for maintainers, everybody's."""

    queryset = Dataset.objects.none()
    serializer_class = DatasetSerializer
    parser_classes = [MultiPartParser, FormParser, JSONParser]

    def get_queryset(self) -> DatasetQuerySet:
        return Dataset.objects.visible_to(self.request.user)

    @extend_schema(request=NewDatasetSerializer, responses={201: DatasetSerializer})
    def create(self, request: Request) -> Response:
        """Import a labelled file. Refused (422) with every bad row named; then nothing is kept."""
        dataset = import_labelled(self.chosen(NewDatasetSerializer), by=self.person)
        return Response(DatasetSerializer(dataset).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=ContaminationSerializer, responses={202: JobReferenceSerializer})
    @action(detail=True, methods=["post"])
    def contamination(self, request: Request, key: str) -> Response:
        """Look for cases of releases in the data; the leaks are in the job's result."""
        job = request_check(self.get_object(), self.chosen(ContaminationSerializer), by=self.person)
        return Response({"job": job.key, "state": job.state}, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=InoculationSerializer, responses={202: JobReferenceSerializer})
    @action(detail=True, methods=["post"])
    def inoculation(self, request: Request, key: str) -> Response:
        """Train with more and more of this material added to a data set; the curve is in the job's result."""
        job = request_inoculation(self.get_object(), self.chosen(InoculationSerializer), by=self.person)
        return Response({"job": job.key, "state": job.state}, status=status.HTTP_202_ACCEPTED)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, key: str) -> Response:
        """Delete a data set that nothing was made of. Refused (409) otherwise."""
        delete_dataset(self.get_object(), by=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)
