"""Make the fields of an API request from declared options."""

from collections.abc import Mapping
from copy import copy
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers

from accounts.api.fields import StorableJSONField
from core.options.declaring import API, FileKind, Option, Options, PairsKind, declared, renamed
from core.text import _, in_english

Chosen = TypeVar("Chosen", bound=Options)


class PairsField(serializers.DictField):
    """Pairs as an object, or as text such as `severe=hateful, mild=non-hateful`: forms with files have no objects."""

    child = serializers.CharField(allow_blank=True)

    def get_value(self, dictionary: Any) -> Any:
        return dictionary.get(self.field_name, serializers.empty)

    def to_internal_value(self, data: Any) -> Any:
        return data if isinstance(data, str) else super().to_internal_value(data)


FIELDS: dict[type, Any] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    dict: StorableJSONField,
    Decimal: serializers.DecimalField,
    FileKind: serializers.FileField,
    PairsKind: PairsField,
}


def serializer_field(about: Option) -> Any:
    """Return the field of one option."""
    with in_english():  # the schema is for programs
        facts: dict[str, Any] = {"help_text": about.full_help, "required": about.is_required}
    if not about.is_required and about.kind is not FileKind:
        facts["default"] = list(about.default) if about.is_many else about.default
    if about.is_nullable and about.kind is not FileKind:
        facts["allow_null"] = True
    if about.is_many:
        return serializers.ListField(child=_single(about, {}), allow_empty=about.may_be_empty, **facts)
    return _single(about, facts | ({"allow_blank": True} if about.kind is str and about.may_be_empty else {}))


def _single(about: Option, facts: dict[str, Any]) -> Any:
    if about.choices:
        with in_english():
            return serializers.ChoiceField(choices=[(value, str(title)) for value, title in about.choices], **facts)
    if about.kind in (int, float, Decimal):
        facts |= {"min_value": about.extras.least, "max_value": about.extras.most}
    if about.kind is Decimal:
        facts |= {"max_digits": None, "decimal_places": None}
    if about.kind is str:
        facts["max_length"] = about.extras.longest
    return FIELDS[about.kind](**facts)


class OptionsSerializer(serializers.Serializer[Any], Generic[Chosen]):
    """The request of a verb: one field per option. Once it is valid, `chosen` holds the checked options.

    A value of the wrong kind or beyond a limit is answered as every wrong field (400), values that do not go together
    as bad input (422).
    """

    options: ClassVar[type[Options]]
    chosen: Chosen

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = cls.options.__doc__

    def get_fields(self) -> dict[str, Any]:
        return {about.name: serializer_field(about) for about in declared(self.options, API)}

    def to_internal_value(self, data: Any) -> Any:
        """Read the fields. Refuses a name that is no option: it would be ignored without notice."""
        if isinstance(data, MultiValueDict):
            data = copy(data)
            for about in declared(self.options, API):
                for alias in set(about.extras.aliases).intersection(data):
                    data.setlistdefault(about.name, data.pop(alias))
        elif isinstance(data, Mapping):
            data = renamed(self.options, data)
        if isinstance(data, Mapping) and (unknown := set(data) - set(self.fields)):
            sentence = str(_("There is no such option. Known: %(known)s.", known=list(self.fields)))
            raise serializers.ValidationError({name: [sentence] for name in unknown})
        return super().to_internal_value(data)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if not self.partial:
            self.chosen = self.options(**values)  # type: ignore[assignment]
        return values


def read_options(kind: type[OptionsSerializer[Chosen]], data: Any) -> Chosen:
    """Return the checked options of a request. Refuses what the serializer refuses."""
    given = kind(data=data)
    given.is_valid(raise_exception=True)
    return given.chosen
