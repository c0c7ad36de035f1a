"""Training material from cases a model fails on, without giving away the templates it is tested on afterwards."""

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MaterialCase:
    """A case with what ties it to others: its template, and the case and template it refers to ("" for none)."""

    key: str
    text: str
    label: str
    functionality: str
    template: str = ""
    refers_to: str = ""
    refers_to_template: str = ""


def divide(cases: Sequence[MaterialCase], *, held_out: float, seed: int) -> dict[str, list[MaterialCase]]:
    """Return the cases as `train` and `test`: of every functionality about that share of its templates is held out.

    Templates that refer to each other stay together, because they are one text with small changes. A functionality
    whose cases all hang together gives nothing to train on: it is held out as a whole.
    """
    family_of = _families(cases)
    part_of: dict[str, str] = {}
    for functionality in sorted({case.functionality for case in cases}):
        families = sorted({family_of[case.key] for case in cases if case.functionality == functionality})
        random.Random(f"{seed}:{functionality}").shuffle(families)
        wanted = max(1, round(held_out * len(families)))
        wanted -= sum(part_of.get(family) == "test" for family in families)
        for family in families:
            if family not in part_of:
                part_of[family] = "test" if wanted > 0 else "train"
                wanted -= 1
        if not any(part_of[family] == "test" for family in families):  # others gave all of them to training
            part_of[families[0]] = "test"
    found: dict[str, list[MaterialCase]] = {"train": [], "test": []}
    for case in cases:
        found[part_of[family_of[case.key]]].append(case)
    return found


def _families(cases: Sequence[MaterialCase]) -> dict[str, str]:
    """Return for every case the smallest name among all it is tied to, by template and reference."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for case in cases:
        ties = (("template", case.template), ("case", case.refers_to), ("template", case.refers_to_template))
        for kind, name in ties:
            if name:
                first, second = sorted((root(f"case {case.key}"), root(f"{kind} {name}")))
                parent[second] = first
    return {case.key: root(f"case {case.key}") for case in cases}
