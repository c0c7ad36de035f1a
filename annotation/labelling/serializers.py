"""What goes over the wire while labelling. Blindness is a shape: nothing but these fields exists for an annotator."""

from typing import Any

from rest_framework import serializers

from annotation.labelling.models import Kind


class EventSerializer(serializers.Serializer[Any]):
    """Something the annotator did: a label, a skip, or taking one of them back."""

    client_id = serializers.CharField(max_length=40, help_text="Made by the client; sending it again changes nothing.")
    assignment = serializers.CharField(max_length=16)
    kind = serializers.ChoiceField(choices=Kind.choices, default=Kind.LABEL)
    label = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")  # type: ignore[assignment]
    comment = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    is_unrealistic = serializers.BooleanField(required=False, default=False)
    unrealistic_because = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
    milliseconds = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=86_400_000,
        default=None,
        help_text="How long it was looked at.",
    )


class ExchangeSerializer(serializers.Serializer[Any]):
    """Answers since the last time, and what the client still has."""

    events = EventSerializer(many=True, required=False, default=list)
    have = serializers.ListField(
        child=serializers.CharField(max_length=16), required=False, default=list, max_length=100
    )
    want = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=50, default=None)
    who = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=80,
        default="",
        help_text="Whose answers these are, by pseudonym; refused when somebody else is signed in by now.",
    )


class ReceiptSerializer(serializers.Serializer[Any]):
    client_id = serializers.CharField()
    status = serializers.ChoiceField(choices=["stored", "late", "refused"])
    reason = serializers.CharField()


class ShownTextSerializer(serializers.Serializer[Any]):
    assignment = serializers.CharField()
    text = serializers.CharField()
    language = serializers.CharField()
    direction = serializers.CharField()
    statement = serializers.CharField(help_text="Only where the question is whether the text does what this says.")


class ExchangedSerializer(serializers.Serializer[Any]):
    """Receipts for the answers, the texts the client does not have yet, and those it has lost."""

    receipts = ReceiptSerializer(many=True)
    texts = ShownTextSerializer(many=True)
    gone = serializers.ListField(child=serializers.CharField())
    stop = serializers.ChoiceField(choices=["", "daily_limit", "finished", "paused", "ended", "closed"])
    message = serializers.CharField()


class ProgressSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    today = serializers.IntegerField()


class NoteSerializer(serializers.Serializer[Any]):
    sent_at = serializers.DateTimeField()
    text = serializers.CharField()


class TaskSerializer(serializers.Serializer[Any]):
    """What is asked, and how far one is."""

    campaign = serializers.CharField()
    title = serializers.CharField()
    prompt = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    step = serializers.CharField(help_text="What comes next: consent, guidelines, training, test, about-you, ready.")
    progress = ProgressSerializer()
    notes = NoteSerializer(many=True, help_text="What the managers wrote to you or to everybody, newest first.")


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
