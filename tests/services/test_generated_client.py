"""A client that another program makes of the API's schema has every operation, and works."""

import json
import os
import subprocess
import sys
import textwrap
import venv
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command

from accounts.models import Scope
from accounts.services import tokens
from curation.models import Language, Suite

GENERATOR = "openapi-python-client==0.29.1"
FILES = ("application/pdf", "application/zip", "image/png", "image/svg+xml", "text/csv", "text/html")
# Files are bytes to a client.
SETTINGS = {"post_hooks": [], "content_type_overrides": dict.fromkeys(FILES, "application/octet-stream")}
pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> tuple[Path, Path, str]:
    """The Python of an environment of its own, the folder with the client `made`, and what the generator said."""
    folder = tmp_path_factory.mktemp("generated")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    python = folder / "env" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", GENERATOR]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode and os.environ.get("CI", "").lower() != "true":
        pytest.skip(f"{GENERATOR} cannot be installed here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    call_command("spectacular", "--file", str(folder / "schema.yaml"), "--validate")
    (folder / "settings.yaml").write_text(yaml.safe_dump(SETTINGS))
    arguments = ["--path", "schema.yaml", "--output-path", "made", "--config", "settings.yaml", "--meta", "none"]
    generate = [str(folder / "env" / "bin" / "openapi-python-client"), "generate", *arguments]
    done = subprocess.run(generate, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return python, folder, done.stdout + done.stderr


def run(python: Path, folder: Path, script: str, **environment: str) -> dict:
    done = subprocess.run(
        [str(python), "-c", textwrap.dedent(script)], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found: dict = json.loads(done.stdout)
    return found


def test_every_operation_becomes_a_function_without_a_warning(generated):
    _python, folder, said = generated
    schema = yaml.safe_load((folder / "schema.yaml").read_text(encoding="utf-8"))
    operations = [one["operationId"] for methods in schema["paths"].values() for one in methods.values()]
    made = {file.stem for file in folder.glob("made/api/*/*.py")} - {"__init__"}
    assert "WARNING" not in said
    assert "ERROR" not in said
    assert len(operations) > 230
    assert {name.lower() for name in operations} == made


def test_the_client_lists_makes_changes_and_is_refused(generated, live_server, mira):
    python, folder, _said = generated
    Language.objects.create(code="de", name="German")
    _token, secret = tokens.create_token(mira, name="client", scope=Scope.WRITE)
    found = run(
        python,
        folder,
        """
        import json, os
        from made import AuthenticatedClient
        from made.api.me import me_retrieve
        from made.api.suites import suites_create, suites_list, suites_partial_update, suites_retrieve
        from made.models import NewSuite, PatchedNewSuite

        client = AuthenticatedClient(base_url=os.environ["SERVER"], token=os.environ["TOKEN"])
        body = NewSuite(key="made", name="Made by a client", languages=["de"])
        first = suites_create.sync_detailed(client=client, body=body, idempotency_key="one")
        again = suites_create.sync_detailed(client=client, body=body, idempotency_key="one")
        changed = suites_partial_update.sync_detailed("made", client=client, body=PatchedNewSuite(name="Changed"))
        by_cursor = suites_list.sync(client=client, cursor="")
        stranger = AuthenticatedClient(base_url=os.environ["SERVER"], token="tst_wrong")
        print(json.dumps({
            "me": me_retrieve.sync(client=client).email,
            "made": [first.status_code, again.status_code, first.parsed == again.parsed],
            "changed": changed.status_code,
            "name": suites_retrieve.sync("made", client=client).name,
            "listed": [suite.key for suite in by_cursor.results],
            "stranger": me_retrieve.sync_detailed(client=stranger).status_code,
        }))
        """,
        SERVER=live_server.url,
        TOKEN=secret,
    )
    assert found == {
        "me": mira.email,
        "made": [201, 201, True],
        "changed": 200,
        "name": "Changed",
        "listed": ["made"],
        "stranger": 401,
    }
    assert Suite.objects.count() == 1
