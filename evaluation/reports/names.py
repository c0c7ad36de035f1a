"""What keys are called: titles, numbers, classes and examples of functionalities; names of classes and languages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

NOTHING = "-"  # as published suites mark what a case does not have
TITLE_OF_NOTHING = {"direction": "none: not hateful", "focus_word": "none"}


@dataclass(frozen=True, slots=True)
class FunctionalityName:
    """`number` is that of the catalogue, such as F7; `example` is the text of a case, or that of the catalogue."""

    title: str
    number: str = ""
    class_title: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """Names by key; what has none is called by its key."""

    functionalities: Mapping[str, FunctionalityName] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)

    def of(self, dimension: str, key: str) -> str:
        """Return the name of a value of a dimension, such as `functionality` or `language`."""
        if key == NOTHING:
            return TITLE_OF_NOTHING.get(dimension, key)
        if dimension == "functionality":
            return self.functionality(key).title
        if dimension == "functionality_class":
            return self.classes.get(key, key.replace("_", " "))
        return self.languages.get(key, key) if dimension == "language" else key

    def in_order(self, dimension: str, values: Iterable[str]) -> list[str]:
        """Return values in the order of the catalogue; those it does not know last, as they come."""
        known = {"functionality": self.functionalities, "functionality_class": self.classes}.get(dimension, {})
        places = {key: place for place, key in enumerate(known)}
        return sorted(dict.fromkeys(values), key=lambda value: places.get(value, len(places)))

    def functionality(self, key: str) -> FunctionalityName:
        return self.functionalities.get(key) or FunctionalityName(key)

    def as_json(self) -> dict[str, Any]:
        """Return the names beside the keys that scripts rely on."""
        return {
            "functionalities": {
                key: {"number": name.number, "title": name.title, "class": name.class_title}
                for key, name in self.functionalities.items()
            },
            "classes": dict(self.classes),
            "languages": dict(self.languages),
        }
