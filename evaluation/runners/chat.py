"""A language model as classifier, through any OpenAI-compatible address."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from core.inference.chat import ChatAnswer, ChatRequest
from core.inference.chat_client import ChatClient
from core.inference.costs import prompt_tokens_of
from core.inference.errors import sentence_of
from core.text import _
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.asking import MILD_TEXT, BadAnswer, Patience, ask_all
from evaluation.runners.chat_description import ChatDescription
from evaluation.runners.chat_reading import read_answer
from evaluation.runners.descriptions import content_hash, read_chat_description
from evaluation.runners.environment import digest, record
from evaluation.runners.json_values import fill
from evaluation.runners.kinds import Example, RunnerKind, Spec
from evaluation.runners.probabilities import MOST_TOKENS
from evaluation.runners.settings import RunnerSettings


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What a run will use at most. `cost` is None where the description gives no price."""

    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    currency: str | None

    @property
    def rounded_cost(self) -> float | None:
        """The cost for people, rounded up: what costs something is never shown as nothing."""
        return None if self.cost is None else ceil(100 * self.cost) / 100

    @property
    def at_most(self) -> str:
        """The rounded cost with its currency, for the terminal."""
        return "" if self.rounded_cost is None else f"{self.rounded_cost:.2f} {self.currency}"


class ChatRunner(RunnerKind):
    """Asks one question per text. Refusals are counted apart: they are neither right nor wrong."""

    kind = "chat"
    syntax = _("chat:MODEL or chat:FILE.yaml")
    source = "file"
    is_paid = True
    examples = (
        Example(
            _("A language model behind an OpenAI-compatible address"),
            "chat:some-model",
            "url: https://api.example.org/v1\napi_key: ${EXAMPLE_API_KEY}\nprompt: |\n"
            "  Is this text hateful? Answer with one word, hateful or non-hateful.\n  Text: {text}\n"
            "requests_per_minute: 60\nprice: {input_per_million: 0.15, output_per_million: 0.60}",
            _("The host has to be on this installation's list, the key in an environment variable of the workers."),
        ),
    )

    def __init__(self, described: ChatDescription, *, settings: RunnerSettings) -> None:
        self._described = described
        self._settings = settings
        self.asks_language = described.asks_language
        self._used = {"requests": 0, "input_tokens": 0, "output_tokens": 0, "refusals": 0}
        self._lock = threading.Lock()
        self._client = ChatClient(described, settings=settings)
        self._patience = Patience(described, url=self._client.url, longest_wait=settings.longest_wait)

    @classmethod
    def load(cls, spec: Spec, settings: RunnerSettings) -> ChatRunner:
        """Return the runner of a file, or of a model's name with its options."""
        is_file = spec.target.endswith((".yaml", ".yml")) or not spec.options
        named = {"model": spec.target} if spec.target else {}
        source = spec.file(settings) if is_file else {**named, **spec.options}
        return cls(read_chat_description(source, settings=settings), settings=settings)

    def predict(
        self,
        texts: Sequence[str],
        *,
        languages: Sequence[str] = (),
        progress: Progress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> list[Answer]:
        """Label every text; what cannot be parsed is an `error`, an overloaded service raises `RunnerBusy`."""
        return ask_all(
            list(zip(texts, languages or [""] * len(texts), strict=True)),
            lambda batch: [self._ask(*batch[0])],
            patience=self._patience,
            concurrency=self._described.concurrency,
            progress=progress,
            should_stop=should_stop,
        )

    def estimate_cost(self, texts: Sequence[str]) -> CostEstimate:
        """Return tokens and money before anything is sent: texts on the dear side, answers at their longest."""
        price = self._described.price
        read = sum(prompt_tokens_of(self._request(text)) for text in texts)
        written = self._described.max_tokens * len(texts)
        return CostEstimate(
            requests=len(texts),
            input_tokens=read,
            output_tokens=written,
            cost=price.of(prompt_tokens=read, completion_tokens=written) if price else None,
            currency=price.currency if price else None,
        )

    @property
    def fingerprint(self) -> str:
        return digest(["chat", content_hash(self._described), self._settings.labels])

    def describe(self) -> dict[str, object]:
        """Return what was asked, how, and what it used so far; no secret is in it."""
        described = self._described
        return record(
            self._settings,
            kind="chat",
            fingerprint=self.fingerprint,
            packages=("httpx",),
            model=described.model,
            url=self._client.url,
            revision="",
            device="remote",
            preset=described.preset,
            prompt=described.prompt,
            threshold=described.cuts().kept_threshold if described.has_scores else None,
            asks_language=self.asks_language,
            system=described.system,
            temperature=described.temperature,
            seed=described.seed,
            used=self.usage(),
            currency=described.price.currency if described.price else None,
        )

    def usage(self) -> dict[str, float]:
        """Return requests, tokens, refusals and, where prices are known, money since it was loaded."""
        price = self._described.price
        with self._lock:
            used: dict[str, float] = dict(self._used)
        if price:
            read, written = int(used["input_tokens"]), int(used["output_tokens"])
            used["cost"] = price.of(prompt_tokens=read, completion_tokens=written)
        return used

    def _ask(self, text: str, language: str) -> Answer:
        try:
            found = self._patience.ask(
                lambda: self._client.ask(self._request(text)),
                mild=lambda: self._client.ask(self._request(MILD_TEXT)),
            )
        except BadAnswer as error:
            return Answer(label=None, error=sentence_of(error))
        answer = self._parse(found, language)
        with self._lock:
            self._used["requests"] += 1
            self._used["refusals"] += answer.refusal
            self._used["input_tokens"] += found.prompt_tokens or 0
            self._used["output_tokens"] += found.completion_tokens or 0
        return answer

    def _request(self, text: str) -> ChatRequest:
        described = self._described
        return ChatRequest(
            user=str(fill(described.prompt, {"text": text})),
            system=described.system,
            temperature=described.temperature,
            max_tokens=described.max_tokens,
            top_p=described.top_p,
            seed=described.seed,
            top_logprobs=MOST_TOKENS if described.probability else None,
        )

    def _parse(self, found: ChatAnswer, language: str) -> Answer:
        if found.refusal or found.finish_reason == "content_filter":
            return Answer(label=None, refusal=True, raw=found.refusal or "content filter")
        answer = read_answer(found, self._described, settings=self._settings, language=language)
        if answer.error and found.finish_reason == "length":
            most = self._described.max_tokens
            cut = _(
                "%(problem)s; it was cut after %(most)s tokens. Raise max_tokens.", problem=answer.error, most=str(most)
            )
            return replace(answer, error=cut)
        return answer
