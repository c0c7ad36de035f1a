"""What templates look like over the API."""

from typing import Any

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from core.text import _
from curation.authoring.bulk_editing import ACTIONS, MOST_AT_ONCE
from curation.authoring.options import NewTemplateOptions, TemplateOptions
from curation.authoring.wording_checks import VariantText, fingerprint
from curation.fields import DETAIL_FIELDS, DETAILS
from curation.models import Template, TemplateVersion

Fields = dict[str, serializers.Field[Any, Any, Any, Any]]


def typed_details(**options: Any) -> Fields:
    """Return a field for each detail of a template or case that a request may give."""
    return {
        field.name: serializers.CharField(max_length=field.longest, allow_blank=True, required=False, **options)
        for field in DETAIL_FIELDS
    }


class TemplateVariantSerializer(serializers.Serializer[Any]):
    """One text of a template; `features` tells variants apart."""

    features = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")
    text = serializers.CharField(max_length=5000, allow_blank=True, trim_whitespace=False)

    def validate(self, values: dict[str, str]) -> dict[str, str]:
        if "text" not in values:  # a change may leave out the variants, but not the text of one
            raise serializers.ValidationError({"text": [str(_("This field is required."))]})
        return values


class TemplateVersionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    defaults = serializers.CharField()
    variants = TemplateVariantSerializer(many=True, source="variants.all")
    author = serializers.StringRelatedField[Any](allow_null=True)
    reviewer = serializers.StringRelatedField[Any](allow_null=True)
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)


class ManyTemplatesSerializer(serializers.Serializer[Any]):
    """One change for many templates of a language; `value` is what to set."""

    suite = serializers.SlugField()
    language = serializers.CharField()
    keys = serializers.ListField(child=serializers.CharField(max_length=80), min_length=1, max_length=MOST_AT_ONCE)
    action = serializers.ChoiceField(choices=ACTIONS)
    value = serializers.CharField(required=False, allow_blank=True, default="")


class TemplateSerializer(serializers.Serializer[Any]):
    """A template with its newest wording."""

    suite = serializers.CharField(source="suite.key")
    language = serializers.CharField(source="language.code")
    key = serializers.CharField()
    functionality = serializers.CharField(source="functionality.key")
    label_gold = serializers.CharField(source="label")
    state = serializers.SerializerMethodField()
    version = serializers.SerializerMethodField()
    defaults = serializers.SerializerMethodField()
    variants = serializers.SerializerMethodField()
    refers_to = serializers.CharField()
    relation = serializers.CharField()
    target = serializers.CharField(source="target.name", default=None, allow_null=True)
    based_on = serializers.SerializerMethodField(help_text="Send it back with a change to refuse overwriting others.")

    def get_fields(self) -> Fields:
        return super().get_fields() | {name: serializers.CharField() for name in DETAILS}

    def _newest(self, template: Template) -> TemplateVersion | None:
        newest: TemplateVersion | None = self.context["wordings"].get(template.pk)
        return newest

    def get_state(self, template: Template) -> str:
        newest = self._newest(template)
        return newest.state if newest else "empty"

    def get_version(self, template: Template) -> int | None:
        newest = self._newest(template)
        return newest.number if newest else None

    def get_defaults(self, template: Template) -> str:
        newest = self._newest(template)
        return newest.defaults if newest else ""

    def get_variants(self, template: Template) -> list[dict[str, str]]:
        newest = self._newest(template)
        found = newest.variants.all() if newest else []
        return [{"features": variant.features, "text": variant.text} for variant in found]

    def get_based_on(self, template: Template) -> str:
        return fingerprint(self._newest(template))


class TypedVariants:
    """Give the texts of a template fields of their own, which declared options cannot."""

    def get_fields(self) -> Fields:
        found: Fields = super().get_fields()  # type: ignore[misc]
        about = found["variants"].help_text
        return found | {"variants": TemplateVariantSerializer(many=True, required=False, help_text=about)}


class ChangeTemplateSerializer(TypedVariants, OptionsSerializer[TemplateOptions]):
    options = TemplateOptions


class NewTemplateSerializer(TypedVariants, OptionsSerializer[NewTemplateOptions]):
    options = NewTemplateOptions


class TemplatePreviewSerializer(serializers.Serializer[Any]):
    suite = serializers.SlugField(max_length=60)
    language = serializers.CharField(max_length=20)
    template = serializers.CharField(max_length=80, allow_blank=True, required=False, default="")
    variants = TemplateVariantSerializer(many=True)
    defaults = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")
    functionality = serializers.CharField(max_length=80, allow_blank=True, required=False, default="")
    label_gold = serializers.CharField(max_length=60, allow_blank=True, required=False, default="")


class RejectionSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=2000)


class ReviewCommentSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=5000)
    author = serializers.StringRelatedField[Any](read_only=True, allow_null=True)
    created_at = serializers.DateTimeField(read_only=True)


def variant_texts(values: list[dict[str, str]]) -> list[VariantText]:
    """Return the texts of a request."""
    return [VariantText(value.get("features", ""), value["text"]) for value in values]
