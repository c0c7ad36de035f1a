"""Forms of attacks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import validate_slug
from django.utils.formats import date_format
from django.utils.timezone import localtime

from curation.models import Language
from evaluation.attacks.quotations import languages_with_quotations
from evaluation.models import Attack, Dataset, ModelVersion
from evaluation.services.file_store import keep_file
from evaluation.services.labelled_files import ABUSIVE_NAMES

KEPT = "What is replaced is kept and can be downloaded."
FURTHER = ("rules", "words", "dictionary_size", "fewest_hashtags", "most_hashtags")


class AttackForm(forms.Form):
    """The recipe of an attack on one data set."""

    title = forms.CharField(max_length=160, required=False)
    seed = forms.IntegerField(initial=1, help_text="The same seed gives the same posts, to the byte.")
    abusive = forms.MultipleChoiceField(
        label="Labels that mean abuse", widget=forms.CheckboxSelectMultiple, help_text="All others count as harmless."
    )
    language = forms.ChoiceField(help_text="Of the quotation templates and of the lemmas.")
    lexicon = forms.FileField(
        required=False, help_text="Offensive lemmas in HurtLex's format: none of them is appended to harmless posts."
    )
    templates = forms.FileField(
        required=False,
        label="Quotation templates",
        help_text="One per line with &lt;post&gt; for the post; without a file, our own.",
    )
    identifiers = forms.CharField(
        required=False,
        label="Names of groups",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line: adds the attack that appends them to harmless posts.",
    )
    rules = forms.ChoiceField(
        choices=[
            ("paper", "As in the paper: the strongest of all words, then without offensive ones"),
            ("tool", "As in the public tool: of the 1,500 most frequent words, punctuation deleted"),
            ("filled", "Filled up: without offensive words first, then cut to the number"),
        ],
        initial="paper",
        label="Choice of words",
    )
    words = forms.IntegerField(min_value=1, max_value=5000, initial=100, label="Words per class")
    dictionary_size = forms.IntegerField(
        required=False,
        min_value=10,
        max_value=100_000,
        help_text="Only the most frequent words count, for example 1500. Empty: all by the paper's rules, else 1500.",
    )
    fewest_hashtags = forms.IntegerField(min_value=1, max_value=50, initial=1)
    most_hashtags = forms.IntegerField(min_value=1, max_value=50, initial=5)

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dataset = dataset
        labels, languages = self.fields["abusive"], self.fields["language"]
        labels.choices = [(label, label) for label in dataset.labels]  # type: ignore[attr-defined]
        labels.initial = [label for label in dataset.labels if label.lower() in ABUSIVE_NAMES]
        names = dict(Language.objects.values_list("code", "name"))
        ours = languages_with_quotations()
        # Every language can be attacked by templates of one's own; where we wrote none, the form says so.
        known = {code: names.get(code, code) for code in ours}
        known |= {code: f"{name} (bring templates)" for code, name in names.items() if code.split("-")[0] not in ours}
        language = dataset.language if dataset.language in known else dataset.language.split("-")[0] or "en"
        known.setdefault(language, f"{language} (bring templates)")
        languages.choices = sorted(known.items(), key=lambda pair: pair[1])  # type: ignore[attr-defined]
        languages.initial = language

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in FURTHER]

    @property
    def further_fields(self) -> list[forms.BoundField]:
        """Those hardly anybody changes."""
        return [self[name] for name in FURTHER]

    @property
    def has_error_further_down(self) -> bool:
        return any(name in self.errors for name in FURTHER)

    def choices(self) -> dict[str, Any]:
        """What the service takes; uploaded files are stored and handed over by name."""
        values = dict(self.cleaned_data)
        for field, folder in (("lexicon", "lexicons"), ("templates", "quotations")):
            file = values.pop(field)
            values[f"{field}_file"] = keep_file(file, folder)[0] if file else ""
            values[f"{field}_name"] = file.name if file else ""
        values["identifiers"] = [line.strip() for line in values["identifiers"].splitlines() if line.strip()]
        return values


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """One or more files; the value is a list."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        if not isinstance(data, (list, tuple)):
            data = [data]
        return [super(ManyFilesField, self).clean(one, initial) for one in data or [None]]


class AnswersForm(forms.Form):
    """Answer files of a model that was asked elsewhere."""

    name = forms.CharField(max_length=200, label="Name of the model")
    answers = ManyFilesField(
        label="Answer files",
        help_text="The files handed out, each line with its prediction: all at once, or as one .zip archive.",
    )
    replace = forms.BooleanField(required=False, label="Replace the answers of this name", help_text=KEPT)

    @classmethod
    def for_attack(cls, attack: Attack) -> AnswersForm:
        """Only asks about replacing where there is something to replace, and says what."""
        form = cls()
        earlier = attack.scores.current().filter(model_version__isnull=True).values_list("name", "created_at")
        if earlier:
            named = ", ".join(f"{name} ({date_format(localtime(moment))})" for name, moment in earlier)
            form.fields["replace"].help_text = f"Handed in so far: {named}. {KEPT}"
        else:
            del form.fields["replace"]
        return form


class SuiteForm(forms.Form):
    """How an attack becomes a suite."""

    key = forms.CharField(max_length=60, validators=[validate_slug], help_text="Small letters, digits and hyphens.")
    name = forms.CharField(max_length=160)
    sample = forms.IntegerField(
        min_value=1,
        required=False,
        label="Posts per attack",
        help_text="Left empty, all. The paper had a sample checked.",
    )

    @classmethod
    def for_attack(cls, attack: Attack) -> SuiteForm:
        return cls(initial={"key": attack.key, "name": attack.title, "sample": 100})


class ModelForm(forms.Form):
    """Which registered model is attacked."""

    version = forms.ModelChoiceField(
        ModelVersion.objects.askable().select_related("model").order_by("model__name", "-number"),
        label="Model",
        empty_label=None,
    )
