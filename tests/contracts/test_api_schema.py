"""The API is a promise: its schema is checked in, and a change of it is a change of a file that people review."""

import difflib
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent.parent
SNAPSHOT = ROOT / "docs" / "api-schema.yaml"


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> str:
    """The schema as `make schema` would write it now."""
    file = tmp_path_factory.mktemp("schema") / "schema.yaml"
    call_command("spectacular", "--file", str(file), "--validate")
    return file.read_text(encoding="utf-8")


def test_the_schema_is_the_one_that_was_checked_in(generated):
    assert SNAPSHOT.exists(), "docs/api-schema.yaml is missing: run `make schema` and commit it"
    before = SNAPSHOT.read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(before, generated.splitlines(), "checked in", "generated", lineterm="", n=1))
    assert not difference, "the API changed; look at it, then run `make schema`:\n" + "\n".join(difference[:60])


def test_every_operation_has_a_name_of_its_own_and_says_who_may(generated):
    import yaml

    schema = yaml.safe_load(generated)
    operations = [
        (method, address, operation)
        for address, methods in schema["paths"].items()
        for method, operation in methods.items()
        if method in {"get", "post", "put", "patch", "delete"}
    ]
    assert operations
    names = [operation["operationId"] for _, _, operation in operations]
    assert len(names) == len(set(names))
    assert all("security" in operation for _, _, operation in operations)
    assert {"type": "http", "scheme": "bearer"} in schema["components"]["securitySchemes"].values()
