"""Croissant 1.0 metadata (JSON-LD): the files with their checksums and the columns of the cases, for `mlcroissant`.

Records come from `cases.jsonl`, where texts stand as they are; cells of the CSV file may be defused.
"""

from __future__ import annotations

import json
import re
from typing import Any

from curation.publishing.canonical import FIELDS
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
MEANINGS = {
    "case_id": "Stable id of the case",
    "functionality": "What the case tests",
    "test_case": "The text",
    "label_gold": "The label a model should give",
    "target_ident": "Protected group(s) named or meant, separated by '; '",
    "direction": "Directed at a person or general",
    "focus_words": "The words that carry the test",
    "focus_lemma": "Lemma of the focus words",
    "ref_case_id": "The case this one contrasts with or perturbs",
    "ref_templ_id": "The template this one's template contrasts with or perturbs",
    "templ_id": "The template the case was made from",
    "case_templ": "Text of the template",
    "language": "Language code",
    "functionality_class": "Class of the functionality",
    "origin": "How the case came to be: template, llm, hand, import, attack",
    "label_annotated": "The labels annotators gave",
    "label_annotated_maj": "The label most annotators gave, empty if none",
    "disagreement_in_case": "Did annotators disagree on the case",
    "disagreement_in_template": "Did they disagree on any case of its template",
    "provenance": "How the case was made, as JSON text",
    "sha256": "SHA-256 of the canonical bytes of the case",
}
FLAGS = {"disagreement_in_case", "disagreement_in_template"}
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


def _field(name: str) -> dict[str, Any]:
    content: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"cases/{name}",
        "name": name,
        "description": MEANINGS[name],
        "dataType": "sc:Boolean" if name in FLAGS else "sc:Text",
        "source": {"fileObject": {"@id": "cases.jsonl"}, "extract": {"column": name}},
    }
    if name == "label_annotated":
        content["repeated"] = True
    return content


def croissant(head: ReleaseHead, files: list[FileEntry]) -> bytes:
    """The metadata file. `files` are those it should vouch for; `cases.jsonl` must be among them."""
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
                "field": [_field(name) for name in (*FIELDS, "sha256") if name in MEANINGS],
            }
        ],
    }
    if head.licence:
        known = is_identifier(head.licence)
        content["license"] = f"https://spdx.org/licenses/{head.licence}.html" if known else head.licence
    if head.url or head.doi:
        content["url"] = head.url or f"https://doi.org/{head.doi}"
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
