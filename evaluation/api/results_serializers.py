"""What models and runs look like over the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from evaluation.models import DetectionModel, EvaluationRun


class ModelSerializer(serializers.ModelSerializer[DetectionModel]):
    versions = serializers.SerializerMethodField()
    url = serializers.CharField(source="get_absolute_url", read_only=True)

    class Meta:
        model = DetectionModel
        fields = ("key", "name", "description", "trained_on", "on_leaderboard", "created_at", "versions", "url")
        read_only_fields = fields

    def get_versions(self, model: DetectionModel) -> list[dict[str, Any]]:
        return [
            {"number": version.number, "fingerprint": version.fingerprint, "created_at": version.created_at}
            for version in model.versions.all()
        ]


class RegisterSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=160)
    spec = serializers.JSONField(help_text="A text such as hf:FOLDER_OR_ID, or an object with kind, model and options.")
    description = serializers.CharField(required=False, allow_blank=True)
    trained_on = serializers.ListField(child=serializers.CharField(), required=False)
    on_leaderboard = serializers.BooleanField(required=False)
    release = serializers.CharField(required=False, help_text="suite@version: run it there at once.")


class JobReferenceSerializer(serializers.Serializer[Any]):
    job = serializers.CharField()
    state = serializers.CharField()


class RunSerializer(serializers.ModelSerializer[EvaluationRun]):
    release = serializers.CharField(source="release.key", read_only=True)
    model = serializers.CharField(source="model_version.model.name", read_only=True)
    model_version = serializers.IntegerField(source="model_version.number", read_only=True)
    done = serializers.SerializerMethodField()
    total = serializers.SerializerMethodField()
    message = serializers.SerializerMethodField()
    job = serializers.CharField(source="job.key", read_only=True, default=None, allow_null=True)
    url = serializers.CharField(source="get_absolute_url", read_only=True)

    class Meta:
        model = EvaluationRun
        fields = (
            *("key", "release", "model", "model_version", "source", "state", "done", "total", "message"),
            *("error", "job", "created_at", "finished_at", "url"),
        )
        read_only_fields = fields

    def get_done(self, run: EvaluationRun) -> int:
        return run.release.facts.get("included", 0) if run.state == "done" else run.job.done if run.job else 0

    def get_total(self, run: EvaluationRun) -> int | None:
        known: int | None = run.release.facts.get("included")
        return known if known is not None else run.job.total if run.job else None

    def get_message(self, run: EvaluationRun) -> str:
        return run.job.message if run.job else ""


class StartSerializer(serializers.Serializer[Any]):
    """JSON: release and model (or spec). Multipart: release, model and the file `predictions`."""

    release = serializers.CharField(help_text="suite@version")
    model = serializers.CharField(max_length=160, required=False, help_text="Name or key of a model.")
    spec = serializers.JSONField(required=False, help_text="Instead of a registered model.")
    predictions = serializers.FileField(required=False)
    allow_missing = serializers.BooleanField(default=False)
