"""A language model as classifier, through any OpenAI-compatible address."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.asking import MILD_TEXT, ask_all
from evaluation.runners.chat_description import ChatDescription
from evaluation.runners.chat_parsing import parse_answer
from evaluation.runners.environment import digest, record
from evaluation.runners.json_service import BadAnswer, JsonService
from evaluation.runners.json_values import NotThere, fill, find, parse_path
from evaluation.runners.settings import RunnerSettings

CHOICE = parse_path("choices[0]")
CHARACTERS_PER_TOKEN = 4  # OpenAI's rule of thumb for English; only for the estimate, the bill counts real tokens


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What a run will roughly use. `cost` is None where the description gives no price."""

    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    currency: str | None

    @property
    def at_most(self) -> str:
        """The cost for people, rounded up: what costs something is never shown as nothing."""
        return "" if self.cost is None else f"{ceil(100 * self.cost) / 100:.2f} {self.currency}"


class ChatRunner:
    """Asks one question per text. Refusals are counted apart: they are neither right nor wrong."""

    def __init__(self, described: ChatDescription, *, settings: RunnerSettings) -> None:
        self._described = described
        self._settings = settings
        self._used = {"requests": 0, "input_tokens": 0, "output_tokens": 0, "refusals": 0}
        self._lock = threading.Lock()
        self._service = JsonService(
            described.url,
            settings=settings,
            headers=described.headers,
            secrets=described.secrets,
            query={},
            timeout=described.timeout,
            attempts=described.attempts,
            requests_per_second=described.requests_per_second,
            daily_quota=described.daily_quota,
        )

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; what cannot be parsed is an `error`, an overloaded service raises `RunnerBusy`."""
        self._service.begin()
        return ask_all(
            texts,
            lambda batch: [self._ask(batch[0])],
            on_stop=self._service.end,
            concurrency=self._described.concurrency,
            progress=progress,
            should_stop=should_stop,
        )

    def estimate_cost(self, texts: Sequence[str]) -> CostEstimate:
        """Tokens and money before anything is sent: characters by rule of thumb, answers at their longest."""
        described = self._described
        around = len(described.prompt) + len(described.system or "")
        read = sum((around + len(text)) // CHARACTERS_PER_TOKEN + 8 for text in texts)
        written = described.max_tokens * len(texts)
        price = described.price
        return CostEstimate(
            requests=len(texts),
            input_tokens=read,
            output_tokens=written,
            cost=(read * price.input_per_million + written * price.output_per_million) / 1e6 if price else None,
            currency=price.currency if price else None,
        )

    @property
    def fingerprint(self) -> str:
        return digest(["chat", self._described.content_hash, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What was asked, how, and what it used so far; no secret is in it."""
        described = self._described
        return record(
            self._settings,
            kind="chat",
            fingerprint=self.fingerprint,
            packages=("httpx",),
            model=described.model,
            url=described.url,
            revision="",
            device="remote",
            prompt=described.prompt,
            system=described.system,
            temperature=described.temperature,
            seed=described.seed,
            used=self.usage(),
            currency=described.price.currency if described.price else None,
        )

    def usage(self) -> dict[str, float]:
        """Requests, tokens, refusals and, where prices are known, money since it was loaded."""
        price = self._described.price
        with self._lock:
            used: dict[str, float] = dict(self._used)
        if price:
            read, written = used["input_tokens"], used["output_tokens"]
            used["cost"] = (read * price.input_per_million + written * price.output_per_million) / 1e6
        return used

    def _ask(self, text: str) -> Answer:
        try:
            found = self._service.call(self._request(text), mild=self._request(MILD_TEXT))
            answer = self._parse(find(found, CHOICE))
        except (BadAnswer, NotThere) as error:
            return Answer(label=None, error=str(error))
        self._count(found, answer)
        return answer

    def _request(self, text: str) -> dict[str, Any]:
        described = self._described
        messages = [{"role": "user", "content": str(fill(described.prompt, {"text": text}))}]
        if described.system:
            messages.insert(0, {"role": "system", "content": described.system})
        body = {
            "model": described.model,
            "messages": messages,
            "temperature": described.temperature,
            "max_tokens": described.max_tokens,
            "seed": described.seed,
            **described.extra,
        }
        return {name: value for name, value in body.items() if value is not None}

    def _parse(self, choice: Any) -> Answer:
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            return Answer(label=None, error="the answer has no message")
        if message.get("refusal") or choice.get("finish_reason") == "content_filter":
            return Answer(label=None, refusal=True, raw=str(message.get("refusal") or "content filter"))
        answer = parse_answer(str(message.get("content") or ""), words=self._described.words)
        if answer.error and choice.get("finish_reason") == "length":
            most = self._described.max_tokens
            return replace(answer, error=f"{answer.error}; it was cut after {most} tokens. Raise max_tokens.")
        return answer

    def _count(self, found: Any, answer: Answer) -> None:
        usage = found.get("usage") if isinstance(found, dict) else None
        usage = usage if isinstance(usage, dict) else {}
        with self._lock:
            self._used["requests"] += 1
            self._used["refusals"] += answer.refusal
            self._used["input_tokens"] += int(usage.get("prompt_tokens") or 0)
            self._used["output_tokens"] += int(usage.get("completion_tokens") or 0)
