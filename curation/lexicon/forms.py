"""The form of a word."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms
from django.forms.boundfield import BoundField

from core.options import Options
from core.options.forms import OptionsForm
from core.text import _
from curation.lexicon.checks import spelling_properties, target_choices
from curation.lexicon.options import EntryOptions, NewEntryOptions
from curation.models import Language

VALUES = {"yes": _("yes"), "no": _("no")}


class EntryForm(OptionsForm[EntryOptions]):
    """What is said about a word, with one more field per property that the language's spelling rules ask for."""

    options: ClassVar[type[Options]] = EntryOptions

    def __init__(self, *args: Any, language: Language | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.properties = spelling_properties(language) if language else []
        if language:
            self.offer("target", target_choices(language))
        for wanted in self.properties:
            self.fields[wanted.name] = forms.ChoiceField(
                required=False,
                choices=[
                    ("", _("as the spelling rules say")),
                    *((value, VALUES.get(value, value)) for value in wanted.values),
                ],
                label=wanted.label,
                help_text=wanted.help_text,
            )

    def clean(self) -> dict[str, Any]:
        given = {wanted.name: self.cleaned_data.pop(wanted.name, "") for wanted in self.properties}
        self.cleaned_data["properties"] = {name: value for name, value in given.items() if value}
        return super().clean()

    def sections(self) -> Iterator[tuple[str, list[BoundField], bool]]:
        yield from super().sections()
        yield "", [self[wanted.name] for wanted in self.properties], True


class NewEntryForm(EntryForm):
    """The same for a word that is new; its language and kind are those of the page."""

    options = NewEntryOptions
