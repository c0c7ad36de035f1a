"""The difference between two wordings, word by word."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from curation.authoring.wording_checks import VariantText, texts_of
from curation.models import TemplateVersion

# A placeholder or a choice is one thing, however long; then words, then single signs; Han characters stand alone.
PIECES = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|\s+|[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|.", re.DOTALL)


class Stretch(NamedTuple):
    """A run of text that is in both ("same"), only in the old ("gone") or only in the new one ("new")."""

    kind: str
    text: str


class VariantDiff(NamedTuple):
    features: str
    old_features: str
    stretches: tuple[Stretch, ...]

    @property
    def is_changed(self) -> bool:
        return self.features != self.old_features or any(stretch.kind != "same" for stretch in self.stretches)


def diff_words(old: str, new: str) -> tuple[Stretch, ...]:
    """Return stretches that, read without the gone ones, give the new text, and without the new ones the old text."""
    before, after = PIECES.findall(old), PIECES.findall(new)
    found: list[Stretch] = []
    for what, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            found.append(Stretch("same", "".join(before[i1:i2])))
            continue
        if i2 > i1:
            found.append(Stretch("gone", "".join(before[i1:i2])))
        if j2 > j1:
            found.append(Stretch("new", "".join(after[j1:j2])))
    return tuple(found)


def diff_versions(old: TemplateVersion | None, new: TemplateVersion) -> list[VariantDiff]:
    """Return the variants of two versions side by side: by their features, what is left over by its place."""
    return diff_texts(texts_of(old) if old else [], texts_of(new))


def diff_texts(before: Sequence[VariantText], after: Sequence[VariantText]) -> list[VariantDiff]:
    old = {variant.features: variant.text for variant in before}
    new = {variant.features: variant.text for variant in after}
    pairs = [(features, features) for features in new if features in old]
    pairs += zip_longest([item for item in old if item not in new], [item for item in new if item not in old])
    diffs = [
        VariantDiff(
            name if name is not None else "",
            old_name if old_name is not None else "",
            diff_words(
                old.get(old_name, "") if old_name is not None else "", new.get(name, "") if name is not None else ""
            ),
        )
        for old_name, name in pairs
    ]
    order = {features: place for place, features in enumerate(new)}
    return sorted(diffs, key=lambda diff: order.get(diff.features, len(order)))
