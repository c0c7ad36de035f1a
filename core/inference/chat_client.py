"""Any server that speaks OpenAI's chat protocol: OpenAI itself, vLLM, Ollama, llama.cpp and others."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.inference.chat import ChatAnswer, ChatRequest
from core.inference.chat_answers import lines_of, read_answer, read_stream, whole_characters
from core.inference.errors import RequestFailed
from core.inference.http import HttpClient, Reply, failure_of
from core.inference.secrets import hide
from core.inference.servers import ChatServer
from core.inference.settings import InferenceSettings

_DECLINED = ("content_filter", "content_policy_violation")
_ADAPTABLE = ("max_completion_tokens", "stream_options", "seed", "response_format", "json_schema")
LARGEST_ANSWER = 20_000_000  # a stream wraps every token in an event of its own


class _NotSupported(RequestFailed):
    """The server does not know a field of the request; the message is the server's."""


class ChatClient:
    """Asks a chat server. With a `schema` answers come as JSON: "auto" tries a JSON schema, then JSON, then plain text.

    Refuses an address that is not permitted; redirects are never followed.
    """

    max_concurrency: int | None = None

    def __init__(
        self, server: ChatServer, *, settings: InferenceSettings, schema: Mapping[str, Any] | None = None
    ) -> None:
        self.server = server
        self.model = server.model
        url = server.url.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"
        self._http = HttpClient(server, url=url, settings=settings, largest_answer=LARGEST_ANSWER)
        formats = _formats(schema)
        # Falls from the strictest format to none; what the server refused once is not tried again.
        self._formats = (
            list(formats.items())
            if server.structured == "auto"
            else [(server.structured, formats.get(server.structured))]
        )
        # Newer and older servers disagree about these; what one refuses is renamed or left out from then on.
        self._limit_name = "max_tokens"
        self._left_out: set[str] = set()

    @property
    def url(self) -> str:
        return self._http.url

    def close(self) -> None:
        self._http.close()

    def ask(self, request: ChatRequest) -> ChatAnswer:
        """Ask once. Raises RequestFailed; busy servers, time-outs and unreadable answers are worth another try."""
        while True:
            form = self._formats[0]
            body = self._body(request, form[1])
            try:
                answer = self._http.post(body, self._read)
            except _NotSupported as error:
                if not self._adapt(error.sentence, body, form[0]):
                    raise RequestFailed(error.sentence, status=error.status) from None
            else:
                return self._without_secrets(answer)

    def _without_secrets(self, answer: ChatAnswer) -> ChatAnswer:
        text, raw, refusal = (hide(said, self._http.secrets) for said in (answer.text, answer.raw, answer.refusal))
        return replace(answer, text=text, raw=raw, refusal=refusal)

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
            if self._formats[0][0] == form and len(self._formats) > 1:
                self._formats = self._formats[1:]
            return self._formats[0][0] != form
        return False

    def _body(self, request: ChatRequest, response_format: dict[str, Any] | None) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": request.messages,
            "temperature": request.temperature,
            "top_p": request.top_p,
            self._limit_name: request.max_tokens,
            "seed": request.seed,
            "logprobs": True if request.top_logprobs else None,
            "top_logprobs": request.top_logprobs,
            "stream": self.server.stream,
            "stream_options": {"include_usage": True} if self.server.stream else None,
            "response_format": response_format,
            **self.server.extra,
        }
        return {name: value for name, value in body.items() if value is not None and name not in self._left_out}

    def _read(self, reply: Reply) -> ChatAnswer:
        if reply.status != 200:
            text = reply.text()
            said = hide(_explanation(text), self._http.secrets)
            if reply.status == 400 and any(code in said for code in _DECLINED):
                # The prompt is not let through to the model: an answer, and no reason to stop the run.
                return ChatAnswer("", whole_characters(text), "content_filter", self.model, 0, 0, said)
            failure = failure_of(reply, said[:300])
            if reply.status in (400, 422, 501) and any(name in said for name in _ADAPTABLE):
                raise _NotSupported(failure.sentence, status=reply.status)
            raise failure
        if "text/event-stream" in reply.headers.get("content-type", ""):
            return read_stream(lines_of(reply.pieces), model=self.model)
        return read_answer(reply.text(), model=self.model)


def _formats(schema: Mapping[str, Any] | None) -> dict[str, dict[str, Any] | None]:
    if schema is None:
        return {"off": None}
    asked = {"name": "messages", "strict": True, "schema": dict(schema)}
    return {
        "json_schema": {"type": "json_schema", "json_schema": asked},
        "json_object": {"type": "json_object"},
        "off": None,
    }


def _explanation(text: str) -> str:
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return text.strip()
    if isinstance(error, dict):
        return " ".join(str(error.get(key) or "") for key in ("code", "param", "message")).strip()
    return str(error)
