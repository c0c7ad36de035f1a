"""What goes over the wire about campaigns, for experts and maintainers. Nothing here is ever sent to annotators."""

from typing import Any

from django.db import models
from django.urls import reverse
from rest_framework import serializers

from accounts.api.fields import StorableJSONField
from annotation.agreement.disputes import Disputed
from annotation.agreement.models import Decision
from annotation.agreement.options import DecisionOptions
from annotation.agreement.suite_report import KEYS
from annotation.campaigns.choosing import Selection
from annotation.campaigns.guidelines import LONGEST
from annotation.campaigns.models import CrowdPlatform, Role, Source
from annotation.labels.files import LAYOUTS
from annotation.models import Adjudication, Campaign, CampaignItem, Guideline
from core.options.serializers import OptionsSerializer
from curation.cases.models import Origin
from curation.models import Exclusion, Language, Suite


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


SETTINGS = (
    "question", "prompt", "labels", "binarise_above", "raters", "threshold", "mode", "platform",
    "invited_only",
    "group_members_first", "batch_size", "lease_minutes", "per_annotator", "check_every", "pass_mark",
    "qualification_tries", "consent_text", "asks_demographics", "pay_unit", "pay_amount", "pay_currency",
    "seconds_per_case", "quality_rules", "completion_code", "completion_url",
)  # fmt: skip
KNOWN_ANSWER_ROLES = [(role.value, role.label) for role in (Role.TRAINING, Role.TEST, Role.CHECK)]


class SelectionSerializer(serializers.Serializer[Any]):
    """Which cases; an empty list means all."""

    functionalities = serializers.ListField(child=serializers.CharField(), required=False)
    targets = serializers.ListField(child=serializers.CharField(), required=False)
    origins = serializers.ListField(child=serializers.ChoiceField(choices=Origin.choices), required=False)
    keys = serializers.ListField(child=serializers.CharField(), required=False, help_text="Keys of single cases.")
    only_unlabelled = serializers.BooleanField(required=False)
    sample = serializers.IntegerField(required=False, allow_null=True, min_value=1)


class NewCampaignSerializer(serializers.ModelSerializer[Campaign]):
    """What is not given comes from the suite and the newest guideline of the language."""

    suite = serializers.SlugRelatedField(slug_field="key", queryset=Suite.objects.all())
    language = serializers.SlugRelatedField(
        slug_field="code", queryset=Language.objects.all(), required=False, allow_null=True
    )
    labels = serializers.ListField(
        child=serializers.CharField(max_length=60), required=False, help_text="Own answers, for the question 'choice'."
    )
    selection = SelectionSerializer(required=False)
    guideline_version = serializers.IntegerField(
        required=False, min_value=1, write_only=True, help_text="Of the language's guideline; the newest if left out."
    )

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping, models.JSONField: StorableJSONField,
    }  # fmt: skip

    class Meta:
        model = Campaign
        fields = ["title", "suite", "language", "selection", "guideline_version", *SETTINGS]
        validators: list[Any] = []  # the service says what to do, not only which constraint is violated

    def settings(self) -> dict[str, Any]:
        """What was given, as the services take it."""
        given = dict(self.validated_data)
        if "selection" in given:
            given["selection"] = Selection.from_json(given["selection"])
        return given


class ChangeCampaignSerializer(NewCampaignSerializer):
    """A draft stays with its suite."""

    suite = serializers.SlugRelatedField(slug_field="key", read_only=True)


class CampaignSettingsSerializer(CampaignSerializer):
    """The whole campaign, with its settings."""

    guideline = serializers.SerializerMethodField()
    completion_url = serializers.CharField(read_only=True, help_text="Empty where people get a code only.")
    crowd_link = serializers.SerializerMethodField(help_text="Where people from the campaign's platform come in.")

    class Meta(CampaignSerializer.Meta):
        fields = [
            *CampaignSerializer.Meta.fields,
            *(name for name in SETTINGS if name not in CampaignSerializer.Meta.fields),
            *("selection", "guideline", "crowd_link"),
        ]
        read_only_fields = fields

    def get_guideline(self, campaign: Campaign) -> int | None:
        return campaign.guideline.version if campaign.guideline else None

    def get_crowd_link(self, campaign: Campaign) -> str:
        return reverse("annotation:crowd-entry", args=[campaign.entry_key]) if campaign.entry_key else ""


class PlatformSerializer(serializers.Serializer[Any]):
    platform = serializers.ChoiceField(
        choices=CrowdPlatform.choices, help_text="Empty for none: people with an account only."
    )


class CloseSerializer(serializers.Serializer[Any]):
    leave_out_incomplete = serializers.BooleanField(
        required=False, default=False, help_text="Cases without all labels get no verdict."
    )


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


class KnownAnswerSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    expected = serializers.CharField()
    explanation = serializers.CharField(required=False, allow_blank=True, default="")
    language = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Its code; may be left out where the campaign has one."
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


class ItemsSerializer(serializers.Serializer[Any]):
    """Own texts, or so many of the catalogue's examples or of the chosen cases."""

    role = serializers.ChoiceField(choices=KNOWN_ANSWER_ROLES)
    source = serializers.ChoiceField(choices=Source.values, required=False, default="own")  # type: ignore[assignment]
    number = serializers.IntegerField(required=False, default=8, min_value=1, max_value=200)
    items = KnownAnswerSerializer(many=True, required=False, default=list)


class EstimateSerializer(serializers.Serializer[Any]):
    """What a campaign asks of people and of the budget."""

    cases = serializers.IntegerField()
    labels = serializers.IntegerField()
    checks = serializers.IntegerField(help_text="About so many texts with a known answer come on top.")
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


class NewGuidelineSerializer(serializers.Serializer[Any]):
    language = serializers.CharField(max_length=20)
    title = serializers.CharField(max_length=160, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=LONGEST, help_text="Markdown.")
