"""JSON columns that keep what people read."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from rest_framework import serializers

from core.text import Text, keep, recall, shown

if TYPE_CHECKING:
    JSONColumn = models.JSONField[Any, Any]
else:
    JSONColumn = models.JSONField


class SentencesField(JSONColumn):
    """A JSON column that keeps its texts with message and values, so that each reader sees them in their language."""

    def get_prep_value(self, value: Any) -> Any:
        kept = keep(value) if isinstance(value, Text | Mapping | list | tuple) else value
        return super().get_prep_value(kept)

    def from_db_value(self, value: str | None, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return recall(super().from_db_value(value, expression, connection))


class SentencesSerializerField(serializers.JSONField):
    """The JSON of such a column with its texts in the reader's language."""

    def to_representation(self, value: Any) -> Any:
        return shown(super().to_representation(value))
