"""Splits and experiments as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from core.text import recall, shown
from curation.models import Suite
from evaluation.artefacts.api import ArtefactSerializer
from evaluation.models import Experiment, ExperimentResult, Split
from evaluation.splits.experiments import compare_methods, explain_drops, summarise
from evaluation.splits.options import ExperimentOptions, SplitOptions, SplitReleaseOptions


class SplitSerializer(ArtefactSerializer[Split]):
    is_built = serializers.BooleanField(read_only=True)
    suite: serializers.SlugRelatedField[Suite] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True, help_text="What its releases are made of."
    )

    class Meta:
        model = Split
        fields = (
            *("key", "title", "dataset", "method", "seed", "choices", "report", "sha256", "is_built", "suite", "job"),
            "created_at",
        )
        read_only_fields = fields

    def to_representation(self, split: Split) -> dict[str, Any]:
        facts: dict[str, Any] = super().to_representation(split)
        report = recall(facts["report"])
        # What names the vectors is the same in every language, as it is in the files.
        told = {name: value if name == "representation" else shown(value) for name, value in report.items()}
        return facts | {"report": told}


class NewSplitSerializer(OptionsSerializer[SplitOptions]):
    options = SplitOptions


class SplitReleaseSerializer(OptionsSerializer[SplitReleaseOptions]):
    options = SplitReleaseOptions


class ReleasedSplitSerializer(serializers.Serializer[Any]):
    release = serializers.CharField(help_text="suite@version; publish it under /releases/ when its job is done.")
    job = serializers.CharField()


class ResultSerializer(serializers.ModelSerializer[ExperimentResult]):
    split: serializers.SlugRelatedField[Split] = serializers.SlugRelatedField(slug_field="key", read_only=True)

    class Meta:
        model = ExperimentResult
        fields = ["split", "seed", "test", "independent", "finished_at"]
        read_only_fields = fields


class ExperimentSerializer(ArtefactSerializer[Experiment]):
    results = ResultSerializer(many=True, read_only=True)
    summary = serializers.SerializerMethodField(
        help_text="By split: mean and standard error over training seeds, and the drop against the random splits."
    )
    methods = serializers.SerializerMethodField(
        help_text="By way of splitting: mean over cluster seeds, standard error between them, drop, p and p_holm."
    )

    correlations = serializers.SerializerMethodField(
        help_text="Pearson's r of each property of the splits with the drop in F1."
    )

    class Meta:
        model = Experiment
        fields = [
            *("key", "dataset", "trainer", "seeds", "options", "results", "summary", "methods", "correlations"),
            *("job", "created_at"),
        ]
        read_only_fields = fields

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_summary(self, experiment: Experiment) -> list[dict[str, Any]]:
        return [{**row, "split": row["split"].key} for row in summarise(experiment)]

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_methods(self, experiment: Experiment) -> list[dict[str, Any]]:
        return compare_methods(experiment)

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_correlations(self, experiment: Experiment) -> list[dict[str, Any]]:
        return explain_drops(experiment)


class NewExperimentSerializer(OptionsSerializer[ExperimentOptions]):
    options = ExperimentOptions
