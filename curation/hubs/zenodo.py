"""Deposits: a DOI that is reserved before there are files, then the files, then the publication."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.text import _, in_english
from curation.hubs.client import HubClient, Report
from curation.hubs.errors import HubFailed
from curation.hubs.files import md5_of
from curation.publishing.values import Author, ReleaseHead

DEPOSITS = "/api/deposit/depositions"
MOST_LISTED = 100
GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class Deposit:
    """What the archive says about one deposit. `files` are the MD5 checksums of what it has received, by name."""

    number: str
    doi: str
    bucket: str
    url: str
    is_published: bool
    files: dict[str, str]


class Archive:
    """The deposits of one account."""

    def __init__(self, client: HubClient) -> None:
        self._client = client

    def reserve(self, metadata: dict[str, Any], *, marker: str) -> Deposit:
        """Return the deposit with this marker, made now unless it is there, with a DOI reserved for it."""
        found = self._client.ask("GET", f"{DEPOSITS}?sort=mostrecent&size={MOST_LISTED}")
        known = next((row for row in found if marker in row.get("metadata", {}).get("notes", "")), None)
        made = known or self._client.ask("POST", DEPOSITS, body={"metadata": metadata}, again=False)
        return self.get(str(made["id"]))

    def get(self, number: str) -> Deposit:
        return _deposit(self._client.ask("GET", f"{DEPOSITS}/{number}"))

    def describe(self, deposit: Deposit, metadata: dict[str, Any]) -> None:
        """Write the metadata anew. The reserved DOI belongs to the deposit and stays."""
        self._client.ask("PUT", f"{DEPOSITS}/{deposit.number}", body={"metadata": metadata})

    def fill(self, deposit: Deposit, files: dict[str, Path], *, report: Report) -> None:
        """Send the files that the archive does not have yet. Refuses what it received with another checksum."""
        for done, (name, path) in enumerate(sorted(files.items())):
            report(done, len(files) + 1, _("Sending %(file)s", file=name))
            checksum = md5_of(path)
            if deposit.files.get(name) == checksum:
                continue
            answer = self._client.ask("PUT", f"{deposit.bucket}/{quote(name)}", content=path, headers=BINARY)
            received = str((answer or {}).get("checksum", "")).removeprefix("md5:")
            if received != checksum:
                raise HubFailed(_("The archive received %(file)s with another checksum. Try again.", file=name))

    def publish(self, deposit: Deposit) -> Deposit:
        """Make the deposit public; its files can never change afterwards."""
        self._client.ask("POST", f"{DEPOSITS}/{deposit.number}/actions/publish", again=False)
        return self.get(deposit.number)

    def discard(self, number: str) -> None:
        """Delete a deposit that was never published; its DOI is free again."""
        self._client.ask("DELETE", f"{DEPOSITS}/{number}", accepts=GONE)


BINARY = {"Content-Type": "application/octet-stream"}


def _deposit(row: dict[str, Any]) -> Deposit:
    said, links = row.get("metadata", {}), row.get("links", {})
    reserved = said.get("prereserve_doi") or {}
    page = str(links.get("record_html") or links.get("html") or "")
    return Deposit(
        number=str(row["id"]),
        doi=str(row.get("doi") or said.get("doi") or reserved.get("doi") or ""),
        bucket=str(links.get("bucket", "")),
        url=page if page.startswith(("https://", "http://")) else "",  # pages link to it
        is_published=bool(row.get("submitted")),
        files={file["filename"]: str(file["checksum"]).removeprefix("md5:") for file in row.get("files", [])},
    )


def deposit_metadata(head: ReleaseHead, *, marker: str) -> dict[str, Any]:
    """Return how a release is described in the archive, in English."""
    with in_english():
        metadata: dict[str, Any] = {
            "upload_type": "dataset",
            "title": f"{head.title} {head.version}",
            "creators": [_creator(author) for author in head.authors] or [{"name": head.suite}],
            "description": f"<p>{_html(head.description or head.title)}</p><p>{_html(head.warning)}</p>",
            "version": head.version,
            "publication_date": head.created[:10],
            "keywords": [str(word) for word in head.keywords],
            "notes": f"{head.reference}, deposit {marker}",
            "prereserve_doi": True,
        }
        if head.gate:
            metadata |= {"access_right": "restricted", "access_conditions": f"<p>{_html(head.gate)}</p>"}
        else:
            metadata |= {"access_right": "open", "license": head.licence.lower()}
        if head.url:
            page = {"identifier": head.url, "relation": "isIdenticalTo", "scheme": "url"}
            metadata["related_identifiers"] = [page]
    return metadata


def _html(text: str) -> str:
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _creator(author: Author) -> dict[str, str]:
    if not author.family_name:
        return {"name": author.full_name}
    said = {
        "name": f"{author.family_name}, {author.given_names}".rstrip(", "),
        "affiliation": author.affiliation,
        "orcid": author.orcid.removeprefix("https://orcid.org/"),
    }
    return {name: value for name, value in said.items() if value}
