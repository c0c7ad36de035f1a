"""What a template can become: a plan with one axis per placeholder, counted before anything is filled."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a placeholder. Entries of a group are combined only with entries of the same group or of none."""

    key: str
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """A placeholder and the entries it can take."""

    placeholder: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """One way to fill a plan: an entry for each placeholder. `group` is "" where no entry has one."""

    template: str
    stratum: str
    group: str
    entries: tuple[tuple[str, Entry], ...]

    @property
    def values(self) -> dict[str, str]:
        return {placeholder: entry.text for placeholder, entry in self.entries}

    @property
    def pattern(self) -> tuple[str, ...]:
        """The entries without a group: combinations of one pattern differ only in the group."""
        return tuple(entry.key for _, entry in self.entries if not entry.group)


@dataclass(frozen=True)
class Plan:
    """A template with its axes. `stratum` is what a sample shall represent evenly, such as the functionality."""

    template: str
    axes: tuple[Axis, ...]
    stratum: str = ""

    def __post_init__(self) -> None:
        for axis in self.axes:
            if len({bool(entry.group) for entry in axis.entries}) > 1:
                raise ValueError(
                    f"template '{self.template}', placeholder '{axis.placeholder}': some entries have a group and some "
                    "have none: give all of them one, or none"
                )

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups that every grouped axis has an entry for; ("",) where no axis is grouped."""
        grouped = [{entry.group for entry in axis.entries if entry.group} for axis in self.axes]
        grouped = [groups for groups in grouped if groups]
        if not grouped:
            return ("",)
        common = set.intersection(*grouped)
        order = dict.fromkeys(entry.group for axis in self.axes for entry in axis.entries)
        return tuple(group for group in order if group in common)

    def entries_for(self, group: str) -> list[Sequence[Entry]]:
        """Return the entries of each axis that go with a group: its own, or all of an axis without groups."""
        return [table.get(group) or table.get("", ()) for table in self._by_group]

    @cached_property
    def _by_group(self) -> list[Mapping[str, Sequence[Entry]]]:
        tables: list[Mapping[str, Sequence[Entry]]] = []
        for axis in self.axes:
            table: dict[str, list[Entry]] = {}
            for entry in axis.entries:
                table.setdefault(entry.group, []).append(entry)
            tables.append(table)
        return tables

    def count_for(self, group: str) -> int:
        """Return how many combinations a group has."""
        return math.prod(len(entries) for entries in self.entries_for(group))

    @property
    def count(self) -> int:
        """How many combinations there are; nothing is filled to find out."""
        return sum(self.count_for(group) for group in self.groups)

    def combination(self, group: str, number: int) -> Combination:
        """Return the combination with a number below `count_for(group)`; the last placeholder varies fastest."""
        chosen: list[Entry] = []
        axes = self.entries_for(group)
        for entries in reversed(axes):
            number, position = divmod(number, len(entries))
            chosen.append(entries[position])
        names = [axis.placeholder for axis in self.axes]
        return Combination(self.template, self.stratum, group, tuple(zip(names, reversed(chosen), strict=True)))

    def combinations(self) -> Iterator[Combination]:
        """Return all combinations, group by group."""
        for group in self.groups:
            for number in range(self.count_for(group)):
                yield self.combination(group, number)


@dataclass(frozen=True, slots=True)
class Count:
    """The size of an expansion, in all, by group and by stratum. `unbalanced` names templates with unequal groups."""

    total: int
    by_group: Mapping[str, int]
    by_stratum: Mapping[str, int]
    unbalanced: tuple[str, ...]


def count_plans(plans: Sequence[Plan]) -> Count:
    """Count an expansion before running it. Refuses two plans of one template."""
    if len({plan.template for plan in plans}) != len(plans):
        raise ValueError("two plans share a template: merge their axes or give them different keys")
    by_group: dict[str, int] = {}
    by_stratum: dict[str, int] = {}
    unbalanced = []
    for plan in plans:
        sizes = {group: plan.count_for(group) for group in plan.groups}
        for group, size in sizes.items():
            by_group[group] = by_group.get(group, 0) + size
        by_stratum[plan.stratum] = by_stratum.get(plan.stratum, 0) + sum(sizes.values())
        if len(set(sizes.values())) > 1:
            unbalanced.append(plan.template)
    return Count(sum(by_group.values()), by_group, by_stratum, tuple(unbalanced))
