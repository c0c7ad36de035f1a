"""What suites, catalogue and lexicon look like over the API."""

from typing import Any

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from curation.catalogue.options import (
    FunctionalityOptions,
    GroupOptions,
    LanguageOptions,
    NewFunctionalityOptions,
    NewLanguageOptions,
    SuiteOptions,
)
from curation.lexicon.options import EntryOptions, NewEntryOptions
from curation.lexicon.removal import removal_of
from curation.models import Functionality, Language, LexiconEntry, ProtectedGroup, Suite


class LanguageSerializer(serializers.ModelSerializer[Language]):
    class Meta:
        model = Language
        fields = ["code", "bcp47", "name", "autonym", "script", "direction", "features", "orthography"]


class NewLanguageSerializer(OptionsSerializer[NewLanguageOptions]):
    options = NewLanguageOptions


class ChangeLanguageSerializer(OptionsSerializer[LanguageOptions]):
    options = LanguageOptions


class FunctionalitySerializer(serializers.ModelSerializer[Functionality]):
    functionality_class = serializers.CharField(source="functionality_class.key")
    example_language: Any = serializers.SlugRelatedField(slug_field="code", read_only=True)

    class Meta:
        model = Functionality
        fields = [
            "key", "title", "functionality_class", "gold_label", "definition", "example", "example_language",
            "perturbation", "references",
        ]  # fmt: skip


class NewFunctionalitySerializer(OptionsSerializer[NewFunctionalityOptions]):
    options = NewFunctionalityOptions


class ChangeFunctionalitySerializer(OptionsSerializer[FunctionalityOptions]):
    options = FunctionalityOptions


class GroupSerializer(serializers.ModelSerializer[ProtectedGroup]):
    class Meta:
        model = ProtectedGroup
        fields = ["key", "name", "characteristic"]


class NewGroupSerializer(OptionsSerializer[GroupOptions]):
    options = GroupOptions


class SuiteSerializer(serializers.ModelSerializer[Suite]):
    languages: Any = serializers.SlugRelatedField(slug_field="code", many=True, read_only=True)

    class Meta:
        model = Suite
        fields = list(SuiteOptions.model_fields)


class NewSuiteSerializer(OptionsSerializer[SuiteOptions]):
    options = SuiteOptions


class EntrySerializer(serializers.ModelSerializer[LexiconEntry]):
    language = serializers.CharField(source="language.code", read_only=True)
    target = serializers.CharField(source="target.name", default="", read_only=True)
    forms = serializers.SerializerMethodField()

    class Meta:
        model = LexiconEntry
        fields = ["key", "language", "kind", "target", "lemma", "inherent", "properties", "position", "forms"]

    def get_forms(self, entry: LexiconEntry) -> list[dict[str, str]]:
        return [
            {"features": form.features, "perturbation": form.perturbation, "text": form.text, "source": form.source}
            for form in entry.forms.all()
        ]


class EntryWithCasesSerializer(EntrySerializer):
    cases_retired_by_removal = serializers.SerializerMethodField(
        help_text="How many cases made with the word the next generation retires once the word is removed."
    )

    class Meta(EntrySerializer.Meta):
        fields = [*EntrySerializer.Meta.fields, "cases_retired_by_removal"]

    def get_cases_retired_by_removal(self, entry: LexiconEntry) -> int:
        return removal_of(entry).retires


class NewEntrySerializer(OptionsSerializer[NewEntryOptions]):
    options = NewEntryOptions


class ChangeEntrySerializer(OptionsSerializer[EntryOptions]):
    options = EntryOptions


class CellSerializer(serializers.Serializer[Any]):
    cell = serializers.CharField(help_text="Features, and after ' ~ ' a perturbation: Number=Plur ~ leet")
    text = serializers.CharField(allow_blank=True)
    was = serializers.CharField(
        allow_blank=True,
        required=False,
        help_text="What was read in the cell: a change meanwhile is refused with code cell_changed.",
    )
