"""Pushing a folder as a data set: large files by Git LFS, everything in one commit, the version as a tag."""

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.text import _
from curation.hubs.client import HubClient, Report
from curation.hubs.errors import HubFailed
from curation.hubs.files import LocalFile, local_files

LFS = "application/vnd.git-lfs+json"
NDJSON = "application/x-ndjson"
KEPT = frozenset({".gitattributes"})  # the hub's own
MOST_AT_ONCE = 5_000_000_000  # bytes that the hub takes in one piece
ALREADY_THERE = 409


class DataSet:
    """One data set of the hub, `owner/name`."""

    def __init__(self, client: HubClient, name: str) -> None:
        self._client, self.name = client, name
        self._api = f"/api/datasets/{name}"

    @property
    def url(self) -> str:
        return f"{self._client.server}/datasets/{self.name}"

    def prepare(self, *, is_gated: bool) -> None:
        """Create the data set unless it is there. Close its gate before anything is in it; never open one."""
        owner, _slash, name = self.name.partition("/")
        wanted = {"type": "dataset", "organization": owner, "name": name, "private": False}
        self._client.ask("POST", "/api/repos/create", body=wanted, accepts=(ALREADY_THERE,))
        if is_gated:
            self._client.ask("PUT", f"{self._api}/settings", body={"gated": "manual"})

    def push(self, folder: Path, *, version: str, summary: str, report: Report) -> str:
        """Make the folder the content of the data set, tag it with the version, and return its address.

        What is there already is not sent again, and an unchanged folder makes no commit. Refuses a version that is
        tagged with another content.
        """
        files = local_files(folder)
        refs = self._client.ask("GET", f"{self._api}/refs")
        tags = {tag["name"]: tag["targetCommit"] for tag in refs["tags"]}
        if version in tags:
            if self._is_there(files, self._tree(tags[version])):
                return self._address(version)
            raise HubFailed(
                _(
                    "%(dataset)s holds another content under the version %(version)s. Choose another data set.",
                    dataset=self.name,
                    version=version,
                )
            )
        head = next(branch["targetCommit"] for branch in refs["branches"] if branch["name"] == "main")
        found = self._tree(head)
        if not self._is_there(files, found):
            head = self._commit(files, found, parent=head, summary=summary, report=report)
        self._client.ask("POST", f"{self._api}/tag/{head}", body={"tag": version}, accepts=(ALREADY_THERE,))
        return self._address(version)

    def _address(self, version: str) -> str:
        return f"{self.url}/tree/{quote(version, safe='')}"

    def _tree(self, revision: str) -> dict[str, Mapping[str, Any]]:
        """Return the files of a revision by path."""
        entries = self._client.ask("GET", f"{self._api}/tree/{revision}?recursive=true")
        return {entry["path"]: entry for entry in entries if entry["type"] == "file" and entry["path"] not in KEPT}

    def _is_there(self, files: Sequence[LocalFile], tree: Mapping[str, Mapping[str, Any]]) -> bool:
        return {file.name for file in files} == set(tree) and all(_is_same(file, tree[file.name]) for file in files)

    def _commit(
        self,
        files: Sequence[LocalFile],
        found: Mapping[str, Mapping[str, Any]],
        *,
        parent: str,
        summary: str,
        report: Report,
    ) -> str:
        new = [file for file in files if file.name not in found or not _is_same(file, found[file.name])]
        gone = sorted(set(found) - {file.name for file in files})
        large = self._large(new)
        for done, file in enumerate(large):
            report(done, len(large) + 1, _("Sending %(file)s", file=file.name))
            self._send(file)
        report(len(large), len(large) + 1, _("Making the commit"))
        names = {file.name for file in large}
        # The parent makes a second commit of the same content impossible, also by another process at the same time.
        lines: list[dict[str, Any]] = [
            {"key": "header", "value": {"summary": summary, "description": "", "parentCommit": parent}},
            *(_lfs_line(file) if file.name in names else _line(file) for file in new),
            *({"key": "deletedFile", "value": {"path": name}} for name in gone),
        ]
        content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        headers = {"Content-Type": NDJSON}
        made = self._client.ask("POST", f"{self._api}/commit/main", content=content, headers=headers, again=False)
        report(len(large) + 1, len(large) + 1, "")
        return str(made["commitOid"])

    def _large(self, files: Sequence[LocalFile]) -> list[LocalFile]:
        """Return the files that the hub wants by Git LFS."""
        wanted = [
            {"path": file.name, "size": file.size, "sample": base64.b64encode(file.sample).decode()} for file in files
        ]
        if not wanted:
            return []
        answer = self._client.ask("POST", f"{self._api}/preupload/main", body={"files": wanted})
        modes = {row["path"]: row["uploadMode"] for row in answer["files"]}
        return [file for file in files if file.size and modes.get(file.name) == "lfs"]

    def _send(self, file: LocalFile) -> None:
        """Send one large file where the hub says, unless its content is there."""
        if file.size > MOST_AT_ONCE:
            raise HubFailed(_("%(file)s is larger than 5 GB, which the hub does not take.", file=file.name))
        wanted = {
            "operation": "upload",
            "transfers": ["basic"],
            "hash_algo": "sha256",
            "ref": {"name": "main"},
            "objects": [{"oid": file.sha256, "size": file.size}],
        }
        headers = {"Accept": LFS, "Content-Type": LFS}
        address = f"/datasets/{self.name}.git/info/lfs/objects/batch"
        (found,) = self._client.ask("POST", address, body=wanted, headers=headers)["objects"]
        if problem := found.get("error"):
            raise HubFailed(_("The hub refuses %(file)s: %(why)s", file=file.name, why=str(problem.get("message"))))
        actions = found.get("actions") or {}
        if upload := actions.get("upload"):
            self._client.ask("PUT", upload["href"], content=file.path, headers=upload.get("header"))
        if verify := actions.get("verify"):
            body = {"oid": file.sha256, "size": file.size}
            self._client.ask("POST", verify["href"], body=body, headers={**(verify.get("header") or {}), **headers})


def _is_same(file: LocalFile, entry: Mapping[str, Any]) -> bool:
    large = entry.get("lfs")
    return bool(large["oid"] == file.sha256 if large else entry["oid"] == file.blob)


def _line(file: LocalFile) -> dict[str, Any]:
    content = base64.b64encode(file.path.read_bytes()).decode()
    return {"key": "file", "value": {"path": file.name, "encoding": "base64", "content": content}}


def _lfs_line(file: LocalFile) -> dict[str, Any]:
    return {
        "key": "lfsFile", "value": {"path": file.name, "algo": "sha256", "oid": file.sha256, "size": file.size},
    }  # fmt: skip
