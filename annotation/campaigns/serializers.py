"""What goes over the wire about campaigns, for experts and maintainers. Nothing here is ever sent to annotators."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from annotation.agreement.disputes import Disputed
from annotation.agreement.models import Decision
from annotation.agreement.options import DecisionOptions, PerspectivesOptions
from annotation.agreement.suite_report import KEYS
from annotation.campaigns.options import (
    CampaignOptions,
    ChangeCampaignOptions,
    CloseOptions,
    GuidelineOptions,
    ItemOptions,
    ItemsOptions,
    NewCampaignOptions,
    PlatformOptions,
)
from annotation.campaigns.services import settings_of
from annotation.labels.options import LabelFileOptions
from annotation.models import Adjudication, Campaign, CampaignItem, Guideline
from core.options import API
from core.options.declaring import declared
from core.options.serializers import OptionsSerializer, serializer_field
from curation.models import Exclusion


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
    total = serializers.IntegerField(allow_null=True, help_text="Null in a crowd: no fixed share.")
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
    label_gold = serializers.CharField(source="item.case.gold_label")
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


class RulesSerializer(OptionsSerializer[DecisionOptions]):
    options = DecisionOptions


class PerspectivesSerializer(OptionsSerializer[PerspectivesOptions]):
    options = PerspectivesOptions


class LeftOutSerializer(serializers.Serializer[Any]):
    case = serializers.CharField()
    reason = serializers.CharField()
    because_of = serializers.CharField()


class DecisionPreviewSerializer(serializers.Serializer[Any]):
    policy = serializers.CharField()
    min_agree = serializers.IntegerField()
    cascade = serializers.CharField()
    without_labels = serializers.CharField()
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


class LabelFileSerializer(OptionsSerializer[LabelFileOptions]):
    options = LabelFileOptions


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
    name = serializers.CharField(help_text="Of the account, where it is asked for; then there is no pseudonym.")
    email = serializers.CharField(help_text="Of the account, where it is asked for.")


class NewCampaignSerializer(OptionsSerializer[NewCampaignOptions]):
    options = NewCampaignOptions


class ChangeCampaignSerializer(OptionsSerializer[ChangeCampaignOptions]):
    options = ChangeCampaignOptions


class PlatformSerializer(OptionsSerializer[PlatformOptions]):
    options = PlatformOptions


class CloseSerializer(OptionsSerializer[CloseOptions]):
    options = CloseOptions


class ItemsSerializer(OptionsSerializer[ItemsOptions]):
    options = ItemsOptions


class ItemSerializer(OptionsSerializer[ItemOptions]):
    options = ItemOptions


class NewGuidelineSerializer(OptionsSerializer[GuidelineOptions]):
    options = GuidelineOptions


class CampaignSettingsSerializer(CampaignSerializer):
    """The whole campaign, with its settings under the names of its options."""

    crowd_link = serializers.CharField(read_only=True, help_text="Where people from the campaign's platform come in.")

    class Meta(CampaignSerializer.Meta):
        fields = [*CampaignSerializer.Meta.fields, "crowd_link"]
        read_only_fields = fields

    def get_fields(self) -> dict[str, Any]:
        settings = {about.name: serializer_field(about) for about in declared(CampaignOptions, API)}
        return settings | super().get_fields()

    def to_representation(self, campaign: Campaign) -> dict[str, Any]:
        link = reverse("annotation:crowd-entry", args=[campaign.entry_key]) if campaign.entry_key else ""
        settings = CampaignOptions.model_construct(**settings_of(campaign)).plain()
        return {**settings, **CampaignSerializer(campaign).data, "crowd_link": link}


class CancelSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(required=False, allow_blank=True, default="")


class PeopleSerializer(serializers.Serializer[Any]):
    emails = serializers.ListField(child=serializers.EmailField(), allow_empty=False)


class PausePersonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=300, help_text="The person sees it.")


class EndSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=300, help_text="The person sees it.")
    replaced_by = serializers.EmailField(
        required=False, allow_blank=True, default="", help_text="Who gets the open cases; empty for all others, evenly."
    )


class KnownItemSerializer(serializers.ModelSerializer[CampaignItem]):
    """A text with a known answer; `id` removes it."""

    text = serializers.CharField(source="shown_text")
    language = serializers.CharField(source="shown_language.code", default=None)
    case = serializers.CharField(source="case.key", default=None, help_text="Where it is a case of the suite.")

    class Meta:
        model = CampaignItem
        fields = ["id", "role", "source", "text", "language", "expected", "explanation", "case"]
        read_only_fields = fields


class EstimateSerializer(serializers.Serializer[Any]):
    """What a campaign asks of people and of the budget."""

    cases = serializers.IntegerField()
    labels = serializers.IntegerField()
    checks = serializers.IntegerField(help_text="About this many attention checks come on top.")
    working_seconds = serializers.FloatField()
    cost = serializers.DecimalField(max_digits=None, decimal_places=2, allow_null=True)
    currency = serializers.CharField()
    cost_per_hour = serializers.DecimalField(max_digits=None, decimal_places=2, allow_null=True)


class AddedSerializer(serializers.Serializer[Any]):
    added = serializers.IntegerField()


class GuidelineSerializer(serializers.ModelSerializer[Guideline]):
    language = serializers.CharField(source="language.code")

    class Meta:
        model = Guideline
        fields = ["language", "version", "title", "text", "created_at"]
        read_only_fields = fields
