"""What people call the parts that agreement is measured on."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from core.text import catalogue_name, catalogue_names
from curation.models import Functionality, Language


def named_parts(parts: Mapping[str, Any], by: str) -> dict[str, Any]:
    """Return what was measured of each part by its name; with its key where two parts have the same name."""
    names: dict[str, str] = {}
    if by == "functionality":
        names.update(catalogue_names(Functionality.objects.filter(key__in=parts).values_list("key", "title")))
    elif by == "language":
        names.update(catalogue_names(Language.objects.filter(code__in=parts).values_list("code", "name")))
    elif by == "group":
        names.update({key: catalogue_name(key) for key in parts})
    counted = Counter(names.values())
    shown = {key: name if counted[name] == 1 else f"{name} ({key})" for key, name in names.items() if name}
    return {shown.get(key, key): part for key, part in parts.items()}
