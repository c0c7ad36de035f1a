"""Requests and answers about participants of a crowd."""

from typing import Any

from rest_framework import serializers

from annotation.people.options import BonusOptions, PaymentOptions, ReconcileOptions
from core.options.serializers import OptionsSerializer


class ReconcileSerializer(OptionsSerializer[ReconcileOptions]):
    options = ReconcileOptions


class PaymentOptionsSerializer(OptionsSerializer[PaymentOptions]):
    options = PaymentOptions


class BonusSerializer(OptionsSerializer[BonusOptions]):
    options = BonusOptions


class ReconciledSerializer(serializers.Serializer[Any]):
    """One participant: what the platform says, what was done here, and what to look at."""

    participant = serializers.CharField()
    annotator = serializers.CharField(help_text="The pseudonym; empty for a person who never took part here.")
    status = serializers.CharField(help_text="As the platform calls it; empty for a person who is not in the list.")
    started = serializers.DateTimeField(allow_null=True)
    completed = serializers.DateTimeField(allow_null=True)
    platform_minutes = serializers.DecimalField(max_digits=9, decimal_places=1, allow_null=True)
    labels = serializers.IntegerField()
    checks_failed = serializers.IntegerField()
    minutes = serializers.DecimalField(max_digits=9, decimal_places=1, allow_null=True)
    amount = serializers.DecimalField(max_digits=12, decimal_places=2, allow_null=True)
    currency = serializers.CharField()
    remark = serializers.CharField(help_text="What does not fit together; empty where everything agrees.")
