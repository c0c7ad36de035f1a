"""What functionalities are called, as a release keeps it for its documents."""

from collections.abc import Collection

from curation.models import Functionality


def functionalities_of(keys: Collection[str]) -> list[dict[str, str]]:
    """Return key, number, class, title, label and example of functionalities, in the order of the catalogue."""
    known = Functionality.objects.filter(key__in=keys).select_related("functionality_class")
    return [
        {
            "key": found.key,
            "number": found.number,
            "class": found.functionality_class.title,
            "title": found.title,
            "label": found.gold_label,
            "example": found.example,
        }
        for found in known.order_by("position", "key")
    ]
