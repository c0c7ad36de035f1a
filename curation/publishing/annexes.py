"""What other parts of the platform add to a release: tables (labels, lexicon) and documents (guidelines).

An app registers a source under a name when it starts; the exporter asks every source for its annexes. So labels reach
a release without curation knowing who collects them.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.text import _
from curation.publishing.errors import PublishingError
from curation.publishing.rows import csv_pieces
from curation.publishing.values import ReleaseHead

TABLE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
DOCUMENT_NAME = re.compile(r"[a-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*\.(md|txt|json|jsonl)")


@dataclass(frozen=True, slots=True)
class AnnexTable:
    """A CSV file `annexes/<name>.csv`.

    Rows may be a generator; the source gives them in a fixed order, people only by pseudonym.
    """

    name: str
    title: str
    columns: tuple[tuple[str, str], ...]  # name and what it means
    rows: Iterable[Sequence[str]]


@dataclass(frozen=True, slots=True)
class AnnexDocument:
    """A text file `annexes/<name>`, such as `guidelines/de.md`."""

    name: str
    title: str
    text: str


Annex = AnnexTable | AnnexDocument
AnnexSource = Callable[[ReleaseHead], Iterable[Annex]]

_sources: dict[str, AnnexSource] = {}
_copied: dict[str, AnnexSource] = {}


def register(name: str, source: AnnexSource) -> None:
    """Make a source known.

    Refuses a second source under the same name; registering the same one again changes nothing.
    """
    if _sources.setdefault(name, source) is not source:
        raise PublishingError(_("two sources of annexes are called '%(name)s'; rename one", name=name))


def register_copied(name: str, source: AnnexSource) -> None:
    """Make a source known whose annexes are copied into the release when it is built, and frozen with it."""
    if _copied.setdefault(name, source) is not source:
        raise PublishingError(_("two sources of copied annexes are called '%(name)s'; rename one", name=name))


def collect_copied(head: ReleaseHead) -> list[Annex]:
    """Return what is copied when a release is built, sources in order of their names."""
    return [annex for name, source in sorted(_copied.items()) for annex in source(head)]


def collect(head: ReleaseHead) -> list[Annex]:
    """Return the annexes of all sources, sources in order of their names."""
    return [annex for name, source in sorted(_sources.items()) for annex in source(head)]


def write_annex(annex: Annex, folder: Path) -> Path:
    """Write one annex and say where.

    Refuses a name that could leave the folder or is taken, and rows of the wrong width.
    """
    pattern = TABLE_NAME if isinstance(annex, AnnexTable) else DOCUMENT_NAME
    if not pattern.fullmatch(annex.name):
        raise PublishingError(_("'%(name)s' cannot name an annex; use small letters, digits, - and _", name=annex.name))
    path = folder / file_name(annex)
    if path.exists():
        raise PublishingError(_("two annexes are called '%(name)s'; rename one", name=annex.name))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines(_pieces(annex))
    return path


def file_name(annex: Annex) -> str:
    return f"{annex.name}.csv" if isinstance(annex, AnnexTable) else annex.name


def annex_sha256(annex: Annex) -> str:
    """SHA-256 of the file as it would be written."""
    digest = hashlib.sha256()
    for piece in _pieces(annex):
        digest.update(piece)
    return digest.hexdigest()


def _pieces(annex: Annex) -> Iterator[bytes]:
    if isinstance(annex, AnnexDocument):
        yield annex.text.encode("utf-8")
    else:
        yield from csv_pieces([name for name, meaning in annex.columns], _checked_rows(annex))


def _checked_rows(annex: AnnexTable) -> Iterator[Sequence[str]]:
    for number, row in enumerate(annex.rows, start=2):
        if len(row) != len(annex.columns):
            raise PublishingError(
                _(
                    "annex '%(name)s', row %(row)s: it has %(cells)s cells for %(columns)s columns; correct the source",
                    name=annex.name,
                    row=number,
                    cells=len(row),
                    columns=len(annex.columns),
                )
            )
        yield row
