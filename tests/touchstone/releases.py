"""A small sealed release, made without a database, and functions that answer."""

from __future__ import annotations

from pathlib import Path

from curation.publishing.blocks import in_blocks
from curation.publishing.export import export_blocks
from curation.publishing.values import FrozenCase, ReleaseHead

GROUPS = ("women", "trans people", "disabled people")


def small_cases(templates: int = 8) -> list[FrozenCase]:
    """Two functionalities with some templates each, one case per group in each template."""
    found = []
    for functionality, label, verb in (("derog", "hateful", "dislike"), ("ident", "non-hateful", "respect")):
        for template in range(templates):
            for group in GROUPS:
                found.append(
                    FrozenCase(
                        key=f"{functionality}-{template}-{GROUPS.index(group)}",
                        language="en",
                        functionality=f"{functionality}_{'h' if label == 'hateful' else 'nh'}",
                        functionality_class=functionality,
                        text=f"I {verb} {group} and number {template}.",
                        label=label,
                        targets=(group,),
                        template=f"{functionality}-{template}",
                        template_text=f"I {verb} [identity:Number=Plur] and number {template}.",
                        labels_given=(label,) * 4 + ("hateful",),
                        majority=label,
                    )
                )
    return found


def small_release(folder: Path, *, formats: tuple[str, ...] = ("csv",)) -> Path:
    """An exported folder."""
    head = ReleaseHead("small", "1.0.0", "Small", "2026-01-01")
    export_blocks(head, in_blocks(small_cases()), folder, formats=formats)
    return folder


def by_word(texts: list[str]) -> list[float]:
    """Right about every case."""
    return [0.9 if "dislike" in text else 0.1 for text in texts]


def never_hateful(texts: list[str]) -> list[str]:
    return ["non-hateful"] * len(texts)
