"""What a log line must not hold."""

import logging

import pytest
import structlog
from django.urls import reverse

from accounts.services import invitations
from accounts.services.secrets import new_secret
from config.logs import configure


@pytest.fixture
def plain_logs(capsys):
    root = logging.getLogger()
    handlers, level, settings = list(root.handlers), root.level, structlog.get_config()
    configure(level="INFO", as_json=False)
    yield capsys
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**settings)


def test_a_traceback_shows_lines_of_code_but_no_values(plain_logs):
    api_key = "-".join(["sk", "123"])
    try:
        raise RuntimeError("the service is away")
    except RuntimeError:
        structlog.get_logger("try").exception("job_failed")
    said = plain_logs.readouterr().err
    assert "the service is away" in said
    assert api_key not in said


def lines(plain_logs) -> list[str]:
    return plain_logs.readouterr().err.splitlines()


def test_every_line_of_a_refused_request_has_its_id(plain_logs, client, db):
    configure(level="INFO", as_json=False)  # what the other fixtures loaded has set up the log again
    client.get("/not/here/", HTTP_X_REQUEST_ID="request-0404")
    [line] = [line for line in lines(plain_logs) if "/not/here/" in line]
    assert "request_id=request-0404" in line
    structlog.get_logger("try").warning("after")
    assert "request_id=-" in lines(plain_logs)[-1]


def test_a_typo_in_an_invitation_does_not_write_its_link_to_the_log(plain_logs, client, mira):
    _, secret = invitations.invite(role="expert", by=mira)
    configure(level="INFO", as_json=False)
    answer = client.post(reverse("accounts:accept", args=[secret]), {"email": "no address", "name": "", "password": ""})
    assert answer.status_code == 422
    said = plain_logs.readouterr().err
    assert "Unprocessable Entity: /account/join/inv_…" in said
    assert secret not in said


@pytest.mark.parametrize("as_json", [False, True])
def test_no_line_holds_a_secret_of_an_address_a_header_or_a_traceback(plain_logs, as_json):
    configure(level="INFO", as_json=as_json)
    token = new_secret("tst")
    places = {
        "token": f"Bearer {token}",
        "reset": "/account/password/reset/key/1-set-abc123/",
        "mail": "/account/confirm-email/MQ:1x:abc123/",
        "shared": "https://example.org/results/shared/abc123/?x=1",
        "crowd": "/label/enter/abc123/",
    }
    try:
        raise ValueError(places["shared"])
    except ValueError:
        logging.getLogger("django.request").exception("Not Found: %s", places["reset"], extra=places)
    structlog.get_logger("try").warning("odd", **places)
    said = plain_logs.readouterr().err
    assert "/results/shared/…/?x=1" in said
    assert token not in said
    assert "abc123" not in said
