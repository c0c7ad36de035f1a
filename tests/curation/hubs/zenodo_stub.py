"""An archive with deposits in memory, as the REST API of Zenodo describes it."""

import hashlib
import json
import re
from typing import Any
from urllib.parse import unquote

from tests.curation.hubs.stub_base import Refusal, Stub

ONE = re.compile(r"/api/deposit/depositions/(?P<number>\d+)(?P<action>/actions/publish)?")
FILE = re.compile(r"/api/files/bucket-(?P<number>\d+)/(?P<name>[^/]+)")
REQUIRED = {"title", "upload_type", "description", "creators", "access_right", "publication_date"}


class ZenodoStub(Stub):
    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.deposits: dict[int, dict[str, Any]] = {}

    def answer(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes) -> Any:
        self.require_token(headers)
        if path == "/api/deposit/depositions":
            if method == "GET":
                newest = sorted(self.deposits.values(), key=lambda row: -row["id"])
                listed = [{name: value for name, value in row.items() if name != "content"} for row in newest]
                return listed[: int(query.get("size", 10))]
            if method == "POST":
                return 201, self._create(headers, json.loads(body))
        if found := FILE.fullmatch(path):
            return self._receive(method, int(found["number"]), unquote(found["name"]), headers, body)
        found = ONE.fullmatch(path)
        if not found or int(found["number"]) not in self.deposits:
            raise Refusal(404, "PID does not exist.")
        row = self.deposits[int(found["number"])]
        if found["action"]:
            return 202, self._publish(method, row)
        if method == "PUT":
            self._require_json(headers)
            row["metadata"] = self._checked(json.loads(body)["metadata"]) | {"prereserve_doi": self._doi(row["id"])}
        elif method == "DELETE":
            if row["submitted"]:
                raise Refusal(403, "a published deposit stays")
            del self.deposits[row["id"]]
            return 204, None
        return {name: value for name, value in row.items() if name != "content"}

    def _require_json(self, headers: dict[str, str]) -> None:
        if headers.get("content-type") != "application/json":
            raise Refusal(415, "application/json is needed")

    def _checked(self, metadata: dict[str, Any]) -> dict[str, Any]:
        if missing := REQUIRED - set(metadata):
            raise Refusal(400, f"Validation error: {sorted(missing)}")
        if metadata["access_right"] == "open" and not re.fullmatch(r"[a-z0-9.+-]+", metadata.get("license", "")):
            raise Refusal(400, "Validation error: license")
        if metadata["access_right"] == "restricted" and not metadata.get("access_conditions"):
            raise Refusal(400, "Validation error: access_conditions")
        if not all(creator.get("name") for creator in metadata["creators"]):
            raise Refusal(400, "Validation error: creators")
        return metadata

    def _doi(self, number: int) -> dict[str, Any]:
        return {"doi": f"10.5072/zenodo.{number}", "recid": number}

    def _create(self, headers: dict[str, str], wanted: dict[str, Any]) -> dict[str, Any]:
        self._require_json(headers)
        metadata = self._checked(wanted["metadata"])
        if metadata.get("prereserve_doi") is not True:
            raise Refusal(400, "no DOI would be reserved")
        number = 1000 + len(self.deposits)
        self.deposits[number] = row = {
            "id": number,
            "state": "unsubmitted",
            "submitted": False,
            "metadata": {**metadata, "prereserve_doi": self._doi(number)},
            "files": [],
            "content": {},
            "links": {
                "bucket": f"{self.url}/api/files/bucket-{number}",
                "html": f"{self.url}/deposit/{number}",
                "publish": f"{self.url}/api/deposit/depositions/{number}/actions/publish",
            },
        }
        return {name: value for name, value in row.items() if name != "content"}

    def _receive(self, method: str, number: int, name: str, headers: dict[str, str], body: bytes) -> Any:
        if method != "PUT" or headers.get("content-type") != "application/octet-stream":
            raise Refusal(415, "PUT of application/octet-stream is needed")
        row = self.deposits[number]
        if row["submitted"]:
            raise Refusal(403, "a published deposit stays")
        checksum = hashlib.md5(body).hexdigest()
        row["content"][name] = body
        others = [file for file in row["files"] if file["filename"] != name]
        row["files"] = [*others, {"id": name, "filename": name, "filesize": len(body), "checksum": checksum}]
        return 201, {"key": name, "size": len(body), "checksum": f"md5:{checksum}"}

    def _publish(self, method: str, row: dict[str, Any]) -> dict[str, Any]:
        if method != "POST" or not row["files"] or row["submitted"]:
            raise Refusal(400, "only a filled draft can be published")
        row |= {"state": "done", "submitted": True, "doi": self._doi(row["id"])["doi"], "record_id": row["id"]}
        row["links"] = {**row["links"], "record_html": f"{self.url}/records/{row['id']}"}
        return {name: value for name, value in row.items() if name != "content"}
