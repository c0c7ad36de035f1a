"""Serializer fields that several apps use."""

from typing import Any

from rest_framework import serializers

from accounts.plain_values import TOO_DEEP, problem_with


class StorableJSONField(serializers.JSONField):
    """Any JSON value that a database can keep. In a form it stands as text, whose escapes no parser has seen."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            value = super().to_internal_value(data)
        except RecursionError as error:
            raise serializers.ValidationError(TOO_DEEP) from error
        if problem := problem_with(value):
            raise serializers.ValidationError(problem)
        return value
