"""Forms of releases."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.urls import reverse_lazy

from core.errors import BadInput
from curation.catalogue.forms import LinesField
from curation.catalogue.models import Policy
from curation.catalogue.suites import LONGEST_LICENCE
from curation.models import Suite
from curation.publishing.records import QUESTIONS
from curation.releases.documents import LONGEST
from curation.releases.models import Access, Cascade, WithoutLabels
from curation.releases.rules import standing_rules
from curation.releases.services import LONGEST_VERSION, require_free_version


class FreezeForm(forms.Form):
    """What shall be frozen and how."""

    # Another suite has rules, a version and credits of its own: the form is drawn anew for it.
    suite = forms.ModelChoiceField(
        Suite.objects.all(),
        to_field_name="key",
        empty_label=None,
        widget=forms.Select(
            attrs={
                "hx-get": reverse_lazy("curation:release-new"),
                "hx-target": "#freeze",
                "hx-select": "#freeze",
                "hx-swap": "outerHTML",
                "hx-push-url": "true",
                "hx-sync": "closest form:replace",
            }
        ),
    )
    version = forms.CharField(max_length=LONGEST_VERSION, help_text="Semantic: 1.0.0, then 1.1.0 when cases change.")
    title = forms.CharField(max_length=200, required=False, help_text="Empty: the name of the suite.")
    licence = forms.CharField(
        max_length=LONGEST_LICENCE,
        required=False,
        help_text="For example CC-BY-4.0. Kept with the suite; empty: the licence of the suite.",
    )
    authors = LinesField(
        required=False,
        help_text="One per line, as they are cited. Kept with the suite; empty: the authors of the suite.",
    )
    policy = forms.ChoiceField(choices=Policy.choices, label="Cases people disagree on")
    min_agree = forms.IntegerField(
        min_value=0,
        label="Minimum agreement",
        help_text="Minimum number of annotators who must choose the gold label; 0 asks for none.",
    )
    cascade = forms.ChoiceField(choices=Cascade.choices, label="What goes with a disputed case")
    without_labels = forms.ChoiceField(
        choices=WithoutLabels.choices, required=False, label="Cases that were never labelled"
    )
    access = forms.ChoiceField(choices=Access.choices, label="Who may download it", initial=Access.PUBLIC)
    terms = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For access on request: what people must accept first.",
    )

    @classmethod
    def for_suite(cls, suite: Suite) -> FreezeForm:
        """Prefilled with the standing rules of the suite and the version after the newest."""
        return cls(
            initial={
                "suite": suite.key,
                "version": next_version(suite),
                **asdict(standing_rules(suite)),
                "access": Access.PUBLIC,
            }
        )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        suite, version, least = values.get("suite"), values.get("version"), values.get("min_agree")
        if suite and version:
            try:
                require_free_version(suite, version)
            except BadInput as error:
                self.add_error("version", str(error))
        if suite and least is not None and least > suite.raters:
            self.add_error("min_agree", f"Only {suite.raters} annotators label a case of this suite.")
        return values


def next_version(suite: Suite) -> str:
    """The minor version after the highest release; after 2.0.0-beta comes 2.0.0; 1.0.0 where there is none."""
    known = []
    for version in suite.releases.values_list("version", flat=True):
        numbers, _, word = version.partition("-")
        major, minor, patch = map(int, f"{numbers}.0".split(".")[:3])
        known.append((major, minor, patch, not word))
    if not known:
        return "1.0.0"
    major, minor, patch, is_final = max(known)
    return f"{major}.{minor + 1}.0" if is_final else f"{major}.{minor}.{patch}"


class ProseForm(forms.Form):
    """One text per section of a document."""

    def __init__(self, sections: dict[str, str], prose: dict[str, str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for key, title in sections.items():
            self.fields[key] = forms.CharField(
                label=title,
                help_text=QUESTIONS[key],
                required=False,
                max_length=LONGEST,
                initial=prose.get(key, ""),
                widget=forms.Textarea(attrs={"rows": 5}),
            )


class AccessForm(forms.Form):
    """Asking for a release."""

    reason = forms.CharField(
        label="What do you want to use it for?",
        min_length=10,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    accepts_terms = forms.BooleanField(label="I accept the terms above.")
