"""Any server that speaks OpenAI's chat protocol: OpenAI itself, vLLM, Ollama, llama.cpp and others."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Callable
from typing import Any

import httpx

from generation.providers.errors import AddressNotAllowed, ProviderError
from generation.providers.streaming import read_stream
from generation.providers.values import Answer, Request

_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_HOPELESS = frozenset({401, 402, 403, 404})
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"messages": {"type": "array", "items": {"type": "string"}}},
    "required": ["messages"],
    "additionalProperties": False,
}
_FORMATS: dict[str, dict[str, Any] | None] = {
    "json_schema": {"type": "json_schema", "json_schema": {"name": "messages", "strict": True, "schema": _SCHEMA}},
    "json_object": {"type": "json_object"},
    "off": None,
}
STRUCTURED = ("auto", *_FORMATS)


class OpenAICompatible:
    """Asks a server at a base URL. Structured output "auto" tries a JSON schema, then JSON, then plain text.

    Refuses an address that `is_allowed_url` does not accept; redirects are never followed.
    """

    max_concurrency: int | None = None

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        is_allowed_url: Callable[[str], bool],
        api_key: str = "",
        timeout: float = 120.0,
        structured: str = "auto",
        stream: bool = False,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        if not is_allowed_url(base_url):
            raise AddressNotAllowed(base_url)
        if structured not in STRUCTURED:
            raise ValueError(f"no structured output is called '{structured}'; known: {', '.join(STRUCTURED)}")
        self.model = model
        self.stream = stream
        # Falls from the strictest format to none; what the server refused once is not tried again.
        self._formats = list(_FORMATS) if structured == "auto" else [structured]
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(
            base_url=base_url.rstrip("/") + "/",
            headers=headers,
            timeout=timeout,
            follow_redirects=False,
            transport=transport,
        )

    def close(self) -> None:
        self._client.close()

    def ask(self, request: Request) -> Answer:
        """Ask once. Raises ProviderError; busy servers, timeouts and unreadable answers are worth another try."""
        while True:
            form = self._formats[0]
            try:
                return self._send(self._body(request, form))
            except _FormatNotSupported as error:
                if len(self._formats) < 2:
                    raise ProviderError(str(error)) from error
                if self._formats[0] == form:
                    self._formats = self._formats[1:]

    def _body(self, request: Request, form: str) -> dict[str, Any]:
        parameters = request.parameters
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": request.prompt.system},
                {"role": "user", "content": request.prompt.user},
            ],
            "temperature": parameters.temperature,
            "top_p": parameters.top_p,
            "max_tokens": parameters.max_tokens,
            "seed": request.seed,
            "stream": self.stream,
        }
        if self.stream:
            body["stream_options"] = {"include_usage": True}
        if _FORMATS[form] is not None:
            body["response_format"] = _FORMATS[form]
        return body

    def _send(self, body: dict[str, Any]) -> Answer:
        try:
            with self._client.stream("POST", "chat/completions", json=body) as response:
                if response.status_code != 200:
                    response.read()
                    raise _error_of(response, has_format="response_format" in body)
                if "text/event-stream" in response.headers.get("content-type", ""):
                    return read_stream(response.iter_lines(), model=self.model)
                response.read()
        except httpx.TimeoutException as error:
            raise ProviderError(
                f"no answer within the time limit ({type(error).__name__})", is_retryable=True
            ) from error
        except httpx.HTTPError as error:
            raise ProviderError(f"the connection failed: {error or type(error).__name__}", is_retryable=True) from error
        return _read_answer(response.text, model=self.model)


class _FormatNotSupported(Exception):
    """The server does not know the response format that was asked for."""


def _read_answer(text: str, *, model: str) -> Answer:
    try:
        data = json.loads(text)
        choice = data["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content") or "", message.get("refusal") or ""
        usage = data.get("usage") or {}
        return Answer(
            text=str(content),
            raw=text,
            finish_reason=choice.get("finish_reason") or "",
            model=data.get("model") or model,
            prompt_tokens=usage.get("prompt_tokens"),
            completion_tokens=usage.get("completion_tokens"),
            refusal=str(refusal),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ProviderError(
            f"the answer is not in OpenAI's format ({type(error).__name__}: {error}): {text[:200]!r}", is_retryable=True
        ) from error


def _error_of(response: httpx.Response, *, has_format: bool) -> Exception:
    status = response.status_code
    explanation = _explanation(response)
    if status in (400, 422, 501) and has_format and ("response_format" in explanation or "json_schema" in explanation):
        return _FormatNotSupported(explanation)
    if 300 <= status < 400:
        return ProviderError(f"the server redirects (status {status}): give the final base URL", is_final=True)
    is_out_of_money = "insufficient_quota" in explanation
    return ProviderError(
        f"the server answered with status {status}: {explanation[:300]}",
        is_retryable=status in _RETRYABLE and not is_out_of_money,
        is_final=status in _HOPELESS or is_out_of_money,
        retry_after=_retry_after(response),
    )


def _explanation(response: httpx.Response) -> str:
    try:
        error = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return response.text.strip() or response.reason_phrase
    return (
        " ".join(str(error.get(key) or "") for key in ("code", "param", "message")).strip()
        if isinstance(error, dict)
        else str(error)
    )


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
