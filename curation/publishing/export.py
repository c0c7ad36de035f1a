"""Writes a release into a folder: all at once or not at all, the same bytes for the same release."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from core.text import _, in_english
from curation.fields import FIELDS, REQUIRED, Field
from curation.formats.registry import FORMATS as SUITE_FORMATS
from curation.publishing.annexes import Annex, write_annex
from curation.publishing.blocks import Block
from curation.publishing.citation import citation
from curation.publishing.codemeta import FILE_NAME as CODEMETA_NAME
from curation.publishing.codemeta import codemeta
from curation.publishing.croissant import FILE_NAME as CROISSANT_NAME
from curation.publishing.croissant import croissant
from curation.publishing.datasheet import datasheet
from curation.publishing.errors import PublishingError
from curation.publishing.groups import GroupNames
from curation.publishing.harnesses.folder import write_harnesses
from curation.publishing.huggingface import FOLDER as HUGGING_FACE
from curation.publishing.huggingface import HuggingFaceWriter, write_card
from curation.publishing.integrity import FILE_NAME as INTEGRITY_NAME
from curation.publishing.integrity import IntegrityWriter
from curation.publishing.manifest import Manifest, build_manifest, file_entry, list_files, write_manifest
from curation.publishing.records import ReleaseRecords
from curation.publishing.spool import CaseSpool
from curation.publishing.statement import data_statement
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead
from curation.publishing.writers import CaseWriter
from curation.publishing.writers.csv_files import CsvPerLanguage, CsvWriter
from curation.publishing.writers.jsonl import JsonlWriter
from curation.publishing.writers.parquet import ParquetWriter
from curation.publishing.writers.profiles import own_profile, profile_of

IN_OTHER_COLUMNS = tuple(known for known in SUITE_FORMATS.values() if known.release_columns)
ALL = "all"
FORMATS = ("csv", "jsonl", "parquet", "huggingface", "croissant", *(known.name for known in IN_OTHER_COLUMNS))


def export_blocks(
    head: ReleaseHead,
    blocks: Iterable[Block],
    out: Path,
    *,
    formats: Sequence[str] = ("csv",),
    annexes: Iterable[Annex] = (),
    records: ReleaseRecords | None = None,
    generator: str = "",
    documents: Mapping[str, str] | None = None,
) -> Manifest:
    """Write the release and return its manifest. `cases.csv`, checksums and documents are always written.

    All files are in English, whoever asks for them. Cases may come in any order and are read once. `documents` replace
    those made from the records. Refuses an unknown format, a folder that exists and is not empty, and what cannot be
    published; then nothing is left behind.
    """
    unknown = sorted(set(formats) - set(FORMATS))
    if unknown:
        raise PublishingError(
            _("there is no format %(unknown)s; known: %(known)s", unknown=unknown, known=list(FORMATS))
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise PublishingError(_("'%(folder)s' exists already; give a folder that is new or empty", folder=str(out)))
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    records = records or ReleaseRecords()
    try:
        folder = work / "release"
        folder.mkdir()
        spool = CaseSpool(work / "spool")
        spool.fill(blocks)
        fields = FIELDS if spool.has_optional else REQUIRED
        statistics = _write_cases(folder, spool, set(formats), fields, records.groups)
        with in_english():
            _write_documents(folder, head, statistics, records, spool.sha256, documents or {})
            for annex in annexes:
                write_annex(annex, folder / "annexes")
            if "huggingface" in formats:
                write_card(folder / HUGGING_FACE, head, statistics, records, sha256=spool.sha256)
            if "croissant" in formats:
                files = [file_entry(path, folder) for path in list_files(folder)]
                (folder / CROISSANT_NAME).write_bytes(croissant(head, files, statistics, records, fields))
            write_harnesses(folder, head, spool, sha256=spool.sha256)
        manifest = build_manifest(
            head, fields, folder=folder, sha256=spool.sha256, cases=len(spool), records=records, generator=generator
        )
        write_manifest(manifest, folder)
        folder.chmod(0o755)
        os.replace(folder, out)  # an empty folder of that name may be replaced, a full one may not
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return manifest


def _writers(folder: Path, formats: set[str], fields: tuple[Field, ...]) -> list[CaseWriter]:
    writers: list[CaseWriter] = [
        CsvWriter(folder / "cases.csv", own_profile(fields)), IntegrityWriter(folder / INTEGRITY_NAME, fields),
    ]  # fmt: skip
    if formats & {"jsonl", "croissant"}:
        writers.append(JsonlWriter(folder / "cases.jsonl"))
    if "parquet" in formats:
        writers.append(ParquetWriter(folder / "cases.parquet", fields))
    if "huggingface" in formats:
        writers.append(HuggingFaceWriter(folder / HUGGING_FACE, fields))
    writers += [
        CsvPerLanguage(folder / known.name, profile_of(known)) for known in IN_OTHER_COLUMNS if known.name in formats
    ]
    return writers


def _write_cases(
    folder: Path, spool: CaseSpool, formats: set[str], fields: tuple[Field, ...], groups: GroupNames
) -> Statistics:
    statistics = Statistics(groups=groups)
    with ExitStack() as stack:
        writers = _writers(folder, formats, fields)
        for writer in writers:
            stack.callback(writer.close)
        for block in spool:
            statistics.add(block)
            for writer in writers:
                writer.write(block)
    return statistics


def _write_documents(
    folder: Path,
    head: ReleaseHead,
    statistics: Statistics,
    records: ReleaseRecords,
    sha256: str,
    given: Mapping[str, str],
) -> None:
    figures = json.dumps(statistics.as_json(), ensure_ascii=False, indent=2) + "\n"
    documents: dict[str, str] = {
        "CITATION.cff": citation(head, sha256=sha256),
        CODEMETA_NAME: codemeta(head, sha256=sha256, languages=sorted(statistics.by_language)),
        "DATA_STATEMENT.md": data_statement(head, statistics, records),
        "DATASHEET.md": datasheet(head, statistics, records, sha256=sha256),
        "statistics.json": figures,
        **given,
    }
    for name, text in documents.items():
        (folder / name).write_bytes(text.encode("utf-8"))
