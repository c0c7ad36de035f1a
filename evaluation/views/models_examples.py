"""What the form of a new model shows: each way a model can be asked, ready to be copied."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    title: str
    spec: str
    settings: str = ""
    note: str = ""


EXAMPLES = (
    Example(
        "A classifier from the hub or a folder",
        "hf:owner/name",
        note="Only safetensors are read and no code of the model runs. The commit is kept with the version.",
    ),
    Example(
        "Zero-shot with a model of entailment",
        "nli:owner/some-nli-model",
        "hypotheses:\n  hateful: This text is hateful.\n  non-hateful: This text is harmless.",
    ),
    Example(
        "A language model behind an OpenAI-compatible address",
        "chat:some-model",
        "url: https://api.example.org/v1\napi_key: ${EXAMPLE_API_KEY}\nprompt: |\n"
        "  Is this text hateful? Answer with one word, hateful or non-hateful.\n  Text: {text}\n"
        "requests_per_minute: 60\nprice: {input_per_million: 0.15, output_per_million: 0.60}",
        "The host has to be on this installation's list, the key in an environment variable of the workers.",
    ),
    Example(
        "Perspective (identity attack, cut at 0.5)",
        "http:perspective",
        "daily_quota: 80000",
        "Needs the environment variable PERSPECTIVE_API_KEY.",
    ),
    Example(
        "A service that answers with severity words",
        "http:severity_words",
        'url: https://api.example.org/v1/hate\nlabels: {"no": non-hateful, mild: hateful, severe: hateful}',
    ),
    Example(
        "Any other JSON API",
        "http:",
        "url: https://api.example.org/v1/score\nheaders: {Authorization: 'Bearer ${EXAMPLE_API_KEY}'}\n"
        "body: {document: {text: '{text}'}}\nanswer: {score: 'results[0].scores.hate'}\nthreshold: 0.5\n"
        "requests_per_second: 5",
    ),
    Example("The linear baseline trained here", "linear:/path/to/folder"),
    Example(
        "Your own function or program",
        "python:my_models.simple:predict",
        note="Only what the setting ALLOWED_COMMAND_MODELS lists; a program is written command:NAME.",
    ),
)
