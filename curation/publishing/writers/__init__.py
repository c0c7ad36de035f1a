"""Writers of case files: each takes some cases at a time and gives the same bytes for the same cases."""

from typing import Protocol

from curation.publishing.blocks import Block


class CaseWriter(Protocol):
    """What the exporter feeds. Cases come in natural order of their keys."""

    def write(self, block: Block) -> None: ...

    def close(self) -> None: ...
