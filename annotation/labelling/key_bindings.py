"""Which key does what on the labelling screen, and what people may change it to."""

from collections.abc import Mapping

from annotation.models import Annotator
from core.errors import BadInput

ACTIONS = {
    "undo": ("Backspace", "Take the last answer back"),
    "skip": (" ", "Skip the text"),
    "flag": ("f", "Flag as unrealistic"),
    "comment": ("c", "Write a comment"),
    "guidelines": ("h", "Show the guidelines"),
}
MOST_LABELS = 9
DEFAULTS = {f"label{number}": str(number) for number in range(1, MOST_LABELS + 1)} | {
    action: key for action, (key, _) in ACTIONS.items()
}


def bindings_for(annotator: Annotator, labels: int) -> dict[str, str]:
    """Action to key, the person's own choice over the usual one."""
    chosen = {**DEFAULTS, **annotator.key_bindings}
    wanted = [f"label{number}" for number in range(1, labels + 1)] + list(ACTIONS)
    return {action: str(chosen[action]) for action in wanted}


def check_bindings(bindings: Mapping[str, str]) -> dict[str, str]:
    """Only what differs from the usual keys. Refuses two actions on one key and unknown actions."""
    unknown = [action for action in bindings if action not in DEFAULTS]
    if unknown:
        raise BadInput(f"There is no action '{unknown[0]}'.")
    everything = {**DEFAULTS, **{action: key for action, key in bindings.items() if key}}
    by_key: dict[str, str] = {}
    for action, key in everything.items():
        lowered = key.lower()
        if lowered in by_key:
            first, second = _in_words(by_key[lowered]), _in_words(action)
            raise BadInput(f"The key '{key}' is used twice: for “{first}” and for “{second}”. Choose another one.")
        by_key[lowered] = action
    return {action: key for action, key in everything.items() if DEFAULTS[action] != key}


def _in_words(action: str) -> str:
    """As the page calls it."""
    return ACTIONS[action][1] if action in ACTIONS else f"answer {action.removeprefix('label')}"
