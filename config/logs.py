"""Structured logs: one line per event, with the request id that follows the work into background tasks."""

import logging
import re
import sys

import structlog
from structlog.typing import EventDict, WrappedLogger

from accounts.request_id import request_id

# Secrets that stand in addresses or headers: invitations, tokens, links of mails, shared results, crowd entries.
SECRETS = re.compile(
    r"\b(?P<kind>inv|tst)_[\w-]{16,}"
    r"|(?P<place>/(?:reset/key|confirm-email|results/shared|label/enter)/)(?!done)[^/\s\"'?\\]+"
)


def hide_secrets(_logger: WrappedLogger, _name: str, line: str) -> str:
    """Blot out live secrets in the finished line, wherever in it they stand: a traceback quotes addresses, too."""
    return SECRETS.sub(lambda found: f"{found['place'] or found['kind'] + '_'}…", line)


def add_request_id(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    event["request_id"] = request_id.get()
    return event


def configure(*, level: str, as_json: bool) -> None:
    """Send the standard library's and structlog's events through one chain to stderr."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_request_id,
        structlog.processors.StackInfoRenderer(),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        # Plain: the default shows every local variable, and those hold keys of services and hateful texts.
        else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    )
    if as_json:
        shared.append(structlog.processors.format_exc_info)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer, hide_secrets],  # type: ignore[list-item]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("axes", "httpx", "matplotlib", "fontTools", "amqp"):
        logging.getLogger(noisy).setLevel("WARNING")
    logging.getLogger("kombu.connection").setLevel("ERROR")  # it warns that a spool folder has no host name
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
