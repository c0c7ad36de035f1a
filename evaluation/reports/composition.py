"""How many cases of each gold label a slice has: what a model that always gives one answer would get right there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SECTIONS = {
    "by_functionality": "functionality",
    "by_class": "functionality_class",
    "by_language": "language",
    "by_direction": "direction",
    "by_focus_word": "focus_word",
    "by_origin": "origin",
    "by_agreement": "agreement",
}

Composition = dict[str, dict[str, dict[str, int]]]


def gold_counts(rows: Iterable[Mapping[str, Any]]) -> Composition:
    """Section, key, gold label, number of cases. Target groups are counted in identity templates only, as measured."""
    found: Composition = {section: {} for section in (*SECTIONS, "by_label", "by_target")}
    for row in rows:
        gold = row["gold"]
        for section, name in SECTIONS.items():
            _count(found[section], row[name], gold)
        _count(found["by_label"], gold, gold)
        if row["is_identity_template"]:
            for target in row["targets"]:
                _count(found["by_target"], target, gold)
    return found


def _count(section: dict[str, dict[str, int]], key: str, gold: str) -> None:
    if key:
        labels = section.setdefault(key, {})
        labels[gold] = labels.get(gold, 0) + 1
