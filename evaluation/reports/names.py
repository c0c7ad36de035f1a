"""What keys are called: titles, numbers, classes and examples of functionalities; names of classes and languages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.text import _, pgettext

NOTHING = "-"  # as published suites mark what a case does not have
TITLE_OF_NOTHING = {"direction": _("none: not hateful"), "focus_word": pgettext("focus word of a case", "none")}
ORIGINS = {
    "template": _("From a template"),
    "llm": _("Written by a language model"),
    "hand": _("Written by hand"),
    "import": _("Imported"),
    "attack": _("Made by an attack"),
}
AGREEMENT = re.compile(r"(\d+) of (\d+)")  # as `said_by_annotators` writes it


def always(label: str) -> str:
    """Return what a model is called that gives one answer to everything."""
    return _("always %(label)s", label=label)


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
        if dimension == "origin":
            return ORIGINS.get(key, key)
        if dimension == "agreement" and (found := AGREEMENT.fullmatch(key)):
            return _("%(labels)s of %(all)s", labels=found[1], all=found[2])
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
