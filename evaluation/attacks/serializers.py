"""Attacks as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.models import Job
from core.options.serializers import OptionsSerializer
from core.text import recall, shown
from evaluation.artefacts.api import ArtefactSerializer
from evaluation.attacks.options import (
    AttackOptions,
    AttackRunOptions,
    AttackScoreOptions,
    AttackSpreadOptions,
    AttackSuiteOptions,
)
from evaluation.models import Attack, AttackScore, AttackSpread

Json = dict[str, Any]


class StaticSerializer(serializers.Serializer[Any]):
    attack = serializers.CharField()
    accuracy = serializers.DictField(child=serializers.FloatField(), help_text="By functionality.")
    release = serializers.CharField()


class AttackScoreSerializer(serializers.ModelSerializer[AttackScore]):
    model = serializers.CharField(source="name")
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )
    on_frontier = serializers.SerializerMethodField(help_text="No other model is better on all five scores.")

    static = serializers.SerializerMethodField(help_text="What the model reached in functionalities that ask the same.")

    class Meta:
        model = AttackScore
        fields = ["model", "values", "job", "on_frontier", "static", "created_at", "replaced_at"]
        read_only_fields = fields

    def to_representation(self, score: AttackScore) -> Json:
        facts: Json = super().to_representation(score)
        return facts | {"values": shown(recall(facts["values"]))}

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_on_frontier(self, score: AttackScore) -> bool | None:
        frontier: set[str] | None = self.context.get("frontier")
        if frontier is None or not score.values or score.replaced_at:
            return None
        return score.name in frontier

    @extend_schema_field(StaticSerializer(many=True))
    def get_static(self, score: AttackScore) -> list[Json]:
        static: dict[str, list[Json]] = self.context.get("static", {})
        return [] if score.replaced_at else static.get(score.name, [])


class AttackPostSerializer(serializers.Serializer[Any]):
    """A post of an attack; `answer` is None where no model was named or its answers are not kept."""

    line = serializers.IntegerField(help_text="Of the exchange file, counted from 1.")
    text = serializers.CharField(source="post.text")
    abusive = serializers.BooleanField(source="post.abusive", help_text="What it must be called.")
    answer = serializers.BooleanField(allow_null=True, help_text="Whether the model called it abusive.")


class AttackSerializer(ArtefactSerializer[Attack]):
    is_built = serializers.BooleanField(read_only=True)

    class Meta:
        model = Attack
        fields = ["key", "title", "dataset", "seed", "choices", "manifest", "sha256", "is_built", "job", "created_at"]
        read_only_fields = fields


class NewAttackSerializer(OptionsSerializer[AttackOptions]):
    options = AttackOptions


class AttackModelSerializer(OptionsSerializer[AttackRunOptions]):
    options = AttackRunOptions


class AnswersSerializer(OptionsSerializer[AttackScoreOptions]):
    options = AttackScoreOptions


class SpreadSerializer(OptionsSerializer[AttackSpreadOptions]):
    options = AttackSpreadOptions


class AttackSpreadSerializer(serializers.ModelSerializer[AttackSpread]):
    model = serializers.CharField(source="model_version", read_only=True)
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )

    class Meta:
        model = AttackSpread
        fields = ["model", "seeds", "values", "job", "created_at"]
        read_only_fields = fields


class AttackSuiteSerializer(OptionsSerializer[AttackSuiteOptions]):
    options = AttackSuiteOptions
