"""Formats of readers whose language is not English: how Django shows dates and numbers there, and nothing it reads."""

from importlib import import_module
from typing import Any

SHOWN = (
    "DATE_FORMAT", "DATETIME_FORMAT", "DECIMAL_SEPARATOR", "MONTH_DAY_FORMAT", "NUMBER_GROUPING", "SHORT_DATE_FORMAT",
    "SHORT_DATETIME_FORMAT", "THOUSAND_SEPARATOR", "TIME_FORMAT", "YEAR_MONTH_FORMAT",
)  # fmt: skip


def shown_in(language: str) -> dict[str, Any]:
    formats = import_module(f"django.conf.locale.{language}.formats")
    return {name: getattr(formats, name) for name in SHOWN}
