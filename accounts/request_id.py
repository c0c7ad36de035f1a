"""The id of the request that is being served, wherever the work goes from there: logs, audit log, background tasks."""

from contextvars import ContextVar

NO_REQUEST = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)


def current_request_id() -> str:
    """The id, or nothing outside of a request."""
    found = request_id.get()
    return "" if found == NO_REQUEST else found
