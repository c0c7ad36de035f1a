"""Make the fields of a page's form from declared options."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

import yaml
from django import forms
from django.forms.boundfield import BoundField
from django.utils.html import escape
from django.utils.text import capfirst

from core.inference.descriptions import read_text
from core.inference.errors import ConfigurationError
from core.options.declaring import PAGE, FileKind, Option, Options, OptionsRefused, PairsKind, declared
from core.reader import catalogued

Chosen = TypeVar("Chosen", bound=Options)
Choices = Iterable[tuple[Any, Any]]


class ManyField(forms.CharField):
    """Several values in one line with commas, or one per line in a text area."""

    def prepare_value(self, value: Any) -> Any:
        between = "\n" if isinstance(self.widget, forms.Textarea) else ", "
        return between.join(map(str, value)) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> list[str]:
        text = super().clean(value)
        lines = text.splitlines() if isinstance(self.widget, forms.Textarea) else text.split(",")
        found = [line.strip() for line in lines if line.strip()]
        if self.required and not found:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return found


class PairsField(forms.CharField):
    """Pairs such as `severe=hateful`, with commas or one per line."""

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        between = "\n" if isinstance(self.widget, forms.Textarea) else ", "
        return between.join(f"{name}={meaning}" for name, meaning in value.items())


class MappingField(forms.CharField):
    """Further settings as YAML."""

    widget = forms.Textarea

    def prepare_value(self, value: Any) -> Any:
        return (
            yaml.safe_dump(value, allow_unicode=True, sort_keys=False)
            if value and isinstance(value, Mapping)
            else value or ""
        )

    def clean(self, value: Any) -> dict[str, Any]:
        try:
            return read_text(super().clean(value) or "{}", file=str(self.label or "")).values
        except ConfigurationError as error:
            raise forms.ValidationError(str(error)) from error


class SuggestingInput(forms.TextInput):
    """A line of text with a list of values to pick from."""

    template_name = "ui/forms/suggesting.html"

    def __init__(self, suggestions: Iterable[str]) -> None:
        super().__init__()
        self.suggestions = suggestions

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        listed = f"{name}-suggestions"
        return super().get_context(name, value, {**(attrs or {}), "list": listed}) | {"suggestions": self.suggestions}


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or more files; the value is a list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list | tuple) else [data]
        return [found for one in files or [None] if (found := super(FilesField, self).clean(one, initial))]


FIELDS: dict[type, type[forms.Field]] = {
    bool: forms.BooleanField,
    int: forms.IntegerField,
    float: forms.FloatField,
    str: forms.CharField,
    dict: MappingField,
    Decimal: forms.DecimalField,
    FileKind: forms.FileField,
    PairsKind: PairsField,
}


def shown_choices(choices: Choices) -> list[tuple[Any, Any]]:
    """Return choices, also in groups, with the catalogue's names in the reader's language."""
    return [
        (_shown(value), shown_choices(label)) if isinstance(label, list | tuple) else (value, _shown(label))
        for value, label in choices
    ]


def _shown(label: Any) -> Any:
    return catalogued(label) if type(label) is str else label


def form_field(about: Option, choices: Choices = ()) -> forms.Field:
    """Return the field of one option; `choices` are those that only the page knows, such as rows of the database."""
    facts: dict[str, Any] = {
        "label": about.label,
        "help_text": escape(about.full_help),
        "required": about.kind is not bool and (about.is_required or not about.may_be_empty),
        "initial": about.default,
    }
    known = list(choices or about.choices)
    if known and about.is_many:
        return forms.MultipleChoiceField(choices=known, widget=forms.CheckboxSelectMultiple, **facts)
    if known:
        if about.may_be_empty and not any(value == "" for value, _ in known):
            known.insert(0, ("", capfirst(str(about.extras.unless_given)) or "—"))
        return forms.ChoiceField(choices=known, **facts)
    if about.extras.rows:
        facts["widget"] = forms.Textarea(attrs={"rows": about.extras.rows, "dir": "auto"})
    if about.extras.suggestions:
        facts["widget"] = SuggestingInput(about.extras.suggestions)
    if about.is_many:
        return FilesField(**facts) if about.kind is FileKind else ManyField(**facts)
    if about.kind in (int, float, Decimal):
        facts |= {"min_value": about.extras.least, "max_value": about.extras.most}
    if about.kind is str:
        facts["max_length"] = about.extras.longest
    return FIELDS[about.kind](**facts)


class OptionsForm(forms.Form, Generic[Chosen]):
    """The form of a verb: one field per option. Once it is valid, `chosen` holds the checked options.

    Subclasses name the options, and offer choices that only the page knows. They can be made without arguments.
    """

    template_name = "ui/forms/sections.html"
    options: ClassVar[type[Options]]
    chosen: Chosen

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {about.name: form_field(about) for about in declared(self.options, PAGE)}
        self._fill_in_defaults()

    def _fill_in_defaults(self) -> None:
        """Let a bound field that was not sent have its default, as in the API; one that was sent empty is empty."""
        missing = {
            name: field.prepare_value(field.initial)
            for name, field in self.fields.items()
            if self.is_bound
            and field.initial not in (None, "", (), {})
            and field.widget.value_omitted_from_data(self.data, self.files, self.add_prefix(name))
        }
        if missing:
            self.data = self.data.copy()  # type: ignore[attr-defined]
            self.data.update({self.add_prefix(name): value for name, value in missing.items()})  # type: ignore[attr-defined]

    def offer(self, name: str, choices: Choices, *, initial: Any = None) -> None:
        """Offer these values of an option; they are all the page accepts."""
        about = next(one for one in declared(self.options, PAGE) if one.name == name)
        self.fields[name] = form_field(
            about,
            [(_shown(value) if isinstance(label, list | tuple) else value, _shown(label)) for value, label in choices],
        )
        if initial is not None:
            self.fields[name].initial = initial

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.errors:
            try:
                self.chosen = self.options(**self.cleaned_data)  # type: ignore[assignment]
            except OptionsRefused as error:
                self.refuse(error)
        return self.cleaned_data

    def refuse(self, error: OptionsRefused) -> None:
        """Say every sentence beside the field it is about."""
        for name, sentences in error.errors.items():
            for sentence in sentences:
                self.add_error(name if name in self.fields else None, sentence)

    def sections(self) -> Iterator[tuple[str, list[BoundField], bool]]:
        """Yield the fields by group with their title; the last value says whether the group stands open."""
        groups: dict[str, list[Option]] = {}
        for about in declared(self.options, PAGE):
            if about.name in self.fields:
                groups.setdefault(about.extras.group, []).append(about)
        for title, members in groups.items():
            fields = [self[about.name] for about in members]
            is_open = not all(about.extras.advanced for about in members)
            yield title, fields, is_open or any(field.errors for field in fields)
