"""Any JSON API, from a description."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.asking import MILD_TEXT, ask_all
from evaluation.runners.environment import digest, record
from evaluation.runners.http_description import HttpDescription
from evaluation.runners.json_service import BadAnswer, JsonService
from evaluation.runners.json_values import NotThere, fill, find
from evaluation.runners.settings import RunnerSettings


class HttpRunner:
    """Labels texts with a service over HTTP. The caller passes only what is missing, so nothing is asked twice."""

    def __init__(self, described: HttpDescription, *, settings: RunnerSettings) -> None:
        self._described = described
        self._settings = settings
        self._service = JsonService(
            described.url,
            settings=settings,
            headers=described.headers,
            secrets=described.secrets,
            query=described.query,
            method=described.method,
            timeout=described.timeout,
            attempts=described.attempts,
            requests_per_second=described.requests_per_second,
            daily_quota=described.daily_quota,
        )

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; an unusable answer is an `error`, an overloaded service raises `RunnerBusy`."""
        self._service.begin()
        return ask_all(
            texts,
            self._ask,
            on_stop=self._service.end,
            batch_size=self._described.batch_size,
            concurrency=self._described.concurrency,
            progress=progress,
            should_stop=should_stop,
        )

    @property
    def fingerprint(self) -> str:
        return digest(["http", self._described.content_hash, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What was asked, without any secret. The service may change behind its address: nobody can pin that."""
        described = self._described
        return record(
            self._settings,
            kind="http",
            fingerprint=self.fingerprint,
            packages=("httpx",),
            model=described.name,
            url=described.url,
            revision="",
            device="remote",
            threshold=described.threshold,
            label_map=described.labels,
        )

    def _ask(self, batch: Sequence[str]) -> list[Answer]:
        described = self._described
        try:
            found = self._service.call(self._request(batch), mild=self._request([MILD_TEXT]))
            if described.items is None:
                return [self._answer(found)]
            items = find(found, described.items)
            if not isinstance(items, list) or len(items) != len(batch):
                size = len(items) if isinstance(items, list) else "no list"
                raise BadAnswer(f"{len(batch)} texts were sent and {size} came back")
        except (BadAnswer, NotThere) as error:
            return [Answer(label=None, error=str(error)) for _ in batch]
        return [self._answer(item) for item in items]

    def _request(self, batch: Sequence[str]) -> Any:
        return fill(self._described.body, {"texts": list(batch), "text": batch[0]})

    def _answer(self, found: Any) -> Answer:
        described = self._described
        raw = json.dumps(found, ensure_ascii=False)[:500]
        try:
            value = find(found, described.score or described.label or [])
        except NotThere as error:
            return Answer(label=None, raw=raw, error=f"the answer has {error}")
        if described.score is not None:
            return self._from_score(value, raw)
        label = (described.labels or {}).get(str(value).lower())
        if label is None:
            known = ", ".join(described.labels or {})
            return Answer(label=None, raw=raw, error=f"'{value}' is not one of the described words: {known}")
        return Answer(label=label, raw=raw)

    def _from_score(self, value: Any, raw: str) -> Answer:
        try:
            score = float(value)
        except (TypeError, ValueError):
            return Answer(label=None, raw=raw, error=f"'{value}' is not a number")
        if score != score or self._described.threshold is None:
            return Answer(label=None, raw=raw, error=f"'{value}' is not a number")
        # Some services score from 0 to 100 or beyond; their cut is honoured, but only a share is kept as one.
        return Answer(
            label=self._settings.cut(score, self._described.threshold),
            score=score if 0 <= score <= 1 else None,
            scores={"score": score},
            raw=raw,
        )
