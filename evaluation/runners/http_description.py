"""What a JSON API needs to be told apart from others: where to ask, how to put the question, where the answer is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.runners.descriptions import Description, read_description
from evaluation.runners.environment import digest
from evaluation.runners.json_values import mentions, parse_path
from evaluation.runners.secrets import check_values, fill_secrets, secrets_in
from evaluation.runners.settings import RunnerSettings

PRESETS = Path(__file__).parent / "presets"
Steps = list[str | int | tuple[str, str]]


@dataclass(frozen=True, slots=True)
class HttpDescription:
    """A checked description. `content_hash` is over the file without the secrets it names."""

    name: str
    url: str
    method: str
    headers: dict[str, str]
    query: dict[str, str]
    secrets: tuple[str, ...]
    body: Any
    items: Steps | None
    score: Steps | None
    label: Steps | None
    threshold: float | None
    labels: dict[str, str] | None
    batch_size: int
    concurrency: int
    requests_per_second: float | None
    daily_quota: int | None
    attempts: int
    timeout: float
    content_hash: str


def preset_names() -> list[str]:
    """Descriptions that ship with the product."""
    return sorted(path.stem for path in PRESETS.glob("*.yaml"))


def read_http_description(source: Path | Mapping[str, Any], *, settings: RunnerSettings) -> HttpDescription:
    """A description from a file or from plain values, laid over the preset it names.

    Refuses unknown keys, secrets written out, an answer without score or label, a label map with unknown labels.
    """
    section = Description(source, file="description") if isinstance(source, Mapping) else read_description(source)
    preset = section.text("preset", f"the name of a preset: {', '.join(preset_names())}", default=None)
    if preset is not None:
        if preset in preset_names():
            section.values = {**read_description(PRESETS / f"{preset}.yaml").values, **section.values}
        else:
            section.complain("preset", f"there is no preset '{preset}'", f"Use one of: {', '.join(preset_names())}.")
    described = _read(section, settings)
    section.refuse_unknown()
    section.finish()
    return described


def _read(section: Description, settings: RunnerSettings) -> HttpDescription:
    answer = section.section("answer", "a section that says where the score or the label is, e.g. score: result.score")
    score, label = _path(answer, "score"), _path(answer, "label")
    items = _path(answer, "items")
    answer.refuse_unknown()
    if (score is None) == (label is None) and "answer" in section.values:
        answer.complain("score", "one of score and label is needed, not both", "Keep the one the service answers with.")
    threshold = section.number("threshold", default=None, minimum=float("-inf"))
    if score is not None and not settings.is_binary:
        answer.complain(
            "score", f"it cannot tell {len(settings.labels)} labels apart", "Say where the label is: label."
        )
    elif score is not None and threshold is None:
        section.complain("threshold", "it is missing", f"Add the score from which a text is {settings.positive}.")
    labels = section.mapping("labels", "a map from the service's words to labels", default=None)
    if label is not None and labels is None:
        section.complain("labels", "it is missing", "Say for each word of the service which label it means.")
    for word, meaning in (labels or {}).items():
        if isinstance(word, bool):
            section.complain(
                "labels", "YAML reads yes and no as true and false", 'Put the word in quotation marks: "no".'
            )
        if meaning not in settings.labels:
            section.complain("labels", f"'{word}' means '{meaning}'", f"Use {' or '.join(settings.labels)}.")
    batch_size = section.number("batch_size", default=1, minimum=1)
    body = section.take("body", (dict, list), 'the request with "{text}" where the text goes')
    wanted = "texts" if batch_size > 1 else "text"
    if body is not None and not mentions(body, wanted):
        section.complain("body", f"{{{wanted}}} does not occur in it", f'Write "{{{wanted}}}" where the text goes.')
    if (batch_size > 1) != (items is not None):
        section.complain("answer.items", "batches need a list of answers", "Give batch_size and answer.items together.")
    url = section.text("url", "the address that takes requests") or ""
    if "?" in url:
        section.complain("url", "it carries parameters", "Move them to query, with secrets as ${NAME}.")
    headers = section.mapping("headers", "a map of header names", default={})
    query = section.mapping("query", "a map of query parameters", default={})
    check_values(section, headers)
    check_values(section, query)
    return HttpDescription(
        name=section.text("name", "a name", default=section.file),
        url=url,
        method=section.text("method", "POST or PUT", default="POST").upper(),
        headers=fill_secrets(section, headers, settings),
        query=fill_secrets(section, query, settings),
        secrets=(*secrets_in(headers, settings), *secrets_in(query, settings)),
        body=body,
        items=items,
        score=score,
        label=label,
        threshold=threshold,
        labels={str(word).lower(): meaning for word, meaning in labels.items()} if labels else None,
        batch_size=int(batch_size),
        concurrency=int(section.number("concurrency", default=1, minimum=1, maximum=64)),
        requests_per_second=section.number("requests_per_second", default=None, minimum=0.001),
        daily_quota=section.number("daily_quota", default=None, minimum=1),
        attempts=int(section.number("attempts", default=5, minimum=1, maximum=20)),
        timeout=section.number("timeout", default=30.0, minimum=0.1),
        content_hash=digest(section.what_decides()),
    )


def _path(answer: Description, key: str) -> Steps | None:
    path = answer.text(key, "a path such as result.scores[0].value", default=None)
    if path is None:
        return None
    try:
        return parse_path(path)
    except ValueError as error:
        answer.complain(key, str(error), "Write the keys with full stops between them.")
        return None
