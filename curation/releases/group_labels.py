"""Labels of groups of annotators on the cases of a release: one app knows who labelled, another one the models.

What annotators said about themselves is linked to their labels only where they agreed, and only inside the instance.
It is read when somebody asks and never stored with results, so a withdrawn agreement counts at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from core.errors import BadInput
from core.text import _

if TYPE_CHECKING:
    from accounts.models import User
    from curation.models import Release


class GroupLabel(NamedTuple):
    """One label of one annotator, who is a place in `GroupLabels.group_of` and nothing else."""

    case: str
    annotator: int
    label: str


@dataclass(frozen=True, slots=True)
class GroupLabels:
    """Labels by annotators who agreed, and the group of each. `reason` says why there is nothing to compare."""

    reason: str = ""
    smallest: int = 0
    group_of: Sequence[str] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    labels: Sequence[GroupLabel] = ()


class GroupLabelSource(Protocol):
    """Labels of annotators by their answers to a question. Refuses a viewer who must not see them; None sees all."""

    def __call__(self, release: Release, *, by: str, viewer: User | None) -> GroupLabels: ...


_sources: list[tuple[GroupLabelSource, Mapping[str, str]]] = []


def register_group_labels(source: GroupLabelSource, questions: Mapping[str, str]) -> None:
    """Make the source known, with the questions that make groups and their titles. There is one; the last counts."""
    _sources[:] = [(source, questions)]


def group_questions() -> dict[str, str]:
    """Return the questions by which annotators can be grouped, with their titles."""
    return {name: title for _source, questions in _sources for name, title in questions.items()}


def read_group_labels(release: Release, *, by: str, viewer: User | None) -> GroupLabels:
    """Return the labels of annotators who agreed, by their answers to a question. Refuses an unknown question."""
    if by not in (known := group_questions()):
        problem = _("There is no question '%(name)s' about annotators. Use one of: %(known)s.", name=by, known=[*known])
        raise BadInput(problem, field="by")
    [(source, _questions)] = _sources
    return source(release, by=by, viewer=viewer)
