"""From a model's own class names to the suite's labels."""

import re
from collections.abc import Mapping, Sequence

from core.inference.errors import LabelsUnclear
from core.text import _
from evaluation.runners.settings import RunnerSettings

HATE = {"hate", "hateful", "hatespeech", "hatred", "haat", "hass", "odio", "identityattack", "identityhate"}
NEIGHBOUR = {"offensive", "toxic", "abusive", "abuse", "toxicity", "offense", "profanity", "severetoxic"}
DAVIDSON = 3  # classes: 0 is hate, 1 is offensive, 2 is neither
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
            _(
                "a threshold tells two labels apart, and there are %(number)s here (%(labels)s). "
                "Leave it out, and let the model answer with labels.",
                number=len(settings.labels),
                labels=list(settings.labels),
            )
        )


def either(labels: Sequence[str]) -> str:
    """Return labels to choose from, as a value of a sentence: "hateful or non-hateful"."""
    return labels[0] if len(labels) == 1 else _("%(first)s or %(last)s", first=either(labels[:-1]), last=labels[-1])


def all_of(labels: Sequence[str]) -> str:
    """Return labels that are all needed, as a value of a sentence: "hateful and non-hateful"."""
    return labels[0] if len(labels) == 1 else _("%(first)s and %(last)s", first=all_of(labels[:-1]), last=labels[-1])


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
    known = list(names)
    if unknown:
        raise LabelsUnclear(
            _(
                "classes unknown to the model: %(unknown)s. The model's classes are: %(classes)s.",
                unknown=unknown,
                classes=known,
            )
        )
    if missing:
        raise LabelsUnclear(
            _("classes not mapped: %(missing)s. The model's classes are: %(classes)s.", missing=missing, classes=known)
        )
    if wrong:
        raise LabelsUnclear(
            _("not a label here: %(wrong)s. Use %(labels)s.", wrong=wrong, labels=either(settings.labels))
        )
    if settings.positive not in explicit.values():
        raise LabelsUnclear(
            _(
                "no class is mapped to '%(label)s'. Map at least one of: %(classes)s.",
                label=settings.positive,
                classes=known,
            )
        )
    return {name: explicit[name] for name in names}


def _unclear(names: Sequence[str], settings: RunnerSettings) -> str:
    pairs = _example_of(names, settings)
    written = ", ".join(f"{name}: {label}" for name, label in pairs)
    values = {
        "classes": list(names),
        "example": f"labels: {{{written}}}",
        "option": f"--label-map {' '.join(f'{name}={label}' for name, label in pairs)}",
    }
    if settings.is_binary and len(names) == DAVIDSON:
        return _(
            "the model's classes (%(classes)s) do not say which one means '%(label)s'. Look it up in the model's "
            "description. Where it was trained on the data of Davidson et al. (hate, offensive, neither) write "
            "%(example)s; on the command line: %(option)s.",
            label=settings.positive,
            **values,
        )
    if settings.is_binary:
        return _(
            "the model's classes (%(classes)s) do not say which one means '%(label)s'. "
            "Give a mapping, for example %(example)s; on the command line: %(option)s.",
            label=settings.positive,
            **values,
        )
    return _(
        "the model's classes (%(classes)s) do not say which one means which of %(labels)s. "
        "Give a mapping, for example %(example)s; on the command line: %(option)s.",
        labels=list(settings.labels),
        **values,
    )


def _example_of(names: Sequence[str], settings: RunnerSettings) -> list[tuple[str, str]]:
    """Return a mapping as an example: three classes as Davidson et al. number them, two counted up from harmless."""
    if settings.is_binary and len(names) == DAVIDSON:
        return [(name, settings.label_if(index == 0)) for index, name in enumerate(names)]
    labels = settings.labels[::-1]
    return [(name, labels[min(index, len(labels) - 1)]) for index, name in enumerate(names)]
