"""Requests and answers of labels in and cases out."""

from typing import Any

from rest_framework import serializers

from annotation.labels.options import LabelExportOptions, TakeBackOptions, ToolExportOptions
from core.options.serializers import OptionsSerializer


class ToolExportSerializer(OptionsSerializer[ToolExportOptions]):
    options = ToolExportOptions


class LabelExportSerializer(OptionsSerializer[LabelExportOptions]):
    options = LabelExportOptions


class TakeBackSerializer(OptionsSerializer[TakeBackOptions]):
    options = TakeBackOptions


class ReversalEffectSerializer(serializers.Serializer[Any]):
    """What taking an import back did, or would do. Cases are counted by what counts for them afterwards."""

    campaign = serializers.CharField()
    labels = serializers.IntegerField()
    annotators = serializers.IntegerField()
    earlier_verdict = serializers.IntegerField()
    no_verdict = serializers.IntegerField()
    decided = serializers.IntegerField(help_text="Cases about which a person decided; the decision stays.")
    unchanged = serializers.IntegerField()
    left_out = serializers.IntegerField()
    restored = serializers.IntegerField()
    releases = serializers.ListField(child=serializers.CharField(), help_text="Releases that keep the labels.")
    dry_run = serializers.BooleanField()
