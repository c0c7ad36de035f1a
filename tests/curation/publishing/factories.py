"""Release folders from plain cases, without a database."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from curation.publishing.blocks import in_blocks
from curation.publishing.export import export_blocks
from curation.publishing.manifest import Manifest
from curation.publishing.values import FrozenCase, ReleaseHead


def export_folder(head: ReleaseHead, cases: Iterable[FrozenCase], out: Path, **options: Any) -> Manifest:
    return export_blocks(head, in_blocks(cases), out, **options)
