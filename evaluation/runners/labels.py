"""From a model's own class names to the suite's labels."""

import re
from collections.abc import Mapping, Sequence

from core.inference.errors import LabelsUnclear
from evaluation.runners.settings import RunnerSettings

HATE = {"hate", "hateful", "hatespeech", "hatred", "haat", "hass", "odio", "identityattack", "identityhate"}
NEIGHBOUR = {"offensive", "toxic", "abusive", "abuse", "toxicity", "offense", "profanity", "severetoxic"}
NEUTRAL = {
    *("neither", "normal", "none", "neutral", "clean", "acceptable", "other", "ok", "benign", "safe", "nonhateful"),
    *("nothate", "nohate", "nonhate", "nothateful", "nonhatespeech", "nohatespeech", "nothatespeech"),
    *("nontoxic", "nottoxic", "notoffensive", "nonoffensive", "nonabusive", "notabusive"),
}


def map_labels(
    names: Sequence[str], *, settings: RunnerSettings, explicit: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Which suite label each of the model's classes stands for.

    Refuses an explicit mapping with unknown or missing names, and refuses to guess when the names do not tell.
    """
    if explicit is not None:
        return _check(names, explicit, settings)
    if set(names) == set(settings.labels):
        return {name: name for name in names}
    if not settings.is_binary:
        raise LabelsUnclear(_unclear(names, settings))
    kinds = {name: _kind(name) for name in names}
    found = set(kinds.values())
    # A class beside "hate" that is only offensive is not hateful (HateCheck's reading of Davidson and Founta);
    # without a class for hate the nearest one stands in, and the record says that it was guessed.
    positive = "hate" if "hate" in found else "neighbour"
    if None in found or positive not in found or "neutral" not in found:
        raise LabelsUnclear(_unclear(names, settings))
    return {name: settings.label_if(kind == positive) for name, kind in kinds.items()}


def refuse_threshold(threshold: float | None, *, settings: RunnerSettings) -> None:
    """A threshold tells two labels apart; refuses one where there are more."""
    if threshold is not None and not settings.is_binary:
        raise LabelsUnclear(
            f"a threshold tells two labels apart, and there are {len(settings.labels)} here "
            f"({', '.join(settings.labels)}). Leave it out, and let the model answer with labels."
        )


def _kind(name: str) -> str | None:
    plain = re.sub(r"[^a-z]", "", name.lower())
    for kind, words in (("neutral", NEUTRAL), ("hate", HATE), ("neighbour", NEIGHBOUR)):
        if plain in words:
            return kind
    return None


def _check(names: Sequence[str], explicit: Mapping[str, str], settings: RunnerSettings) -> dict[str, str]:
    unknown = sorted(set(explicit) - set(names))
    missing = [name for name in names if name not in explicit]
    wrong = sorted({label for label in explicit.values() if label not in settings.labels})
    for what, found in (("unknown to the model", unknown), ("not mapped", missing)):
        if found:
            raise LabelsUnclear(f"classes {what}: {', '.join(found)}. The model's classes are: {', '.join(names)}.")
    if wrong:
        raise LabelsUnclear(f"not a label here: {', '.join(wrong)}. Use {' or '.join(settings.labels)}.")
    if settings.positive not in explicit.values():
        raise LabelsUnclear(f"no class is mapped to '{settings.positive}'. Map at least one of: {', '.join(names)}.")
    return {name: explicit[name] for name in names}


def _unclear(names: Sequence[str], settings: RunnerSettings) -> str:
    # Models without names usually count up from harmless.
    labels = settings.labels[::-1]
    pairs = [(name, labels[min(index, len(labels) - 1)]) for index, name in enumerate(names)]
    meant = f"'{settings.positive}'" if settings.is_binary else f"which of {', '.join(settings.labels)}"
    return (
        f"the model's classes ({', '.join(names)}) do not say which one means {meant}. "
        f"Give a mapping, for example labels: {{{', '.join(f'{name}: {label}' for name, label in pairs)}}}; "
        f"on the command line: --label-map {' '.join(f'{name}={label}' for name, label in pairs)}."
    )
