"""Runs and candidates as programs see them."""

from typing import Any

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from core.text import recall, shown
from generation.candidates.deciding import Rule
from generation.checks.options import StudyOptions
from generation.checks.validating import LONGEST_NAME, verdict_of
from generation.models import Candidate, GenerationPlan, GenerationRun
from generation.runs.options import PlanOptions, RunOptions

DECISIONS = ["accept", "reject", "edit", "reconsider"]


class KeptJSONField(serializers.JSONField):
    """JSON that holds sentences, which are shown in the reader's language."""

    def to_representation(self, value: Any) -> Any:
        return shown(recall(super().to_representation(value)))


class GenerationRunSerializer(serializers.ModelSerializer[GenerationRun]):
    plan = serializers.CharField(source="plan.key", read_only=True, allow_null=True, default=None)
    suite = serializers.CharField(source="suite.key", read_only=True)
    language = serializers.CharField(source="language.code", read_only=True)
    functionality = serializers.CharField(source="functionality.key", read_only=True)
    groups = serializers.SerializerMethodField()
    prompt_version = serializers.IntegerField(source="prompt.number", read_only=True)
    job = serializers.CharField(source="job.key", read_only=True, allow_null=True)

    class Meta:
        model = GenerationRun
        fields = [
            *("key", "plan", "suite", "language", "functionality", "groups", "prompt_version", "model", "wanted"),
            *("per_request", "seed", "nli_model", "rule_set", "threshold", "thresholds", "state", "stopped_because"),
            *("counts", "job", "created_at", "finished_at"),
        ]
        read_only_fields = fields

    def get_groups(self, run: GenerationRun) -> list[str]:
        return [target.name for target in run.targets.all()]


class GenerationPlanSerializer(serializers.ModelSerializer[GenerationPlan]):
    """A plan with its runs. `skipped` says which runs could not be planned, and why."""

    suite = serializers.CharField(source="suite.key", read_only=True)
    skipped = KeptJSONField(read_only=True, help_text="Which runs could not be planned, and why.")
    runs = GenerationRunSerializer(many=True, read_only=True)

    class Meta:
        model = GenerationPlan
        fields = ["key", "suite", "skipped", "runs", "created_at"]
        read_only_fields = fields


class NewRunSerializer(OptionsSerializer[RunOptions]):
    options = RunOptions


class NewPlanSerializer(OptionsSerializer[PlanOptions]):
    options = PlanOptions


class RunEstimateSerializer(serializers.Serializer[Any]):
    """What a run takes if every answer is as long as it may be; `most_…`: if the model declines or repeats itself."""

    requests = serializers.IntegerField()
    reused = serializers.IntegerField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    cost = serializers.FloatField()
    most_requests = serializers.IntegerField()
    most_cost = serializers.FloatField()


class CandidateSerializer(serializers.ModelSerializer[Candidate]):
    run = serializers.CharField(source="run.key", read_only=True)
    group = serializers.CharField(source="target.name", read_only=True, allow_null=True)
    case = serializers.CharField(source="case.key", read_only=True, allow_null=True)
    findings = KeptJSONField(read_only=True, help_text="What screening found: check, problem, other.")
    checks = KeptJSONField(read_only=True, help_text="scores and rule_tests by test, model, rule_set; or a reason.")
    passed = serializers.SerializerMethodField()

    class Meta:
        model = Candidate
        fields = [
            *("run", "number", "group", "text", "original_text", "findings", "checks", "passed", "state", "reason"),
            *("decided_at", "case"),
        ]
        read_only_fields = fields

    def get_passed(self, candidate: Candidate) -> bool | None:
        """Return whether it passes at the run's threshold, or at that of the address; null where it was not checked."""
        return verdict_of(candidate.checks, candidate.run, threshold=self.context.get("threshold")).passed


class DecisionSerializer(serializers.Serializer[Any]):
    """What to do with a candidate. `reason` goes with reject, `text` with edit."""

    decision = serializers.ChoiceField(choices=DECISIONS)
    reason = serializers.CharField(default="", allow_blank=True, max_length=1000)
    text = serializers.CharField(default="", allow_blank=True, max_length=10_000)


class CheckSerializer(serializers.Serializer[Any]):
    model = serializers.CharField(max_length=LONGEST_NAME, help_text="Folder or hub id of an inference model.")


class ThresholdsSerializer(serializers.Serializer[Any]):
    """Above what a hypothesis holds: `threshold` for all, `thresholds` for single ones, by test."""

    threshold = serializers.FloatField(min_value=0, max_value=1)
    thresholds = serializers.DictField(child=serializers.FloatField(min_value=0, max_value=1), default=dict)


class RuleSerializer(serializers.Serializer[Any]):
    rule = serializers.ChoiceField(choices=Rule.choices)
    threshold = serializers.FloatField(min_value=0, max_value=1, required=False, allow_null=True, default=None)


class BulkReportSerializer(serializers.Serializer[Any]):
    accepted = serializers.IntegerField()
    rejected = serializers.IntegerField()
    skipped = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class StudySerializer(OptionsSerializer[StudyOptions]):
    options = StudyOptions


class StudyResultSerializer(serializers.Serializer[Any]):
    """The suite of a validation study, and how many candidates it gained: those the validator keeps, and the others."""

    suite = serializers.CharField(source="suite.key")
    added = serializers.IntegerField()
    kept = serializers.IntegerField()
    rejected = serializers.IntegerField()
