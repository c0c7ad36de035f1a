"""Data sets as JSON."""

from typing import Any

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from core.text import recall, shown
from evaluation.datasets.options import DatasetOptions
from evaluation.models import Dataset


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = ["key", "title", "language", "labels", "counts", "mapping", "sha256", "created_at"]
        read_only_fields = fields

    def to_representation(self, dataset: Dataset) -> dict[str, Any]:
        facts: dict[str, Any] = super().to_representation(dataset)
        return facts | {"mapping": shown(recall(facts["mapping"]))}


class NewDatasetSerializer(OptionsSerializer[DatasetOptions]):
    options = DatasetOptions
