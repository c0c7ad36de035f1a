"""Forms of suites, catalogue and lexicon."""

from typing import Any

from django import forms

from curation.catalogue.models import Direction
from curation.lexicon.spelling import spelling_properties
from curation.models import Language, Suite


class LinesField(forms.CharField):
    """One value per line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class SuiteForm(forms.ModelForm):  # type: ignore[type-arg]
    labels = LinesField(help_text="One per line, the positive label first.", initial=["hateful", "non-hateful"])
    authors = LinesField(required=False, help_text="One per line, as they shall be cited.")
    languages = forms.ModelMultipleChoiceField(Language.objects.all(), widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = Suite
        fields = [
            "key",
            "name",
            "description",
            "languages",
            "labels",
            "raters",
            "threshold",
            "policy",
            "licence",
            "authors",
        ]
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}


class LanguageForm(forms.Form):
    code = forms.CharField(max_length=20, help_text="Short code used in keys, e.g. sw.")
    name = forms.CharField(max_length=80)
    autonym = forms.CharField(max_length=80, required=False, help_text="The language's name in the language itself.")
    bcp47 = forms.CharField(
        max_length=35, required=False, label="BCP 47 tag", help_text="Where it differs from the code."
    )
    script = forms.CharField(max_length=40, initial="Latn", help_text="ISO 15924, e.g. Latn, Arab, Deva.")
    direction = forms.ChoiceField(choices=Direction.choices)
    features = LinesField(
        help_text="One feature per line with its values in order, e.g. Number: Sing, Plur",
        initial=["Number: Sing, Plur"],
    )

    def clean_features(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for line in self.cleaned_data["features"]:
            name, _, values = line.partition(":")
            listed = [value.strip() for value in values.split(",") if value.strip()]
            if not name.strip().isidentifier() or not listed:
                raise forms.ValidationError(f"'{line}' is no feature. Write it like Number: Sing, Plur")
            found[name.strip()] = listed
        return found


class FunctionalityForm(forms.Form):
    title = forms.CharField(max_length=160)
    key = forms.SlugField(max_length=80, required=False, help_text="Made from the title where left empty.")
    functionality_class = forms.CharField(
        max_length=120,
        label="Class",
        help_text="An existing class, or a new one.",
        widget=forms.TextInput(attrs={"list": "classes"}),
    )
    gold_label = forms.CharField(
        max_length=60, help_text="The label every case of it has.", widget=forms.TextInput(attrs={"list": "labels"})
    )
    definition = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), help_text="One sentence.")
    example = forms.CharField(required=False, help_text="As mild as the purpose allows.")
    example_language = forms.ModelChoiceField(
        Language.objects.all(),
        required=False,
        label="Language of the example",
        help_text="Needed where there is an example, such as English.",
    )


class GroupForm(forms.Form):
    name = forms.CharField(max_length=120)
    characteristic = forms.CharField(
        max_length=80, required=False, help_text="gender, religion, origin, disability, ..."
    )


class EntryForm(forms.Form):
    lemma = forms.CharField(max_length=200, label="Base form")
    target = forms.CharField(max_length=120, required=False, label="Group", help_text="Whom the word is about.")
    inherent = forms.CharField(max_length=200, required=False, label="Features of its own", help_text="e.g. Gender=Fem")

    def __init__(self, language: Language, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.properties = spelling_properties(language)
        for wanted in self.properties:
            self.fields[wanted.name] = forms.ChoiceField(
                required=False,
                choices=[("", "as the rules say"), *((value, value) for value in wanted.values)],
                label=wanted.label,
                help_text=wanted.help_text,
            )

    @property
    def facts(self) -> dict[str, Any]:
        """What the services ask for."""
        said = dict(self.cleaned_data)
        return {"properties": {wanted.name: said.pop(wanted.name) for wanted in self.properties}, **said}
