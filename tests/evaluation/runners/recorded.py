"""Answers in the formats that services document, with made-up numbers."""

from typing import Any


def chat(text: str, *, alternatives: dict[str, float] | None = None, **message: Any) -> dict[str, Any]:
    """A chat completion as vLLM and OpenAI send it; `alternatives` are log-probabilities at the first place."""
    first = next(iter(alternatives or {}), "")
    content = [
        {
            "token": first,
            "logprob": (alternatives or {}).get(first),
            "bytes": list(first.encode()),
            "top_logprobs": [
                {"token": token, "logprob": value, "bytes": list(token.encode())}
                for token, value in (alternatives or {}).items()
            ],
        }
    ]
    return {
        "id": "chatcmpl-5d1c",
        "object": "chat.completion",
        "created": 1760000000,
        "model": "served",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None, **message},
                "logprobs": {"content": content} if alternatives else None,
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 211, "total_tokens": 216, "completion_tokens": 5},
    }


def completion(text: str) -> dict[str, Any]:
    """A completion as vLLM sends it."""
    choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": "stop", "stop_reason": None}
    usage = {"prompt_tokens": 102, "total_tokens": 120, "completion_tokens": 18}
    return {"id": "cmpl-8d", "object": "text_completion", "model": "served", "choices": [choice], "usage": usage}


def moderation(**scores: float) -> dict[str, Any]:
    """An answer of OpenAI's moderation; `_` in a name stands for `/`."""
    names = (
        "harassment", "harassment/threatening", "hate", "hate/threatening", "illicit", "illicit/violent", "self-harm",
        "self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence", "violence/graphic",
    )  # fmt: skip
    given = {name.replace("_", "/"): score for name, score in scores.items()}
    found = {name: given.get(name, 0.0001) for name in names}
    return {
        "id": "modr-970d",
        "model": "omni-moderation-latest",
        "results": [
            {
                "flagged": any(score > 0.5 for score in found.values()),
                "categories": {name: score > 0.5 for name, score in found.items()},
                "category_scores": found,
                "category_applied_input_types": {name: ["text"] for name in names},
            }
        ],
    }


def perspective(score: float) -> dict[str, Any]:
    """An answer of Perspective's comments:analyze."""
    value = {"value": score, "type": "PROBABILITY"}
    return {
        "attributeScores": {
            "IDENTITY_ATTACK": {"spanScores": [{"begin": 0, "end": 12, "score": value}], "summaryScore": value}
        },
        "languages": ["en"],
        "detectedLanguages": ["en"],
    }


def azure(severity: int) -> dict[str, Any]:
    """An answer of Azure's text:analyze."""
    return {"blocklistsMatch": [], "categoriesAnalysis": [{"category": "Hate", "severity": severity}]}


def hugging_face(score: float) -> list[list[dict[str, Any]]]:
    """An answer of a text classification over HTTP: the classes of each input, the likeliest first."""
    classes = [{"label": "hate", "score": score}, {"label": "nothate", "score": 1 - score}]
    return [sorted(classes, key=lambda one: -one["score"])]
