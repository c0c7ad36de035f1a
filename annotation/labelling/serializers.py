"""What goes over the wire while labelling. Blindness is a shape: nothing but these fields exists for an annotator."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rest_framework import serializers

from annotation.labelling.models import Kind


def whole_number(least: int, most: int, says: str) -> Any:
    """Declare a number that may be missing; OpenAPI 3.0 has no type for null, which pydantic would write."""

    def write(schema: dict[str, Any]) -> None:
        del schema["anyOf"]
        schema |= {"type": "integer", "nullable": True, "minimum": least, "maximum": most}

    return Field(None, ge=least, le=most, description=says, json_schema_extra=write)


class GivenAnswer(BaseModel):
    """Something the annotator did: a label, a skip, or taking one of them back."""

    model_config = ConfigDict(str_strip_whitespace=True)

    client_id: str = Field(
        min_length=1, max_length=40, description="Made by the client; sending it again is idempotent."
    )
    assignment: str = Field(min_length=1, max_length=16)
    kind: Kind = Kind.LABEL
    label: str = Field("", max_length=60)
    comment: str = Field("", max_length=2000)
    is_unrealistic: bool = False
    unrealistic_because: str = Field("", max_length=300)
    milliseconds: int | None = whole_number(0, 86_400_000, "How long it was looked at.")


class Exchange(BaseModel):
    """Answers since the last time, and what the client still has."""

    # Checked by pydantic: it takes a hundredth of the time a serializer does, and annotators wait for this request.
    events: list[GivenAnswer] = Field(default_factory=list)
    have: list[Annotated[str, Field(min_length=1, max_length=16)]] = Field(default_factory=list, max_length=100)
    want: int | None = whole_number(1, 50, "How many texts; the campaign's number if left out.")
    who: str = Field(
        "", max_length=80,
        description="Whose answers these are, by pseudonym; refused when another person is signed in by now.",
    )  # fmt: skip


def read_exchange(data: Any) -> Exchange:
    """Return the checked request. Refuses wrong fields like every other request, naming each."""
    try:
        return Exchange.model_validate(data)
    except ValidationError as error:
        found: dict[str, list[str]] = {}
        for item in error.errors():
            found.setdefault(".".join(map(str, item["loc"])) or "non_field_errors", []).append(item["msg"])
        raise serializers.ValidationError(found) from error


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
