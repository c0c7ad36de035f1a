"""Writers of case files: each takes one case at a time and gives the same bytes for the same cases."""

from __future__ import annotations

from typing import Protocol

from curation.publishing.values import FrozenCase


class CaseWriter(Protocol):
    """What the exporter feeds. Cases come in natural order of their keys."""

    def write(self, case: FrozenCase, sha256: str) -> None: ...

    def close(self) -> None: ...
