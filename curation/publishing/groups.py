"""Which protected groups a case is about: published data spell one group in several ways ("Jews", "jews")."""

from collections.abc import Iterable, Mapping, Sequence

# Language code, then the target as the data spell it, then the names of the groups it stands for.
GroupNames = Mapping[str, Mapping[str, Sequence[str]]]


def groups_of(targets: Iterable[str], language: str, names: GroupNames) -> tuple[str, ...]:
    """Return the names of the groups that these targets stand for, each once; a target without one keeps its own."""
    known = names.get(language, {})
    return tuple(dict.fromkeys(group for target in targets for group in known.get(target, (target,))))
