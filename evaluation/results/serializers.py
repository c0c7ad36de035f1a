"""Models, runs and links to results as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from accounts.links import public_url
from core.options.serializers import OptionsSerializer
from core.text import shown
from evaluation.models import DetectionModel, EvaluationRun, Prediction, SharedReport
from evaluation.results.options import DocumentOptions, GroupLabelsOptions, PictureOptions
from evaluation.training.options import TrainingOptions


class ModelSerializer(serializers.ModelSerializer[DetectionModel]):
    versions = serializers.SerializerMethodField()
    url = serializers.CharField(source="get_absolute_url", read_only=True)

    class Meta:
        model = DetectionModel
        fields = (
            *("key", "name", "description", "trained_on", "on_leaderboard", "is_starred", "created_at", "archived_at"),
            "versions",
            "url",
        )
        read_only_fields = fields

    def get_versions(self, model: DetectionModel) -> list[dict[str, Any]]:
        return [
            {"number": version.number, "fingerprint": version.fingerprint, "created_at": version.created_at}
            for version in model.versions.all()
        ]


class TrainingSerializer(OptionsSerializer[TrainingOptions]):
    options = TrainingOptions


class DocumentSerializer(OptionsSerializer[DocumentOptions]):
    options = DocumentOptions


class PictureSerializer(OptionsSerializer[PictureOptions]):
    options = PictureOptions


class GroupLabelsSerializer(OptionsSerializer[GroupLabelsOptions]):
    options = GroupLabelsOptions


class TrySerializer(serializers.Serializer[Any]):
    texts = serializers.ListField(child=serializers.CharField(allow_blank=True), help_text="A few, one answer each.")


class CostSerializer(serializers.Serializer[Any]):
    """Requests and tokens as far as they can be told before; answers at their longest."""

    requests = serializers.IntegerField(allow_null=True, default=None)
    input_tokens = serializers.IntegerField(allow_null=True, default=None)
    output_tokens = serializers.IntegerField(allow_null=True, default=None)
    cost = serializers.FloatField(allow_null=True, default=None, help_text="Null where the description has no price.")
    currency = serializers.CharField(allow_null=True, default=None)


class PredictionSerializer(serializers.ModelSerializer[Prediction]):
    """What a model said about one case, beside what is right."""

    case = serializers.CharField(source="release_case.key", read_only=True)
    text = serializers.CharField(source="release_case.text", read_only=True)
    language = serializers.CharField(source="release_case.language", read_only=True)
    functionality = serializers.CharField(source="release_case.functionality", read_only=True)
    gold = serializers.CharField(source="release_case.label", read_only=True)
    targets = serializers.ListField(child=serializers.CharField(), source="release_case.targets", read_only=True)

    class Meta:
        model = Prediction
        fields = (
            *("case", "text", "language", "functionality", "gold", "targets"),
            *("label", "score", "is_refusal", "error"),
        )
        read_only_fields = fields


class ChangedSerializer(PredictionSerializer):
    """What two models said about a case of which only one is right: `before` the first, `label` the second."""

    before = serializers.CharField(read_only=True, allow_null=True)

    class Meta:
        model = Prediction
        fields = (*PredictionSerializer.Meta.fields, "before")
        read_only_fields = fields


class JobReferenceSerializer(serializers.Serializer[Any]):
    job = serializers.CharField()
    state = serializers.CharField()


class RunSerializer(serializers.ModelSerializer[EvaluationRun]):
    release = serializers.CharField(source="release.key", read_only=True)
    model = serializers.CharField(source="model_version.model.name", read_only=True)
    model_version = serializers.IntegerField(source="model_version.number", read_only=True)
    languages = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Those it is restricted to; empty for all."
    )
    done = serializers.SerializerMethodField()
    total = serializers.SerializerMethodField()
    message = serializers.SerializerMethodField()
    job = serializers.CharField(source="job.key", read_only=True, default=None, allow_null=True)
    url = serializers.CharField(source="get_absolute_url", read_only=True)
    problems = serializers.SerializerMethodField(help_text="What was noted about an uploaded file.")

    class Meta:
        model = EvaluationRun
        fields = (
            *("key", "release", "model", "model_version", "source", "state", "languages", "done", "total", "message"),
            *("error", "job", "created_at", "finished_at", "archived_at", "url", "problems"),
        )
        read_only_fields = fields

    def get_problems(self, run: EvaluationRun) -> list[dict[str, Any]]:
        return list(shown(run.problems))

    def get_done(self, run: EvaluationRun) -> int:
        if run.state == "done":
            return int(run.report.values["overall"]["n"]) if run.languages else run.release.facts.get("included", 0)
        return run.job.done if run.job else 0

    def get_total(self, run: EvaluationRun) -> int | None:
        known: int | None = None if run.languages else run.release.facts.get("included")
        return known if known is not None else run.job.total if run.job else None

    def get_message(self, run: EvaluationRun) -> str:
        return str(run.job.message) if run.job else ""


class SharedReportSerializer(serializers.ModelSerializer[SharedReport]):
    """A link; anyone who knows its token sees the measures of its runs."""

    release = serializers.CharField(source="release.key", read_only=True)
    runs: serializers.SlugRelatedField[EvaluationRun] = serializers.SlugRelatedField(
        slug_field="key", many=True, read_only=True
    )
    url = serializers.SerializerMethodField()

    class Meta:
        model = SharedReport
        fields = ("token", "url", "release", "runs", "created_at")
        read_only_fields = fields

    @extend_schema_field(serializers.URLField())
    def get_url(self, shared: SharedReport) -> str:
        request: Request = self.context["request"]
        return public_url(request, shared.get_absolute_url())


class ShareSerializer(serializers.Serializer[Any]):
    runs = serializers.ListField(
        child=serializers.CharField(max_length=40), help_text="Keys of finished runs, all on one release."
    )
