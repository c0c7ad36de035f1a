"""What cases of the working set look like over the API. Names of fields are the columns of the exports."""

from typing import Any

from rest_framework import serializers

from curation.authoring.serializers import Fields, typed_details
from curation.fields import FIELDS, LONGEST

# Not among the columns of the working set: the text is the template's, and nothing refers to the class.
HIDDEN = {"ref_templ_id", "case_templ", "functionality_class", "provenance", "extra"}


def _shown(lookup: str) -> serializers.CharField:
    source = lookup.replace("__", ".")
    if source.startswith(("target.", "template.")):
        return serializers.CharField(source=source, default=None, allow_null=True)
    return serializers.CharField(source=source)


class WorkingCaseSerializer(serializers.Serializer[Any]):
    """A case of the working set, in the words of the export."""

    suite = serializers.CharField(source="suite.key")
    state = serializers.CharField()
    provenance = serializers.JSONField()

    def get_fields(self) -> Fields:
        columns: Fields = {
            field.column: _shown(field.lookup) if field.lookup != field.column else serializers.CharField()
            for field in FIELDS
            if field.lookup and field.column not in HIDDEN
        }
        return columns | super().get_fields()


class NewCaseSerializer(serializers.Serializer[Any]):
    suite = serializers.SlugField(max_length=60)
    language = serializers.CharField(max_length=20)
    functionality = serializers.CharField(max_length=LONGEST["functionality"])
    test_case = serializers.CharField(max_length=10_000)
    target_ident = serializers.CharField(max_length=LONGEST["target_ident"], allow_null=True, required=False)
    ref_case_id = serializers.CharField(max_length=LONGEST["ref_case_id"], allow_blank=True, required=False, default="")

    def get_fields(self) -> Fields:
        return super().get_fields() | typed_details(default="")


class CaseGenerationSerializer(serializers.Serializer[Any]):
    suite = serializers.SlugField(max_length=60)


class CaseRespellingSerializer(serializers.Serializer[Any]):
    """Which cases to respell, under which spelling functionality, with which seed."""

    suite = serializers.SlugField(max_length=60)
    language = serializers.CharField(max_length=20)
    functionality = serializers.CharField(max_length=80)
    seed = serializers.IntegerField(min_value=0)
    template = serializers.CharField(max_length=80, allow_blank=True, required=False, default="")
    from_functionality = serializers.CharField(max_length=80, allow_blank=True, required=False, default="")


class QueuedGenerationSerializer(serializers.Serializer[Any]):
    job = serializers.CharField()
