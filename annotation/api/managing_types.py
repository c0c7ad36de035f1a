"""What goes over the wire about campaigns, for experts and maintainers. Nothing here is ever sent to annotators."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models import Adjudication, Campaign
from annotation.models.decisions import Decision
from annotation.services.agreement_report import KEYS
from annotation.services.disputes import Disputed
from annotation.services.label_files import LAYOUTS
from curation.models import Exclusion
from curation.models.releases import Cascade
from curation.models.suites import Policy


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    suite = serializers.SlugRelatedField(slug_field="key", read_only=True)  # type: ignore[var-annotated]
    language = serializers.SlugRelatedField(slug_field="code", read_only=True, allow_null=True)  # type: ignore[var-annotated]
    previous_round = serializers.SlugRelatedField(slug_field="key", read_only=True, allow_null=True)  # type: ignore[var-annotated]

    class Meta:
        model = Campaign
        fields = [
            *("key", "title", "suite", "language", "question", "labels", "raters", "threshold", "mode", "state"),
            *("previous_round", "created_at", "opened_at", "closed_at"),
        ]
        read_only_fields = fields


class AnnotatorProgressSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="participation.annotator.pseudonym")
    state = serializers.CharField(source="participation.state")
    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True, help_text="Null in a crowd, where nobody has a fixed share.")
    last = serializers.DateTimeField(allow_null=True)
    needs_help = serializers.ListField(child=serializers.CharField())


class FunctionalityProgressSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class PaceSerializer(serializers.Serializer[Any]):
    per_day = serializers.FloatField(allow_null=True)
    finishes = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(help_text="Why there is no estimate.")


class CampaignProgressSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    pace = PaceSerializer()
    people = AnnotatorProgressSerializer(many=True)
    functionalities = FunctionalityProgressSerializer(many=True)


class OpinionSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    comment = serializers.CharField()
    is_unrealistic = serializers.BooleanField()
    because = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)


class AdjudicationSerializer(serializers.ModelSerializer[Adjudication]):
    case = serializers.CharField(source="case.key", read_only=True)
    new_case = serializers.CharField(source="new_case.key", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Adjudication
        fields = ["case", "decision", "reason", "new_case", "decided_at"]
        read_only_fields = fields


class DisputedSerializer(serializers.Serializer[Disputed]):
    case = serializers.CharField(source="item.case.key")
    text = serializers.CharField(source="item.case.text")
    language = serializers.CharField(source="item.case.language.code")
    functionality = serializers.CharField(source="item.case.functionality.key")
    label_gold = serializers.CharField(source="item.case.functionality.gold_label")
    given = serializers.IntegerField()
    agreeing = serializers.IntegerField()
    opinions = OpinionSerializer(many=True)
    decision = AdjudicationSerializer(allow_null=True)


class DecideSerializer(serializers.Serializer[Any]):
    decision = serializers.ChoiceField(choices=Decision.choices)
    reason = serializers.CharField()
    new_text = serializers.CharField(required=False, allow_blank=True, default="", help_text="For 'reword'.")


class MessageSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=2000)
    annotator = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="A pseudonym; for all if empty."
    )


class RulesSerializer(serializers.Serializer[Any]):
    """Rules that are left out are those of the standing decision, otherwise the suite's."""

    policy = serializers.ChoiceField(choices=Policy.choices, required=False)
    min_agree = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, help_text="Labels that must equal gold; 0 asks for none."
    )
    cascade = serializers.ChoiceField(choices=Cascade.choices, required=False)
    expected = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        help_text="How many the preview said would go.",
    )


class LeftOutSerializer(serializers.Serializer[Any]):
    case = serializers.CharField()
    reason = serializers.CharField()
    because_of = serializers.CharField()


class DecisionPreviewSerializer(serializers.Serializer[Any]):
    policy = serializers.CharField()
    min_agree = serializers.IntegerField()
    cascade = serializers.CharField()
    going_by_reason = serializers.DictField(child=serializers.IntegerField())
    going = LeftOutSerializer(many=True)
    returning = serializers.IntegerField()
    validated = serializers.IntegerField()
    unlabelled = serializers.IntegerField()


class ExclusionSerializer(serializers.ModelSerializer[Exclusion]):
    case = serializers.CharField(source="case.key", read_only=True)

    class Meta:
        model = Exclusion
        fields = ["case", "reason", "because_of", "note", "created_at"]
        read_only_fields = fields


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()


class ByQuerySerializer(serializers.Serializer[Any]):
    by = serializers.ChoiceField(choices=KEYS, required=False)


class LabelFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()
    layout = serializers.ChoiceField(choices=LAYOUTS, required=False)
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    dry_run = serializers.BooleanField(required=False, default=False)


class PaymentSerializer(serializers.Serializer[Any]):
    """One line of the payment list."""

    annotator = serializers.CharField()
    platform = serializers.CharField()
    participant = serializers.CharField(help_text="The platform's id of the person.")
    study = serializers.CharField()
    session = serializers.CharField()
    state = serializers.CharField()
    reason = serializers.CharField()
    labels = serializers.IntegerField()
    checks = serializers.IntegerField()
    checks_failed = serializers.IntegerField()
    minutes = serializers.DecimalField(max_digits=12, decimal_places=1)
    amount = serializers.DecimalField(max_digits=12, decimal_places=2, allow_null=True)
    currency = serializers.CharField()
