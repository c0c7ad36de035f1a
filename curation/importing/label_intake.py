"""The registry through which labels that come with a suite reach the app that stores them, and come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from curation.formats.values import LabelValue

if TYPE_CHECKING:
    from accounts.models import User
    from curation.models import Suite


class LabelIntake(Protocol):
    """Stores labels made elsewhere and returns how many are new. Called inside the import's transaction."""

    def __call__(
        self, suite: Suite, labels: Sequence[LabelValue], *, case_ids: Mapping[str, int], by: User | None
    ) -> int: ...


_intakes: list[LabelIntake] = []


def register_intake(intake: LabelIntake) -> None:
    if intake not in _intakes:
        _intakes.append(intake)


def take_in(suite: Suite, labels: Sequence[LabelValue], *, case_ids: Mapping[str, int], by: User | None) -> int:
    """Pass labels to the app that stores them, and return how many are new; 0 without such an app."""
    return sum(intake(suite, labels, case_ids=case_ids, by=by) for intake in _intakes)


class LabelSource(Protocol):
    """Returns the labels that came with a suite, case by case in the order they were given."""

    def __call__(self, suite: Suite) -> Iterable[LabelValue]: ...


_sources: list[LabelSource] = []


def register_source(source: LabelSource) -> None:
    if source not in _sources:
        _sources.append(source)


def give_back(suite: Suite) -> list[LabelValue]:
    """Return all labels that came with a suite."""
    return [label for source in _sources for label in source(suite)]
