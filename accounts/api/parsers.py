"""Bodies of API requests, read so that nothing unstorable gets further than here."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from rest_framework import parsers
from rest_framework.exceptions import ParseError

from accounts.plain_values import MOST_LEVELS, TOO_DEEP, problem_with


class JSONParser(parsers.JSONParser):
    """JSON without null characters, without halves of characters and without endless nesting.

    The two kinds of characters can only be written as escapes (\\u0000, \\ud800), so most bodies need no walk.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        body = stream.read()
        try:
            value = super().parse(BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise ParseError(TOO_DEEP) from error
        is_suspicious = b"\\u" in body or body.count(b"[") + body.count(b"{") > MOST_LEVELS
        if is_suspicious and (problem := problem_with(value)):
            raise ParseError(problem)
        return value


class FormParser(parsers.FormParser):
    """A form without null characters."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        found = super().parse(stream, media_type, parser_context)
        _refuse_problems(found)
        return found


class MultiPartParser(parsers.MultiPartParser):
    """A form with files, without null characters."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        found = super().parse(stream, media_type, parser_context)
        _refuse_problems(found.data)
        return found


def _refuse_problems(form: Any) -> None:
    if problem := problem_with(dict(form.lists())):
        raise ParseError(problem)
