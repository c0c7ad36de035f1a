"""A case as expansion hands it over."""

from __future__ import annotations

from typing import NamedTuple

from curation.morphology.words import FormUsed


class Realised(NamedTuple):
    """One case. `target` joins the groups of its words with " + "; `entries` are the keys of the words used."""

    text: str
    entries: tuple[str, ...]
    target: str
    forms: tuple[FormUsed, ...]
    variant_features: str
    warnings: tuple[str, ...]
