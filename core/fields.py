"""Columns that keep what people read."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from core.text import KEPT, Text, keep, recall

if TYPE_CHECKING:
    TextColumn = models.TextField[Any, Any]
else:
    TextColumn = models.TextField

BEGINS = f'{{"{KEPT}": '


class SentenceField(TextColumn):
    """A text column that keeps the message and values of a text, so that each reader sees it in their own language.

    Plain strings are kept as they are. Search such a column by its English words with care: they are the message's.
    """

    def get_prep_value(self, value: Any) -> Any:
        if isinstance(value, Text):
            return json.dumps(keep(value), ensure_ascii=False)
        return super().get_prep_value(value)

    def from_db_value(self, value: str | None, expression: object, connection: BaseDatabaseWrapper) -> str | None:
        if value is None or not value.startswith(BEGINS):
            return value
        try:
            found = recall(json.loads(value))
        except ValueError:
            return value
        return found if isinstance(found, Text) else value
