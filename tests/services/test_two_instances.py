"""Two instances on one machine, with real servers and workers: they list, fetch, verify, evaluate and push."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from config.processes import next_free_port
from tests.services.workers import ROOT, Instance

pytestmark = [pytest.mark.services, pytest.mark.slow]
WORDS = "python:tests.evaluation.factories:by_word"
MAKE = """
import json
from accounts.models import RoleGrant, User
from accounts.services.tokens import create_token
from tests.curation.releases.factories import make_release, make_suite
people = {{}}
for role in ("maintainer", "evaluator"):
    user = User.objects.create_user(f"{{role}}@{key}.example", "a long enough password", name=role)
    RoleGrant.objects.create(user=user, role=role)
    people[role] = create_token(user, name="test", scope="write")[1]
by = User.objects.get(email="maintainer@{key}.example")
release = make_release(make_suite("{key}", by=by), cascade="none", by=by)
print(json.dumps(people | {{"sha256": release.sha256, "cases": release.facts["included"]}}))
"""


class Site(Instance):
    """An instance that serves: its own folder, web server and worker."""

    def __init__(self, folder: Path, key: str, port: int) -> None:
        super().__init__(folder, "filesystem://")
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.environment |= {"ALLOWED_COMMAND_MODELS": WORDS.partition(":")[2], "SITE_URL": self.url}
        self.facts: dict[str, Any] = self.python(MAKE.format(key=key))
        self.start_web(port)
        self.start_worker()

    def api(self, method: str, path: str, role: str = "", **facts: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.facts[role]}"} if role else {}
        answer = httpx.request(method, f"{self.url}/api/v1/{path}", headers=headers, timeout=60, **facts)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def finish(self, key: str) -> dict[str, Any]:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            job = self.api("GET", f"jobs/{key}/", "maintainer")
            if job["state"] in ("done", "failed", "cancelled"):
                assert job["state"] == "done", job
                return job
            time.sleep(0.3)
        raise AssertionError(f"{key} did not end: {job}")


@pytest.fixture
def sites(tmp_path):
    """An instance with alpha@1.0.0 and one with beta@1.0.0."""
    made = []
    try:
        for key in ("alpha", "beta"):
            folder = tmp_path / key
            folder.mkdir()
            made.append(Site(folder, key, next_free_port("127.0.0.1", 18700 + 50 * len(made))))
        yield made
    finally:
        for site in made:
            site.end()


@pytest.fixture
def touchstone(tmp_path):
    """The command of a person who has neither of the two: a data folder of its own, and no database."""

    def run(*arguments: str, token: str = "", refused: bool = False) -> Any:
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"TOUCHSTONE_VAR": str(tmp_path / "person"), "TOUCHSTONE_TOKEN": token}
        command = [sys.executable, "-m", "touchstone", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == (1 if refused else 0), done.stderr
        return done.stderr if refused else json.loads(done.stdout)

    return run


def test_two_instances_list_fetch_verify_evaluate_and_push_to_each_other(sites, touchstone, tmp_path):
    alpha, beta = sites

    # A person lists and fetches from both, without a server of their own.
    for site, key in ((alpha, "alpha"), (beta, "beta")):
        (index,) = touchstone("suites", site.url, "--json")["indexes"]
        (listed,) = index["releases"]
        assert (listed["release"], listed["sha256"]) == (f"{key}@1.0.0", site.facts["sha256"])
        assert index["public_key"].startswith("RW")
        got = touchstone("get", f"{key}@1.0.0", "--json")
        assert (got["sha256"], got["cases"]) == (site.facts["sha256"], site.facts["cases"])
    assert len(touchstone("suites", "--json")["indexes"]) == 2

    # They evaluate both releases by name.
    for key in ("alpha", "beta"):
        found = touchstone(
            *("evaluate", f"{key}@1.0.0", "--model", WORDS, "--name", "Words", "--json"),
            *("--out", str(tmp_path / "results"), "--format", "json"),
        )
        assert found["models"]["Words"]["overall"]["accuracy"] == 1.0
    results = {key: str(tmp_path / "results" / f"report-{key}-1.0.0.json") for key in ("alpha", "beta")}

    # A result on a release that an instance does not have is refused.
    told = touchstone("push", results["alpha"], "--to", beta.url, "--json", token=beta.facts["evaluator"], refused=True)
    assert "There is no release 'alpha@1.0.0' here" in told

    # The instances follow each other; a worker reads the index, and everyone sees the releases.
    for site, other, key in ((alpha, beta, "beta"), (beta, alpha, "alpha")):
        site.finish(site.api("POST", "followed-indexes/", "maintainer", json={"address": other.url})["job"])
        (offered,) = site.api("GET", "followed-indexes/releases/")
        assert (offered["release"], offered["address"], offered["here"]) == (f"{key}@1.0.0", other.url, None)
        assert "Releases of others" in httpx.get(f"{site.url}/releases/", timeout=60).text

    # One imports by name over the API, the other one by command; both are sealed as they were.
    form = {"release": (None, "beta@1.0.0"), "access": (None, "public")}
    alpha.finish(alpha.api("POST", "releases/import/", "maintainer", files=form)["job"])
    imported = json.loads(beta.manage("import_release", "alpha@1.0.0", "--access", "public", "--json"))
    assert imported["sha256"] == alpha.facts["sha256"]
    assert alpha.api("GET", "releases/beta@1.0.0/")["sha256"] == beta.facts["sha256"]
    alpha.manage("verify_release", "beta@1.0.0")
    beta.manage("verify_release", "alpha@1.0.0")
    assert alpha.api("GET", "followed-indexes/releases/")[0]["here"] == "beta@1.0.0"

    # A server evaluates what it imported.
    found = json.loads(alpha.manage("evaluate", "beta@1.0.0", "--model", WORDS, "--name", "Server", "--json"))
    assert found["models"]["Server"]["overall"]["accuracy"] == 1.0

    # Evaluators push: with predictions it is recomputed, without it is self-reported.
    for site in (alpha, beta):
        token = site.facts["evaluator"]
        for key in ("alpha", "beta"):
            said = touchstone("push", results[key], "--to", site.url, "--json", token=token)
            assert (said["source"], said["release"], said["differences"]) == ("recomputed", f"{key}@1.0.0", [])
        said = touchstone(
            *("push", results["alpha"], "--to", site.url, "--name", "Claimed", "--without-predictions", "--json"),
            token=token,
        )
        assert said["source"] == "self-reported"
        board = site.api("GET", "leaderboard/", params={"release": "alpha@1.0.0"})
        assert [(one["model"], one["source"]) for one in board["ranking"]] == [("Words", "recomputed")]
        assert [one["model"] for one in board["reported"]] == ["Claimed"]
        assert httpx.get(said["leaderboard"], timeout=60).text.count("self-reported") >= 1
    told = touchstone("push", results["alpha"], "--to", beta.url, "--json", token="tst_wrong", refused=True)
    assert "did not take the result (HTTP 401)" in told

    # An instance that is gone is said; what was fetched from it still works.
    for process in alpha.processes:
        alpha.kill(process)
    (index,) = touchstone("suites", alpha.url, "--json")["indexes"]
    assert index["is_old_copy"]
    assert "cannot be reached" in touchstone("push", results["alpha"], "--to", alpha.url, token="x", refused=True)
    assert touchstone("get", "alpha@1.0.0", "--json")["sha256"] == alpha.facts["sha256"]
