"""What goes over the wire when a campaign is made, changed and filled. For maintainers."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.urls import reverse
from rest_framework import serializers

from accounts.api.fields import StorableJSONField
from annotation.api.managing_types import CampaignSerializer
from annotation.models import Campaign, CampaignItem
from annotation.models.campaigns import CrowdPlatform, Role, Source
from annotation.services.choosing import Selection
from curation.models import Language, Suite
from curation.models.cases import Origin

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
        return reverse("annotation:crowd_entry", args=[campaign.entry_key]) if campaign.entry_key else ""


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
