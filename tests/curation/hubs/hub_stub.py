"""A Hugging Face Hub in memory. It speaks the real protocol: the hub's own client works with it (see the test)."""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.curation.hubs.stub_base import Refusal, Stub

LFS = "application/vnd.git-lfs+json"
DATASET = re.compile(r"/api/datasets/(?P<name>[^/]+/[^/]+)/(?P<rest>.*)")
BATCH = re.compile(r"/datasets/(?P<name>[^/]+/[^/]+)\.git/info/lfs/(?P<rest>.*)")
LARGE = (".parquet",)


@dataclass
class Commit:
    files: dict[str, dict[str, Any]]
    summary: str = "initial commit"


@dataclass
class Repo:
    commits: dict[str, Commit] = field(default_factory=dict)
    head: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    gated: str = ""
    private: bool = False

    def add(self, commit: Commit) -> str:
        self.head = hashlib.sha1(f"{len(self.commits)}{commit.summary}".encode()).hexdigest()
        self.commits[self.head] = commit
        return self.head


class Storage(Stub):
    """Where large files go: another host, which must never see the token."""

    def __init__(self) -> None:
        super().__init__("")
        self.objects: dict[str, bytes] = {}

    def answer(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes) -> Any:
        if method != "PUT" or "authorization" in headers:
            raise Refusal(400, "only PUT, signed by its address and without a token")
        oid = path.rsplit("/", 1)[1]
        if hashlib.sha256(body).hexdigest() != oid or query.get("signature") != "s":
            raise Refusal(403, "the content is not what was announced")
        self.objects[oid] = body
        return None


class HubStub(Stub):
    def __init__(self, token: str, storage: Storage) -> None:
        super().__init__(token)
        self.storage = storage
        self.repos: dict[str, Repo] = {}

    def answer(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes) -> Any:
        self.require_token(headers)
        if (method, path) == ("POST", "/api/repos/create"):
            return self._create(json.loads(body))
        if (method, path) == ("POST", "/api/validate-yaml"):
            return {"errors": [], "warnings": []}
        if found := BATCH.fullmatch(path):
            return self._lfs(method, found["name"], found["rest"], headers, json.loads(body))
        if not (found := DATASET.fullmatch(path)):
            raise Refusal(404, f"no such address: {method} {path}")
        if found["name"] not in self.repos:
            raise Refusal(404, "Repository not found")
        repo, (action, *arguments) = self.repos[found["name"]], found["rest"].split("/", 1)
        known = getattr(self, f"_{method.lower()}_{action}", None)
        if known is None:
            raise Refusal(404, f"no such address: {method} {path}")
        return known(repo, arguments[0] if arguments else "", headers, body)

    def _create(self, wanted: dict[str, Any]) -> Any:
        if wanted.get("type") != "dataset" or not wanted.get("name"):
            raise Refusal(400, "type and name are needed")
        name = f"{wanted.get('organization') or 'me'}/{wanted['name']}"
        answer = {"url": f"{self.url}/datasets/{name}", "name": name, "id": "1"}
        if name in self.repos:
            return 409, {"error": "You already created this dataset repo", **answer}
        self.repos[name] = repo = Repo(private=bool(wanted.get("private")))
        repo.add(Commit({".gitattributes": _entry(".gitattributes", b"*.parquet filter=lfs\n")}))
        return answer

    def _put_settings(self, repo: Repo, argument: str, headers: dict[str, str], body: bytes) -> Any:
        gated = json.loads(body)["gated"]
        if gated not in ("auto", "manual", False):
            raise Refusal(400, "gated must be auto, manual or false")
        repo.gated = gated
        return {"gated": gated}

    def _get_refs(self, repo: Repo, argument: str, headers: dict[str, str], body: bytes) -> Any:
        tags = [{"name": name, "ref": f"refs/tags/{name}", "targetCommit": sha} for name, sha in repo.tags.items()]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.head}
        return {"branches": [main], "converts": [], "tags": tags}

    def _get_tree(self, repo: Repo, revision: str, headers: dict[str, str], body: bytes) -> Any:
        files = self._commit_of(repo, revision).files
        folders = {name.rpartition("/")[0] for name in files} - {""}
        return [*({"type": "directory", "oid": "0" * 40, "size": 0, "path": name} for name in sorted(folders)),
                *files.values()]  # fmt: skip

    def _get_revision(self, repo: Repo, revision: str, headers: dict[str, str], body: bytes) -> Any:
        self._commit_of(repo, revision)
        return {"id": "x", "sha": repo.head, "siblings": []}

    def _commit_of(self, repo: Repo, revision: str) -> Commit:
        sha = repo.tags.get(revision, repo.head if revision == "main" else revision)
        if sha not in repo.commits:
            raise Refusal(404, f"Invalid rev id: {revision}")
        return repo.commits[sha]

    def _post_preupload(self, repo: Repo, revision: str, headers: dict[str, str], body: bytes) -> Any:
        files = json.loads(body)["files"]
        for file in files:
            base64.b64decode(file["sample"], validate=True)
            assert isinstance(file["size"], int)
        return {
            "files": [
                {"path": f["path"], "uploadMode": "lfs" if f["path"].endswith(LARGE) else "regular",
                 "shouldIgnore": False, "oid": None}
                for f in files
            ]
        }  # fmt: skip

    def _lfs(self, method: str, name: str, rest: str, headers: dict[str, str], wanted: dict[str, Any]) -> Any:
        if rest != "verify" and (headers.get("content-type") != LFS or headers.get("accept") != LFS):
            raise Refusal(415, f"{LFS} is needed")
        if name not in self.repos or method != "POST":
            raise Refusal(404, "Repository not found")
        if rest == "verify":
            if len(self.storage.objects.get(wanted["oid"], b"")) != wanted["size"]:
                raise Refusal(404, "not uploaded")
            return {}
        if wanted["operation"] != "upload" or wanted["hash_algo"] != "sha256" or "basic" not in wanted["transfers"]:
            raise Refusal(422, "only uploads by SHA-256")
        verify = {"href": f"{self.url}/datasets/{name}.git/info/lfs/verify", "header": {}}
        objects: list[dict[str, Any]] = []
        for one in wanted["objects"]:
            address = f"{self.storage.url}/{one['oid']}?signature=s"
            actions = {"upload": {"href": address, "header": {}}, "verify": verify}
            is_there = one["oid"] in self.storage.objects
            objects.append({"oid": one["oid"], "size": one["size"]} | ({} if is_there else {"actions": actions}))
        return {"transfer": "basic", "objects": objects}

    def _post_commit(self, repo: Repo, revision: str, headers: dict[str, str], body: bytes) -> Any:
        if headers.get("content-type") != "application/x-ndjson" or revision != "main":
            raise Refusal(415, "application/x-ndjson to main is needed")
        header, *lines = map(json.loads, body.splitlines())
        if header["key"] != "header" or not header["value"]["summary"]:
            raise Refusal(400, "the first line is the header with a summary")
        if header["value"].get("parentCommit", repo.head) != repo.head:
            raise Refusal(412, "A commit has happened since. Please refresh and try again.")
        files = dict(repo.commits[repo.head].files)
        for line in lines:
            value = line["value"]
            if line["key"] == "file" and value["encoding"] == "base64":
                files[value["path"]] = _entry(value["path"], base64.b64decode(value["content"], validate=True))
            elif line["key"] == "lfsFile" and value["algo"] == "sha256":
                content = self.storage.objects.get(value["oid"])
                if content is None or len(content) != value["size"]:
                    raise Refusal(400, "the large file was not uploaded")
                files[value["path"]] = _entry(value["path"], content, is_large=True)
            elif line["key"] == "deletedFile":
                del files[value["path"]]
            else:
                raise Refusal(400, f"unknown line {line['key']}")
        sha = repo.add(Commit(files, header["value"]["summary"]))
        name = next(name for name, known in self.repos.items() if known is repo)
        address = f"{self.url}/datasets/{name}/commit/{sha}"
        return {"success": True, "commitOid": sha, "commitUrl": address, "hookOutput": ""}

    def _post_tag(self, repo: Repo, revision: str, headers: dict[str, str], body: bytes) -> Any:
        tag = json.loads(body)["tag"]
        if tag in repo.tags:
            return 409, {"error": "Reference already exists"}
        self._commit_of(repo, revision)
        repo.tags[tag] = repo.head if revision == "main" else revision
        return None


def _entry(path: str, content: bytes, *, is_large: bool = False) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "content": content.hex()}
    stored = content
    if is_large:
        oid = hashlib.sha256(content).hexdigest()
        stored = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {len(content)}\n".encode()
        entry["lfs"] = {"oid": oid, "size": len(content), "pointerSize": len(stored)}
    return {**entry, "oid": hashlib.sha1(b"blob %d\0" % len(stored) + stored).hexdigest()}
