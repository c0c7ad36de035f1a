"""Data sets and attacks as JSON."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from curation.models import Job
from evaluation.models import Attack, AttackScore, Dataset, ModelVersion
from evaluation.services.attack_recipes import RULES

Json = dict[str, Any]


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = ["key", "title", "language", "labels", "counts", "mapping", "sha256", "created_at"]
        read_only_fields = fields


class NewDatasetSerializer(serializers.Serializer[Any]):
    """A labelled file (CSV, TSV, JSON Lines or Parquet) and how to read it; empty columns are found by their names.

    With files for further parts, the first one is the training part; lists of ids tell the parts of one file apart.
    """

    title = serializers.CharField(max_length=160)
    file = serializers.FileField()
    language = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    text_column = serializers.CharField(required=False, default="", allow_blank=True)
    label_column = serializers.CharField(required=False, default="", allow_blank=True)
    split_column = serializers.CharField(required=False, default="", allow_blank=True)
    id_column = serializers.CharField(required=False, default="", allow_blank=True)
    extra_columns = serializers.ListField(
        child=serializers.CharField(), required=False, default=list, help_text="Further columns to keep."
    )
    dev_file = serializers.FileField(required=False, help_text="The validation part, if it is a file of its own.")
    test_file = serializers.FileField(required=False, help_text="The test part, if it is a file of its own.")
    train_ids = serializers.FileField(required=False, help_text="Ids of the training rows, one per line.")
    dev_ids = serializers.FileField(required=False, help_text="Ids of the validation rows, one per line.")
    test_ids = serializers.FileField(required=False, help_text="Ids of the test rows, one per line.")
    label_map = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        help_text="One line per label: `0 = abusive`; nothing leaves it out.",
    )


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


class AttackSerializer(serializers.ModelSerializer[Attack]):
    dataset: serializers.SlugRelatedField[Dataset] = serializers.SlugRelatedField(slug_field="key", read_only=True)
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )
    is_built = serializers.BooleanField(read_only=True)

    class Meta:
        model = Attack
        fields = ["key", "title", "dataset", "seed", "choices", "manifest", "sha256", "is_built", "job", "created_at"]
        read_only_fields = fields


class NewAttackSerializer(serializers.Serializer[Any]):
    dataset = serializers.SlugField(help_text="The key of a data set with a training and a test part.")
    title = serializers.CharField(required=False, default="", allow_blank=True, max_length=160)
    seed = serializers.IntegerField(default=1)
    abusive = serializers.ListField(child=serializers.CharField(), default=list, help_text="Labels that mean abuse.")
    language = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    rules = serializers.ChoiceField(choices=sorted(RULES), default="paper")
    identifiers = serializers.ListField(child=serializers.CharField(), default=list, help_text="Names of groups.")
    words = serializers.IntegerField(default=100, min_value=1)
    dictionary_size = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=1,
        help_text="Count the most frequent words only. Default: all by the paper's rules, 1,500 by the others.",
    )
    fewest_hashtags = serializers.IntegerField(default=1, min_value=1)
    most_hashtags = serializers.IntegerField(default=5, min_value=1)
    lexicon = serializers.FileField(required=False, help_text="Offensive lemmas in HurtLex's format.")
    templates = serializers.FileField(required=False, help_text="Quotation templates, one per line with <post>.")


class AttackModelSerializer(serializers.Serializer[Any]):
    """A registered model by its key, and which of its versions; the newest without."""

    model = serializers.SlugField()
    version = serializers.IntegerField(required=False, min_value=1)

    def find(self) -> ModelVersion:
        """The version that is meant. Refuses one that is not registered."""
        values = self.validated_data
        found = ModelVersion.objects.select_related("model").filter(model__key=values["model"])
        if "version" in values:
            found = found.filter(number=values["version"])
        version = found.order_by("-number").first()
        if version is None:
            raise serializers.ValidationError({"model": ["No such model or version is registered."]})
        return version


class AnswersSerializer(serializers.Serializer[Any]):
    """The answer files, or one zip archive of them."""

    name = serializers.CharField(max_length=200)
    replace = serializers.BooleanField(
        default=False, help_text="Take the place of answers handed in before under this name; those are kept."
    )
    archive = serializers.FileField(required=False, help_text="A zip archive of answer files.")
    files = serializers.ListField(
        child=serializers.FileField(), required=False, default=list, help_text="The answer files themselves."
    )


class AttackSuiteSerializer(serializers.Serializer[Any]):
    key = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=160, required=False, default="", allow_blank=True)
    sample = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
