"""The form of a campaign: who is asked what, about which cases."""

from typing import Any

from django import forms

from annotation.campaigns.choosing import Selection
from annotation.campaigns.guidelines import LONGEST
from annotation.campaigns.known_answers import available_examples, languages_of
from annotation.campaigns.models import CampaignState, Role, Source
from annotation.campaigns.services import selection_of
from annotation.labelling.quality_rules import THEN
from annotation.models import Campaign, Guideline
from curation.cases.models import Origin
from curation.models import Functionality, Language, Suite, TargetGroup

CONSEQUENCES = [("", "nothing"), *((then, then) for then in THEN)]
SETTINGS = (
    "question", "prompt", "labels", "binarise_above", "guideline", "raters", "threshold", "mode", "platform",
    "invited_only",
    "group_members_first", "batch_size", "lease_minutes", "per_annotator", "check_every", "pass_mark",
    "qualification_tries", "consent_text", "asks_demographics", "pay_unit", "pay_amount", "pay_currency",
    "seconds_per_case", "completion_code", "completion_url",
)  # fmt: skip


class GuidelineField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, guideline: Guideline) -> str:
        """Titles are alike in many languages, so the language comes first."""
        return f"{guideline.language.name}, version {guideline.version}: {guideline.title}"


class CampaignForm(forms.ModelForm):  # type: ignore[type-arg]
    labels = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 4}), label="Own answers",
        help_text="One per line, two to nine. Only for an own list of answers.",
    )  # fmt: skip
    functionalities = forms.ModelMultipleChoiceField(
        Functionality.objects.none(),
        required=False,
        to_field_name="key",
        help_text="None chosen means all.",
        widget=forms.CheckboxSelectMultiple,
    )
    targets = forms.MultipleChoiceField(
        required=False, label="Target groups", help_text="None chosen means all.", widget=forms.CheckboxSelectMultiple
    )
    origins = forms.MultipleChoiceField(
        required=False, choices=Origin.choices, help_text="None chosen means all.", widget=forms.CheckboxSelectMultiple
    )
    only_unlabelled = forms.BooleanField(required=False, label="Only cases without a verdict")
    sample = forms.IntegerField(
        required=False, min_value=1, help_text="Draw so many, evenly over functionalities; empty for all."
    )
    too_fast_milliseconds = forms.IntegerField(required=False, min_value=1, label="Too fast is below (milliseconds)")
    too_fast_times = forms.IntegerField(required=False, min_value=1, label="Too fast so many times in a row")
    too_fast_then = forms.ChoiceField(required=False, choices=CONSEQUENCES, label="Then")
    skips_times = forms.IntegerField(required=False, min_value=1, label="Skips in a row")
    skips_then = forms.ChoiceField(required=False, choices=CONSEQUENCES, label="Then")
    checks_times = forms.IntegerField(required=False, min_value=1, label="Failed checks")
    checks_then = forms.ChoiceField(required=False, choices=CONSEQUENCES, label="Then")

    class Meta:
        model = Campaign
        fields = ["title", "suite", "language", *SETTINGS]
        labels = {
            "binarise_above": "Cut of the scale",
            "prompt": "The question in words",
            "raters": "Labels per case",
            "threshold": "So many must equal the gold label",
            "invited_only": "By invitation only",
            "group_members_first": "Members of a group first",
            "per_annotator": "At most so many cases per person",
            "batch_size": "Cases leased ahead",
            "lease_minutes": "Minutes a lease lasts",
            "check_every": "One check after so many cases",
            "qualification_tries": "Tries at the test",
            "asks_demographics": "Ask people about themselves",
            "completion_url": "Completion address",
            "platform": "Crowd platform",
        }
        help_texts = {
            "per_annotator": "Empty for no limit.",
            "batch_size": "In a crowd, so many texts are kept ready for one person.",
            "lease_minutes": "In a crowd, texts nobody answers within this time go to somebody else.",
            "threshold": "A case with fewer is disputed.",
        }
        widgets = {"consent_text": forms.Textarea(attrs={"rows": 4})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["functionalities"].queryset = Functionality.objects.order_by("position")  # type: ignore[attr-defined]
        self.fields["language"].queryset = Language.objects.all()  # type: ignore[attr-defined]
        self.fields["suite"].queryset = Suite.objects.all()  # type: ignore[attr-defined]
        self.fields["guideline"] = GuidelineField(
            Guideline.objects.newest_first().select_related("language"),
            required=False,
            empty_label="The newest of the language",
        )
        self.fields["language"].empty_label = "All languages of the suite"  # type: ignore[attr-defined]
        names = TargetGroup.objects.order_by("name").values_list("name", flat=True).distinct()
        self.fields["targets"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        for name in ("prompt", "pay_unit", "binarise_above", "platform"):
            self.fields[name].required = False
        if self.instance.pk:
            self.fields["suite"].disabled = True
            self.initial.update(self._values_of(self.instance))

    def _get_validation_exclusions(self) -> set[str]:
        """The threshold is left to the service, which says what to do and not only which constraint is violated."""
        return {*super()._get_validation_exclusions(), "threshold"}  # type: ignore[misc]

    def _values_of(self, campaign: Campaign) -> dict[str, Any]:
        selection, rules = selection_of(campaign), campaign.quality_rules
        fast, skips, checks = (rules.get(name, {}) for name in ("too_fast", "skips_in_a_row", "failed_checks"))
        return {
            "labels": "\n".join(campaign.labels),
            "functionalities": list(selection.functionalities),
            "targets": list(selection.targets),
            "origins": list(selection.origins),
            "only_unlabelled": selection.only_unlabelled,
            "sample": selection.sample,
            "too_fast_milliseconds": fast.get("milliseconds"),
            "too_fast_times": fast.get("times"),
            "too_fast_then": fast.get("then"),
            "skips_times": skips.get("times"),
            "skips_then": skips.get("then"),
            "checks_times": checks.get("times"),
            "checks_then": checks.get("then"),
        }

    def clean(self) -> dict[str, Any]:
        """Half a rule is no rule, and nobody would notice that it is not there."""
        super().clean()
        for rule in (("too_fast_milliseconds", "too_fast_times", "too_fast_then"), ("skips_times", "skips_then"),
                     ("checks_times", "checks_then")):  # fmt: skip
            missing = [name for name in rule if not self.cleaned_data.get(name)]
            if missing and len(missing) < len(rule):
                self.add_error(missing[0], "Fill in the whole rule, or leave all of it empty.")
        return self.cleaned_data

    def selection(self) -> Selection:
        given = self.cleaned_data
        return Selection(
            functionalities=tuple(one.key for one in given["functionalities"]),
            targets=tuple(given["targets"]),
            origins=tuple(given["origins"]),
            only_unlabelled=given["only_unlabelled"],
            sample=given["sample"],
        )

    def settings(self) -> dict[str, Any]:
        """What the service takes; answers as a list, rules as plain values."""
        given = {name: self.cleaned_data[name] for name in SETTINGS}
        given["labels"] = [line.strip() for line in given["labels"].splitlines() if line.strip()]
        given["binarise_above"] = given["binarise_above"] or 3
        given["quality_rules"] = self._rules()
        return given

    def _rules(self) -> dict[str, Any]:
        given, rules = self.cleaned_data, {}
        if given["too_fast_then"] and given["too_fast_times"] and given["too_fast_milliseconds"]:
            rules["too_fast"] = {
                "milliseconds": given["too_fast_milliseconds"],
                "times": given["too_fast_times"],
                "then": given["too_fast_then"],
            }
        if given["skips_then"] and given["skips_times"]:
            rules["skips_in_a_row"] = {"times": given["skips_times"], "then": given["skips_then"]}
        if given["checks_then"] and given["checks_times"]:
            rules["failed_checks"] = {"times": given["checks_times"], "then": given["checks_then"]}
        return rules


class ItemsForm(forms.Form):
    """Texts with a known answer: written, taken from the catalogue, or drawn from the suite."""

    role = forms.ChoiceField(
        choices=[(role.value, role.label) for role in (Role.TRAINING, Role.TEST, Role.CHECK)], label="For"
    )
    source = forms.ChoiceField(
        choices=[
            (Source.OWN.value, "Own texts, written below"),
            (Source.EXAMPLES.value, "Examples of the catalogue"),
            (Source.CASES.value, "Chosen cases of the suite; they are not labelled then"),
        ],
        label="From",
    )
    number = forms.IntegerField(
        required=False, min_value=1, max_value=200, label="How many", help_text="For examples and cases."
    )
    language = forms.ChoiceField(required=False, label="Language of own texts")
    lines = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        label="Own texts",
        help_text="One per line: text | expected answer | explanation.",
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = languages_of(campaign)
        names = ", ".join(language.name for language in languages)
        self.fields["lines"].help_text += f" Write them in the language of the campaign: {names}."
        examples = available_examples(campaign).count()
        self.fields[
            "number"
        ].help_text = (
            f"For examples and cases. The catalogue has {examples} example{'' if examples == 1 else 's'} in {names}."
        )
        if len(languages) > 1:
            choices = [("", "Choose a language"), *((language.code, language.name) for language in languages)]
            self.fields["language"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["language"]


class GuidelineForm(forms.Form):
    title = forms.CharField(max_length=160, required=False, help_text="Empty takes the first heading of the text.")
    text = forms.CharField(
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 24, "dir": "auto"}),
        help_text="Markdown: what annotators have to decide, and how.",
    )


class CampaignFilterForm(forms.Form):
    q = forms.CharField(label="Search", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any state"), *CampaignState.choices])
