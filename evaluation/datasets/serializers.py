"""Data sets as JSON."""

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from evaluation.datasets.options import DatasetOptions
from evaluation.models import Dataset


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = ["key", "title", "language", "labels", "counts", "mapping", "sha256", "created_at"]
        read_only_fields = fields


class NewDatasetSerializer(OptionsSerializer[DatasetOptions]):
    options = DatasetOptions
