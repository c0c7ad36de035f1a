"""What a log line must not hold."""

import logging

import pytest
import structlog

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
