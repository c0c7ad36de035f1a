"""Forms of suites and of the catalogue."""

from typing import Any, ClassVar

from django import forms

from core.options.forms import OptionsForm, SuggestingInput
from curation.catalogue.languages import language_values
from curation.catalogue.options import (
    FunctionalityOptions,
    GroupOptions,
    LanguageOptions,
    NewFunctionalityOptions,
    NewLanguageOptions,
    SuiteOptions,
)
from curation.catalogue.suites import named_authors, suite_values
from curation.models import Functionality, FunctionalityClass, Language, Suite
from curation.morphology.orthography import has_table


class LinesField(forms.CharField):
    """One value per line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class SuiteForm(OptionsForm[SuiteOptions]):
    options = SuiteOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("languages", Language.objects.values_list("code", "name"))

    @classmethod
    def for_suite(cls, data: Any, suite: Suite | None) -> "SuiteForm":
        """Return the form of a suite as it is, or of a new one. Authors are shown by name."""
        if suite is None:
            return cls(data)
        return cls(data, initial=suite_values(suite) | {"authors": list(named_authors(suite))})


class LanguageForm(OptionsForm[NewLanguageOptions]):
    options = NewLanguageOptions


class ChangeLanguageForm(OptionsForm[LanguageOptions]):
    options = LanguageOptions

    @classmethod
    def for_language(cls, data: Any, language: Language) -> "ChangeLanguageForm":
        """Return the form of a language as it is, without rules where its spelling is built in."""
        form = cls(data, initial=language_values(language))
        if has_table(language.orthography or language.code):
            del form.fields["rules"], form.fields["examples"]
        return form


class FunctionalityForm(OptionsForm[FunctionalityOptions]):
    options: ClassVar[type[FunctionalityOptions]] = FunctionalityOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        classes = FunctionalityClass.objects.order_by("title").values_list("title", flat=True)
        labels = Functionality.objects.order_by("gold_label").values_list("gold_label", flat=True).distinct()
        self.fields["functionality_class"].widget = SuggestingInput(classes)
        self.fields["gold_label"].widget = SuggestingInput(labels)
        self.offer("example_language", Language.objects.values_list("code", "name"))


class NewFunctionalityForm(FunctionalityForm):
    options = NewFunctionalityOptions


class GroupForm(OptionsForm[GroupOptions]):
    options = GroupOptions
