"""Any JSON API, from a description."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.inference.errors import sentence_of
from core.inference.http import HttpClient
from core.text import _, ngettext
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.asking import MILD_TEXT, BadAnswer, Patience, ask_all
from evaluation.runners.descriptions import content_hash, read_http_description
from evaluation.runners.environment import digest, record
from evaluation.runners.http_description import HttpDescription
from evaluation.runners.json_values import NotThere, fill, find, number_of
from evaluation.runners.kinds import Example, RunnerKind, Spec
from evaluation.runners.preset_files import preset_names
from evaluation.runners.settings import RunnerSettings


class HttpRunner(RunnerKind):
    """Labels texts with a service over HTTP. The caller passes only what is missing, so nothing is asked twice."""

    kind = "http"
    syntax = _("http:PRESET or http:FILE.yaml")
    source = "file"
    examples = (
        Example(
            _("Perspective (identity attack, cut at 0.5)"),
            "http:perspective",
            "daily_quota: 80000",
            _("Needs the environment variable PERSPECTIVE_API_KEY."),
        ),
        Example(
            _("A service that answers with severity words"),
            "http:severity_words",
            'url: https://api.example.org/v1/hate\nlabels: {"no": non-hateful, mild: hateful, severe: hateful}',
        ),
        Example(
            _("Any other JSON API"),
            "http:",
            "url: https://api.example.org/v1/score\nheaders: {Authorization: 'Bearer ${EXAMPLE_API_KEY}'}\n"
            "body: {document: {text: '{text}'}}\nanswer: {score: 'results[0].scores.hate'}\nthreshold: 0.5\n"
            "requests_per_second: 5",
        ),
    )

    def __init__(self, described: HttpDescription, *, settings: RunnerSettings) -> None:
        self._described = described
        self._settings = settings
        self._labels = described.meanings
        self.asks_language = described.asks_language
        self._usual_language = described.languages[0] if described.languages else "en"
        self._items, self._label, self._text = (described.answer.steps(name) for name in ("items", "label", "text"))
        self._outputs, self._cuts = described.answer.outputs(), described.cuts()
        query = described.filled_query(settings.environment)
        self._client = HttpClient(
            described, url=described.url, settings=settings, query=query, method=described.method.upper()
        )
        self._patience = Patience(described, url=described.url, longest_wait=settings.longest_wait)

    @classmethod
    def load(cls, spec: Spec, settings: RunnerSettings) -> HttpRunner:
        """Return the runner of a preset, a file or plain values."""
        if spec.target in preset_names():
            described = read_http_description(
                {"preset": spec.target, "name": spec.target, **spec.options}, settings=settings
            )
        else:
            described = read_http_description(
                spec.file(settings) if spec.target else dict(spec.options), settings=settings
            )
        return cls(described, settings=settings)

    def predict(
        self,
        texts: Sequence[str],
        *,
        languages: Sequence[str] = (),
        progress: Progress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> list[Answer]:
        """Label every text; an unusable answer is an `error`, an overloaded service raises `RunnerBusy`.

        Without `languages`, a request that names the language of its text names the first one the service knows.
        """
        return ask_all(
            list(zip(texts, languages or [self._usual_language] * len(texts), strict=True)),
            self._ask,
            patience=self._patience,
            batch_size=self._described.batch_size,
            concurrency=self._described.concurrency,
            progress=progress,
            should_stop=should_stop,
        )

    @property
    def fingerprint(self) -> str:
        return digest(["http", content_hash(self._described), self._settings.labels])

    def describe(self) -> dict[str, object]:
        """Return what was asked, without any secret. What the address leads to may change, which cannot be pinned."""
        described = self._described
        return record(
            self._settings,
            kind="http",
            fingerprint=self.fingerprint,
            packages=("httpx",),
            model=described.model or described.name,
            url=described.url,
            revision="",
            device="remote",
            preset=described.preset,
            threshold=self._cuts.kept_threshold if self._outputs else None,
            label_map=self._labels,
            asks_language=self.asks_language,
            languages=described.languages,
        )

    def _ask(self, batch: Sequence[tuple[str, str]]) -> list[Answer]:
        try:
            found = self._patience.ask(
                lambda: self._client.post_json(self._request(batch)),
                mild=lambda: self._client.post_json(self._request([(MILD_TEXT, self._usual_language)])),
            )
            if self._items is None:
                return [self._answer(found, batch[0][1])]
            items = find(found, self._items)
            if not isinstance(items, list) or len(items) != len(batch):
                raise BadAnswer(
                    ngettext(
                        "%(count)s text was sent and %(size)s came back",
                        "%(count)s texts were sent and %(size)s came back",
                        len(batch),
                        size=len(items) if isinstance(items, list) else _("no list"),
                    )
                )
        except (BadAnswer, NotThere) as error:
            return [Answer(label=None, error=sentence_of(error))] * len(batch)
        return [self._answer(item, language) for item, (_text, language) in zip(items, batch, strict=True)]

    def _request(self, batch: Sequence[tuple[str, str]]) -> Any:
        text, language = batch[0]
        texts = [asked[0] for asked in batch]
        values = {"texts": texts, "text": text, "language": language, "model": self._described.model}
        return fill(self._described.body, values)

    def _answer(self, found: Any, language: str) -> Answer:
        raw = json.dumps(found, ensure_ascii=False)[:500]
        try:
            if self._outputs:
                return self._from_scores({name: find(found, at) for name, at in self._outputs.items()}, language, raw)
            value = find(found, self._text or self._label or [])
        except NotThere as error:
            return Answer(label=None, raw=raw, error=_("the answer has %(problem)s", problem=sentence_of(error)))
        except ValueError as error:
            return Answer(label=None, raw=raw, error=sentence_of(error))
        if self._described.rule is not None:
            return self._described.rule.read(str(value), self._settings)
        label = (self._labels or {}).get(str(value).lower())
        if label is None:
            problem = _(
                "'%(value)s' is not one of the described words: %(words)s",
                value=str(value),
                words=list(self._labels or {}),
            )
            return Answer(label=None, raw=raw, error=problem)
        return Answer(label=label, raw=raw)

    def _from_scores(self, found: Mapping[str, Any], language: str, raw: str) -> Answer:
        if all(isinstance(value, bool) for value in found.values()):  # a service that decides and does not score
            return Answer(label=self._settings.label_if(any(found.values())), raw=raw)
        scores = {name: number_of(value) for name, value in found.items()}
        cut = self._cuts.judge(scores, language)
        return Answer(label=self._settings.label_if(cut.is_positive), score=cut.share, scores=scores, raw=raw)
