"""A case as expansion hands it over."""

from collections.abc import Iterable

from curation.morphology.words import FormUsed

TARGETS_JOINED_BY = " + "  # the groups of a case with words of several


def target_names(name: str | None) -> tuple[str, ...]:
    """Return the groups in the name of a target."""
    return tuple(name.split(TARGETS_JOINED_BY)) if name else ()


def target_name(names: Iterable[str]) -> str:
    """Return the name of a set of groups: the order in which they were named does not matter."""
    return TARGETS_JOINED_BY.join(sorted({part for name in names for part in target_names(name)}))


class Realised(tuple[str, tuple[str, ...], str, tuple[FormUsed, ...], str, tuple[str, ...]]):
    """One case. `target` joins the groups of its words; `entries` are the keys of the words used.

    It is made of one tuple of all six. The constructor of a named tuple would take half the time of a case.
    """

    __slots__ = ()

    @property
    def text(self) -> str:
        return self[0]

    @property
    def entries(self) -> tuple[str, ...]:
        return self[1]

    @property
    def target(self) -> str:
        return self[2]

    @property
    def forms(self) -> tuple[FormUsed, ...]:
        return self[3]

    @property
    def variant_features(self) -> str:
        return self[4]

    @property
    def warnings(self) -> tuple[str, ...]:
        return self[5]
