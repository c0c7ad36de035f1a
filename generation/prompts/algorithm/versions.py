"""Two versions of a prompt side by side: the same by hash, or different, and where."""

import difflib
from dataclasses import asdict, dataclass
from typing import Literal

from generation.prompts.algorithm.values import PromptVersion

Piece = tuple[Literal["same", "removed", "added"], str]


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs, word by word."""

    field: str
    before: str
    after: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """What changed between two versions; nothing when their hashes are equal."""

    before: str
    after: str
    changes: tuple[Change, ...]

    @property
    def is_same(self) -> bool:
        return self.before == self.after


def compare_versions(before: PromptVersion, after: PromptVersion) -> VersionComparison:
    """Compare two versions by hash and, where they differ, field by field."""
    if before.sha256 == after.sha256:
        return VersionComparison(before.sha256, after.sha256, ())
    old, new = _flat(before), _flat(after)
    changes = [
        Change(name, old[name], new[name], _pieces(old[name], new[name])) for name in old if old[name] != new[name]
    ]
    return VersionComparison(before.sha256, after.sha256, tuple(changes))


def _flat(version: PromptVersion) -> dict[str, str]:
    parts = {f"{part}.{name}": str(value) for part, entry in asdict(version).items() for name, value in entry.items()}
    del parts["instruction.origin"]
    return parts


def _pieces(before: str, after: str) -> tuple[Piece, ...]:
    old, new = before.split(), after.split()
    pieces: list[Piece] = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(("same", " ".join(old[i:j])))
            continue
        if i < j:
            pieces.append(("removed", " ".join(old[i:j])))
        if k < m:
            pieces.append(("added", " ".join(new[k:m])))
    return tuple(pieces)
