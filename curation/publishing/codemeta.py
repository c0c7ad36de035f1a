"""codemeta.json: what a release is, in CodeMeta 3.0, for archives and search engines that read it."""

import json
from collections.abc import Iterable
from typing import Any

from curation.publishing.licences import as_address
from curation.publishing.values import Author, ReleaseHead

FILE_NAME = "codemeta.json"
CONTEXT = "https://w3id.org/codemeta/3.0"


def codemeta(head: ReleaseHead, *, sha256: str, languages: Iterable[str] = ()) -> str:
    """Return the text of the file. A release without authors is by the body that its suite is named after."""
    doi = f"https://doi.org/{head.doi}" if head.doi else ""
    content: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "schema:Dataset",  # the context names kinds of software only
        "@id": doi or head.url,
        "name": head.title,
        "description": head.description or head.title,
        "version": head.version,
        "datePublished": head.created[:10],
        "identifier": [*filter(None, [doi]), f"sha256:{sha256}"],
        "author": [_author(author) for author in head.authors] or [{"@type": "Organization", "name": head.suite}],
        "license": as_address(head.licence),
        "keywords": list(head.keywords),
        "schema:inLanguage": list(languages),
        "isAccessibleForFree": True,
        "url": head.url,
    }
    known = {name: value for name, value in content.items() if value not in ("", [])}
    return json.dumps(known, ensure_ascii=False, indent=2) + "\n"


def _author(author: Author) -> dict[str, Any]:
    if not author.family_name:
        return {"@type": "Organization", "name": author.full_name}
    said = {
        "@type": "Person",
        "@id": f"https://orcid.org/{author.orcid.removeprefix('https://orcid.org/')}" if author.orcid else "",
        "givenName": author.given_names,
        "familyName": author.family_name,
    }
    person: dict[str, Any] = {name: value for name, value in said.items() if value}
    if author.affiliation:
        person["affiliation"] = {"@type": "Organization", "name": author.affiliation}
    return person
