"""What a language model behind an OpenAI-compatible address needs to be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.runners.descriptions import Description, read_description
from evaluation.runners.environment import digest
from evaluation.runners.secrets import check_values, fill_secrets, secrets_in
from evaluation.runners.settings import RunnerSettings

DEFAULT_PROMPT = """Is the following text hateful? Hateful means: abuse directed at a protected group, or at people
because they belong to one. Answer with one word, hateful or non-hateful.

Text: {text}
Answer:"""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in and out."""

    input_per_million: float
    output_per_million: float
    currency: str


@dataclass(frozen=True, slots=True)
class ChatDescription:
    """A checked description. `content_hash` is over the file without the secret it names."""

    name: str
    url: str
    model: str
    headers: dict[str, str]
    secrets: tuple[str, ...]
    system: str | None
    prompt: str
    words: dict[str, list[str]]
    temperature: float
    max_tokens: int
    seed: int | None
    extra: dict[str, Any]
    concurrency: int
    requests_per_second: float | None
    daily_quota: int | None
    attempts: int
    timeout: float
    price: Price | None
    content_hash: str


def read_chat_description(source: Path | Mapping[str, Any], *, settings: RunnerSettings) -> ChatDescription:
    """A description from a file or from plain values.

    Refuses unknown keys, a key written out, a prompt without {text}, labels nobody may call by any word.
    """
    section = Description(source, file="description") if isinstance(source, Mapping) else read_description(source)
    described = _read(section, settings)
    section.refuse_unknown()
    section.finish()
    return described


def _read(section: Description, settings: RunnerSettings) -> ChatDescription:
    url = section.text("url", "the base address, e.g. https://api.example.org/v1") or ""
    prompt = section.text("prompt", "the question, with {text} where the text goes", default=DEFAULT_PROMPT)
    if not settings.is_binary and prompt == DEFAULT_PROMPT:
        section.complain("prompt", f"the usual one asks for two labels, not {len(settings.labels)}", "Write your own.")
    if prompt and "{text}" not in prompt:
        section.complain("prompt", "{text} does not occur in it", "Write {text} where the text goes.")
    api_key = section.text("api_key", "the environment variable with the key, as ${NAME}", default=None)
    keys = {"api_key": api_key} if api_key else {}
    check_values(section, keys)
    filled = fill_secrets(section, keys, settings)
    minute = section.number("requests_per_minute", default=None, minimum=0.01)
    return ChatDescription(
        name=section.text("name", "a name", default=section.file),
        url=url.rstrip("/").removesuffix("/chat/completions") + "/chat/completions",
        model=section.text("model", "the name the service knows the model by") or "",
        headers={"Authorization": f"Bearer {filled['api_key']}"} if filled else {},
        secrets=secrets_in(keys, settings),
        system=section.text("system", "a text", default=None),
        prompt=prompt or "",
        words=_words(section, settings),
        temperature=section.number("temperature", default=0.0, maximum=2.0),
        max_tokens=int(section.number("max_tokens", default=16, minimum=1)),
        seed=section.number("seed", default=0),
        extra=section.mapping("extra", "further fields of the request", default={}),
        concurrency=int(section.number("concurrency", default=4, minimum=1, maximum=64)),
        requests_per_second=minute / 60 if minute else None,
        daily_quota=section.number("daily_quota", default=None, minimum=1),
        attempts=int(section.number("attempts", default=5, minimum=1, maximum=20)),
        timeout=section.number("timeout", default=120.0, minimum=0.1),
        price=_price(section),
        content_hash=digest(section.what_decides()),
    )


def _words(section: Description, settings: RunnerSettings) -> dict[str, list[str]]:
    usual = {label: [label] for label in settings.labels}
    if settings.is_binary:
        positive, negative = settings.labels
        usual = {positive: [positive, "yes"], negative: [negative, f"not {positive}", f"non {positive}", "no"]}
    given = section.mapping("answers", "for each label the words that mean it", default=usual)
    if set(given) != set(settings.labels):
        how_many = "both" if settings.is_binary else "all"
        fix = f"List words for {' and '.join(settings.labels)}."
        section.complain("answers", f"it does not list {how_many} labels", fix)
    words = {str(label): listed if isinstance(listed, list) else [listed] for label, listed in given.items()}
    if any(isinstance(word, bool) for listed in words.values() for word in listed):
        section.complain("answers", "YAML reads yes and no as true and false", 'Put the word in quotation marks: "no".')
    return {label: [str(word) for word in listed] for label, listed in words.items()}


def _price(section: Description) -> Price | None:
    if section.mapping("price", "a section with input_per_million and output_per_million", default=None) is None:
        return None
    price = section.section("price", "a section")
    read = Price(
        input_per_million=price.number("input_per_million", default=0.0),
        output_per_million=price.number("output_per_million", default=0.0),
        currency=price.text("currency", "a currency", default="USD"),
    )
    price.refuse_unknown()
    return read
