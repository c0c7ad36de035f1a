"""What the API answers is what its schema promises."""

import re
from typing import Any

import jsonschema
import pytest
import yaml
from django.conf import settings
from rest_framework.test import APIClient

from annotation.campaigns.guidelines import load_guidelines
from annotation.models import Campaign
from curation.authoring.reviewing import comment_on
from curation.authoring.services import require_newest
from curation.cases.handwritten import write_case
from tests.annotation.factories import make_suite as make_labelled_suite
from tests.curation.authoring.factories import functionality, german, make_suite, write_template
from tests.curation.releases.factories import make_release
from tests.curation.releases.factories import make_suite as make_released_suite

pytestmark = pytest.mark.django_db
FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("uri")
def is_address(value: object) -> bool:
    return not isinstance(value, str) or re.match(r"[a-z]+://.", value) is not None


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((settings.BASE_DIR / "docs" / "api-schema.yaml").read_text(encoding="utf-8"))
    return found


def for_validation(node: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema has a type."""
    if isinstance(node, list):
        return [for_validation(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {name: for_validation(value) for name, value in node.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain


@pytest.fixture
def ask(schema, mira):
    """Ask by the path of the schema and its values; problems of the answer are the result."""
    client = APIClient()
    client.force_authenticate(mira)

    def asked(path: str, *, post: dict[str, Any] | None = None, **values: str) -> list[str]:
        address = path.format(**values)
        answer = client.get(address) if post is None else client.post(address, post, format="json")
        assert answer.status_code in (200, 201), answer.content
        promises = schema["paths"][path]["get" if post is None else "post"]["responses"]
        promised = promises[str(answer.status_code)]["content"]["application/json"]["schema"]
        whole = for_validation({"components": schema["components"], **promised})
        found = jsonschema.Draft7Validator(whole, format_checker=FORMATS).iter_errors(answer.json())
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in found]

    return asked


def test_templates_their_versions_and_comments(ask, emil, mira):
    suite = make_suite()
    template = write_template(suite, "Ich mag Regen nicht.", by=emil)
    where = {"suite": suite.key, "language": "de", "key": template.key}
    assert ask("/api/v1/templates/") == []
    assert ask("/api/v1/templates/{suite}/{language}/{key}/", **where) == []
    for _ in range(2):  # without a comment, then with one
        assert ask("/api/v1/templates/{suite}/{language}/{key}/versions/", **where) == []
        assert ask("/api/v1/templates/{suite}/{language}/{key}/comments/", **where) == []
        comment_on(require_newest(template), by=mira, text="Is this said?")


def test_cases_of_no_group_and_no_template(ask, emil):
    write_case(make_suite(), german(), functionality(), text="Ich mag Regen nicht.", by=emil)
    assert ask("/api/v1/cases/") == []


def test_prompts_and_their_versions(ask):
    assert ask("/api/v1/prompts/") == []
    assert ask("/api/v1/prompts/{language}/{functionality}/", language="en", functionality="ident_pos_nh") == []


def test_exports_of_a_release(ask, mira):
    release = make_release(make_released_suite(by=mira), cascade="none", by=mira)
    assert ask("/api/v1/releases/{key}/exports/", key=release.key) == []


def test_a_campaign_without_an_address_to_send_people_back_to(ask, mira):
    suite = make_labelled_suite()
    load_guidelines()
    assert ask("/api/v1/campaigns/", post={"title": "Round one", "suite": suite.key, "language": "en"}) == []
    assert Campaign.objects.get().completion_url == ""
