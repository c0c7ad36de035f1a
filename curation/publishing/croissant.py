"""Croissant 1.0 metadata (JSON-LD): the files with their checksums and the columns of the cases, for `mlcroissant`.

Records come from `cases.jsonl`, where texts stand as they are; cells of the CSV file may be defused.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from curation.fields import REQUIRED, Field, Kind
from curation.publishing.citation import cite_as
from curation.publishing.licences import is_identifier
from curation.publishing.manifest import FileEntry
from curation.publishing.values import ReleaseHead

FILE_NAME = "croissant.json"
CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
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
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
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


def croissant(head: ReleaseHead, files: list[FileEntry], fields: Sequence[Field] = REQUIRED) -> bytes:
    """Return the metadata file. `files` are those it should vouch for; `cases.jsonl` must be among them."""
    creators = [
        {"@type": "sc:Person" if author.family_name else "sc:Organization", "name": author.full_name}
        for author in head.authors
    ]
    content: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": re.sub(r"[^A-Za-z0-9_-]+", "-", head.suite).strip("-") or "release",
        "description": head.description or head.title,
        "version": head.version,
        "datePublished": head.created[:10],
        "creator": creators or [{"@type": "sc:Organization", "name": head.suite}],
        "citeAs": cite_as(head),
        "keywords": list(head.keywords),
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
        known = is_identifier(head.licence)
        content["license"] = f"https://spdx.org/licenses/{head.licence}.html" if known else head.licence
    if head.url or head.doi:
        content["url"] = head.url or f"https://doi.org/{head.doi}"
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
