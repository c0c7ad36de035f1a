"""Reads a well-formed exchange without the serializers, which take longer than the database.

Only the plain case is read here; whatever looks unusual goes to the serializers, which also say what is wrong with it.
"""

from __future__ import annotations

from typing import Any

from annotation.models.annotations import Kind

LONGEST = {"client_id": 40, "assignment": 16, "label": 60, "comment": 2000, "unrealistic_because": 300}
OTHERS = {"kind", "is_unrealistic", "milliseconds"}
LONGEST_PSEUDONYM = 80
MOST_MILLISECONDS = 86_400_000


def read_plain(data: Any) -> dict[str, Any] | None:
    """The values of an exchange, or None where it is not plainly well-formed."""
    if not isinstance(data, dict) or not data.keys() <= {"events", "have", "want", "who"}:
        return None
    events, have, want, who = data.get("events", []), data.get("have", []), data.get("want"), data.get("who", "")
    if not isinstance(who, str) or len(who) > LONGEST_PSEUDONYM:
        return None
    if not isinstance(events, list) or not isinstance(have, list) or len(have) > 100:
        return None
    if not all(isinstance(key, str) and 0 < len(key) <= 16 for key in have):
        return None
    if want is not None and (type(want) is not int or not 1 <= want <= 50):
        return None
    if not all(_is_plain(event) for event in events):
        return None
    return {"events": [{"kind": Kind.LABEL, **event} for event in events], "have": have, "want": want, "who": who}


def _is_plain(event: Any) -> bool:
    if not isinstance(event, dict) or not event.keys() <= LONGEST.keys() | OTHERS:
        return False
    for name, longest in LONGEST.items():
        value = event.get(name, "")
        if not isinstance(value, str) or len(value) > longest or value != value.strip() or "\0" in value:
            return False
    milliseconds = event.get("milliseconds")
    return (
        bool(event.get("client_id") and event.get("assignment"))
        and event.get("kind", Kind.LABEL) in Kind.values
        and type(event.get("is_unrealistic", False)) is bool
        and (milliseconds is None or (type(milliseconds) is int and 0 <= milliseconds <= MOST_MILLISECONDS))
    )
