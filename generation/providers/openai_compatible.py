"""Any server that speaks OpenAI's chat protocol: OpenAI itself, vLLM, Ollama, llama.cpp and others."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx

from generation.providers.errors import AddressNotAllowed, ProviderError
from generation.providers.reading import as_text, token_counts, whole_characters
from generation.providers.streaming import read_stream
from generation.providers.values import Answer, Request

_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_HOPELESS = frozenset({401, 402, 403, 404})
_DECLINED = ("content_filter", "content_policy_violation")
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
_ADAPTABLE = ("max_completion_tokens", "stream_options", "seed", "response_format", "json_schema")
STRUCTURED = ("auto", *_FORMATS)
LONGEST_WAIT = 600.0  # seconds; a run that waits longer keeps a worker from all other work
_SHORTEST_SECRET = 8  # local servers take anything for a key, such as "x", which is no secret and may stand in a text


class OpenAICompatible:
    """Asks a server at a base URL. Structured output "auto" tries a JSON schema, then JSON, then plain text.

    Refuses an address that `is_allowed_url` does not accept, and a key that no header can hold; redirects are never
    followed. A key that the server says back is hidden before anybody keeps what it said.
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
        if not (api_key.isascii() and api_key.isprintable()):
            # Said here, because the library that sends it would quote the key.
            raise ProviderError("the API key holds characters that no key has, such as a line break", is_final=True)
        self.model = model
        self.stream = stream
        self._secret = api_key if len(api_key) >= _SHORTEST_SECRET else ""
        # Falls from the strictest format to none; what the server refused once is not tried again.
        self._formats = list(_FORMATS) if structured == "auto" else [structured]
        # Newer and older servers disagree about these; what one refuses is renamed or left out from then on.
        self._limit_name = "max_tokens"
        self._left_out: set[str] = set()
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
            body = self._body(request, form)
            try:
                return self._hide_key(self._send(body))
            except _NotSupported as error:
                if not self._adapt(str(error), body, form):
                    raise ProviderError(self._without_key(str(error))) from None
            except ProviderError as error:
                error.args = (self._without_key(str(error)),)
                raise error from None

    def _without_key(self, text: str) -> str:
        return text.replace(self._secret, "[the key]") if self._secret else text

    def _hide_key(self, answer: Answer) -> Answer:
        if not self._secret or self._secret not in answer.raw + answer.text + answer.refusal:
            return answer
        return replace(
            answer,
            text=self._without_key(answer.text),
            raw=self._without_key(answer.raw),
            refusal=self._without_key(answer.refusal),
        )

    def _adapt(self, explanation: str, body: dict[str, Any], form: str) -> bool:
        """Ask differently from now on; False when there is no other way. Other threads may have learnt it already."""
        if "max_completion_tokens" in explanation and "max_tokens" in body:
            self._limit_name = "max_completion_tokens"
            return True
        for name in ("stream_options", "seed"):
            if name in explanation and name in body:
                self._left_out.add(name)
                return True
        if "response_format" in body and ("response_format" in explanation or "json_schema" in explanation):
            if self._formats[0] == form and len(self._formats) > 1:
                self._formats = self._formats[1:]
            return self._formats[0] != form
        return False

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
            self._limit_name: parameters.max_tokens,
            "seed": request.seed,
            "stream": self.stream,
        }
        if self.stream:
            body["stream_options"] = {"include_usage": True}
        if _FORMATS[form] is not None:
            body["response_format"] = _FORMATS[form]
        return {name: value for name, value in body.items() if name not in self._left_out}

    def _send(self, body: dict[str, Any]) -> Answer:
        try:
            with self._client.stream("POST", "chat/completions", json=body) as response:
                if response.status_code != 200:
                    response.read()
                    if refusal := _refusal_of(response):
                        return Answer("", whole_characters(response.text), "content_filter", self.model, 0, 0, refusal)
                    raise _error_of(response)
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


class _NotSupported(Exception):
    """The server does not know a field of the request; the message is the server's."""


def _read_answer(text: str, *, model: str) -> Answer:
    try:
        data = json.loads(text)
        choice = data["choices"][0]
        message = choice["message"]
        prompt_tokens, completion_tokens = token_counts(data.get("usage"))
        return Answer(
            text=as_text(message.get("content")),
            raw=whole_characters(text),
            finish_reason=as_text(choice.get("finish_reason")),
            model=as_text(data.get("model")) or model,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            refusal=as_text(message.get("refusal")),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ProviderError(
            f"the answer is not in OpenAI's format ({type(error).__name__}: {error}): {text[:200]!r}", is_retryable=True
        ) from error


def _refusal_of(response: httpx.Response) -> str:
    """What a server says that does not let a prompt through to its model: an answer, and no reason to stop the run."""
    explanation = _explanation(response) if response.status_code == 400 else ""
    return explanation if any(code in explanation for code in _DECLINED) else ""


def _error_of(response: httpx.Response) -> Exception:
    status = response.status_code
    explanation = _explanation(response)
    if status in (400, 422, 501) and any(name in explanation for name in _ADAPTABLE):
        return _NotSupported(f"the server answered with status {status}: {explanation[:300]}")
    if 300 <= status < 400:
        return ProviderError(f"the server redirects (status {status}): give the final base URL", is_final=True)
    wait = _retry_after(response)
    is_too_long = wait is not None and not wait <= LONGEST_WAIT
    is_hopeless = status in _HOPELESS or "insufficient_quota" in explanation or is_too_long
    until = f" It asks to come back in {_in_words(wait)}: let the run go on then." if wait and is_too_long else ""
    return ProviderError(
        f"the server answered with status {status}: {explanation[:300]}{until}",
        is_retryable=status in _RETRYABLE and not is_hopeless,
        is_final=is_hopeless,
        retry_after=wait,
    )


def _in_words(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} hours" if seconds < 1e9 else "a very long time"


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
