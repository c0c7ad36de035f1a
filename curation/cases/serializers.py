"""What cases of the working set look like over the API. Names of fields are the columns of the exports."""

from collections.abc import Mapping
from typing import Any

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from curation.authoring.serializers import Fields
from curation.cases.options import GenerateCasesOptions, NewCaseOptions, PerturbOptions
from curation.fields import FIELDS, TARGET_SEPARATOR

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


class NewCaseSerializer(OptionsSerializer[NewCaseOptions]):
    options = NewCaseOptions

    def to_internal_value(self, data: Any) -> Any:
        """Read the groups of a case also as one text, as the exports write them, or as null."""
        if not isinstance(data, MultiValueDict) and isinstance(data, Mapping):
            data = dict(data)
            for name in {"target_ident", "target"} & set(data):
                if data[name] is None or isinstance(data[name], str):
                    data[name] = [part for part in (data[name] or "").split(TARGET_SEPARATOR) if part]
        return super().to_internal_value(data)


class GenerateCasesSerializer(OptionsSerializer[GenerateCasesOptions]):
    options = GenerateCasesOptions


class PerturbSerializer(OptionsSerializer[PerturbOptions]):
    options = PerturbOptions


class QueuedGenerationSerializer(serializers.Serializer[Any]):
    job = serializers.CharField()
