"""What the functionalities of a release test, as it was when the release was built: titles, examples, references."""

import json
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from django.conf import settings

from curation.models import Functionality, Release, ReleaseCase
from curation.publishing.annexes import AnnexTable

COLUMNS = (
    ("functionality", "key, as in the cases"),
    ("number", "number in the catalogue, such as F7"),
    ("class", "class of functionalities"),
    ("title", "what it is called"),
    ("label_gold", "the usual gold label of its cases; empty where they have several"),
    ("definition", "what its cases have in common"),
    ("example", "a mild example"),
    ("references", "where it was described, with semicolons between them"),
)


def functionalities_of(keys: Collection[str]) -> list[dict[str, str]]:
    """Return key, number, class, title, label and example of functionalities, in the order of the catalogue."""
    return [
        {
            "key": found.key,
            "number": found.number,
            "class": found.functionality_class.title,
            "title": found.title,
            "label": found.gold_label,
            "example": found.example,
        }
        for found in _in_order(keys)
    ]


def functionality_annex(release: Release) -> AnnexTable:
    """Return the table of what each functionality of the release tests, for those who cite or print it."""
    keys = ReleaseCase.objects.filter(release=release).order_by().values_list("functionality", flat=True).distinct()
    rows = [
        [
            found.key, found.number, found.functionality_class.title, found.title, found.gold_label, found.definition,
            found.example, "; ".join(map(_cited, found.references)),
        ]
        for found in _in_order(set(keys))
    ]  # fmt: skip
    return AnnexTable("functionalities", "What each functionality tests, with an example and references", COLUMNS, rows)


def _in_order(keys: Collection[str]) -> Iterable[Functionality]:
    known = Functionality.objects.filter(key__in=keys).select_related("functionality_class")
    return known.order_by("position", "key")


def _cited(key: Any) -> str:
    """Return a reference in full where it is one of ours; what people wrote themselves stays as it is."""
    found = _references().get(str(key))
    return f"{found['authors']} ({found['year']}), {found['title']}, {found['venue']}" if found else str(key)


@cache
def _references() -> dict[str, dict[str, Any]]:
    listed = json.loads((settings.FIXTURES / "catalogue" / "references.json").read_text(encoding="utf-8"))["references"]
    return {reference["key"]: reference for reference in listed}
