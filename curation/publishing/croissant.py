"""Croissant 1.1 metadata (JSON-LD): files with checksums, columns of the cases, and the RAI vocabulary.

Records come from `cases.jsonl`, where texts stand as they are; cells of the CSV file may be defused.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from curation.fields import REQUIRED, Field, Kind
from curation.publishing.citation import cite_as
from curation.publishing.licences import as_address
from curation.publishing.manifest import FileEntry
from curation.publishing.rai import CONFORMS_TO as RAI
from curation.publishing.rai import rai_properties
from curation.publishing.records import ReleaseRecords
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead

FILE_NAME = "croissant.json"
CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".json": "application/json",
    ".md": "text/markdown",
    ".cff": "application/yaml",
}
CHECKSUM = Field("sha256", "sha256", "SHA-256 of the canonical bytes of the case")
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def _file(entry: FileEntry) -> dict[str, Any]:
    suffix = "." + entry.path.rpartition(".")[2]
    return {
        "@type": "cr:FileObject",
        "@id": entry.path,
        "name": entry.path,
        "contentUrl": entry.path,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": MEDIA_TYPES.get(suffix, "application/octet-stream"),
        "sha256": entry.sha256,
    }


def _field(field: Field) -> dict[str, Any]:
    content: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"cases/{field.column}",
        "name": field.column,
        "description": field.meaning,
        "dataType": "sc:Boolean" if field.kind is Kind.FLAG else "sc:Text",
        "source": {"fileObject": {"@id": "cases.jsonl"}, "extract": {"column": field.column}},
    }
    if field.kind is Kind.LABELS:
        content["repeated"] = True
    return content


def croissant(
    head: ReleaseHead,
    files: list[FileEntry],
    statistics: Statistics,
    records: ReleaseRecords,
    fields: Sequence[Field] = REQUIRED,
) -> bytes:
    """Return the metadata file. `files` are those it should vouch for; `cases.jsonl` must be among them."""
    creators = [
        {"@type": "sc:Person" if author.family_name else "sc:Organization", "name": author.full_name}
        for author in head.authors
    ]
    content: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [CONFORMS_TO, RAI],
        "name": re.sub(r"[^A-Za-z0-9_-]+", "-", head.suite).strip("-") or "release",
        "description": head.description or head.title,
        "version": head.version,
        "datePublished": head.created[:10],
        "creator": creators or [{"@type": "sc:Organization", "name": head.suite}],
        "citeAs": cite_as(head),
        "keywords": list(head.keywords),
        "inLanguage": sorted(statistics.by_language),
        "isLiveDataset": False,
        "distribution": [_file(entry) for entry in files],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "cases",
                "name": "cases",
                "description": head.warning,
                "key": {"@id": "cases/case_id"},
                "field": [_field(field) for field in (*fields, CHECKSUM) if field.meaning],
            }
        ],
    }
    if head.licence:
        content["license"] = as_address(head.licence)
    if head.url or head.doi:
        content["url"] = head.url or f"https://doi.org/{head.doi}"
    if head.doi:
        content["identifier"] = f"https://doi.org/{head.doi}"
    content |= rai_properties(head, statistics, records)
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
