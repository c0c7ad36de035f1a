"""Which key does what on the labelling screen, and what people may change it to."""

from collections.abc import Mapping

from annotation.models import Annotator
from core.errors import BadInput
from core.text import _, pgettext

ACTIONS = {
    "undo": ("Backspace", _("Undo the last answer")),
    "skip": (" ", _("Skip the text")),
    "flag": ("f", _("Flag the text as unrealistic")),
    "comment": ("c", _("Write a comment")),
    "guidelines": ("h", _("Show the guidelines")),
}
# Keys that people call otherwise than browsers do.
NAMED_KEYS = {" ": pgettext("key of a keyboard", "Space"), "Backspace": pgettext("key of a keyboard", "Backspace")}
MOST_LABELS = 9
DEFAULTS = {f"label{number}": str(number) for number in range(1, MOST_LABELS + 1)} | {
    action: key for action, (key, _title) in ACTIONS.items()
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
        raise BadInput(_("There is no action '%(action)s'.", action=unknown[0]))
    everything = {**DEFAULTS, **{action: key for action, key in bindings.items() if key}}
    by_key: dict[str, str] = {}
    for action, key in everything.items():
        lowered = key.lower()
        if lowered in by_key:
            raise BadInput(
                _(
                    "The key '%(key)s' is used twice: for “%(first)s” and for “%(second)s”. Choose another one.",
                    key=key_name(key),
                    first=_in_words(by_key[lowered]),
                    second=_in_words(action),
                )
            )
        by_key[lowered] = action
    return {action: key for action, key in everything.items() if DEFAULTS[action] != key}


def key_name(key: str) -> str:
    """Return a key, given as browsers name it, as people call it."""
    return NAMED_KEYS.get(key, key)


def read_key(name: str) -> str:
    """Return a key as browsers name it, given as people call it in English or in the reader's language."""
    return next((key for key, known in NAMED_KEYS.items() if name in (known, str(known))), name)


def _in_words(action: str) -> str:
    """As the page calls it."""
    return ACTIONS[action][1] if action in ACTIONS else _("answer %(number)s", number=int(action.removeprefix("label")))
