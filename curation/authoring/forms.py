"""Forms above the lists, and the form with the facts of a template."""

import json
from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms

from core.options import Options
from core.options.forms import OptionsForm
from core.text import _, catalogue_name, catalogue_names
from curation.authoring.listing import NO_TEXT
from curation.authoring.models import VersionState
from curation.authoring.options import DETAIL_HELP, DETAIL_LABELS, NewTemplateOptions, TemplateOptions
from curation.cases.models import CaseState, Origin
from curation.fields import DETAIL_FIELDS
from curation.models import Functionality, Language, Suite, TargetGroup

Choices = list[tuple[str, str]]
STATES: Choices = [
    ("", _("Any state")),
    *[(state.value, state.label) for state in VersionState if state != VersionState.SUPERSEDED],
    (NO_TEXT, _("Without text")),
]


def suite_choices(suites: Iterable[Suite]) -> Choices:
    return [("", _("All suites")), *[(suite.key, suite.name) for suite in suites]]


def language_choices() -> Choices:
    used = Language.objects.filter(suites__isnull=False).distinct()
    return [("", _("All languages")), *catalogue_names(used.values_list("code", "name")).items()]


def functionality_choices(
    empty: str = _("All functionalities"), *, suite: Suite | None = None
) -> list[tuple[str, Any]]:
    """Return the functionalities that fit the suite, by class, with their keys: two may have much the same title."""
    groups: dict[str, list[tuple[str, str]]] = {}
    known = Functionality.objects.select_related("functionality_class").order_by(
        "functionality_class__position", "position", "key"
    )
    for functionality in known:
        if suite is not None and functionality.gold_label not in ("", *suite.labels):
            continue
        label = f"{catalogue_name(functionality.title)} ({functionality.key})"
        groups.setdefault(str(catalogue_name(functionality.functionality_class.title)), []).append(
            (functionality.key, label)
        )
    return [("", empty), *groups.items()]


class ListFilterForm(forms.Form):
    """Search and filters of a list; everything may be left out."""

    q = forms.CharField(
        label=_("Search"), required=False, widget=forms.SearchInput(attrs={"placeholder": _("words or key")})
    )
    suite = forms.ChoiceField(label=_("Suite"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False)
    functionality = forms.ChoiceField(label=_("Functionality"), required=False)

    def __init__(self, data: Any, suites: Iterable[Suite]) -> None:
        super().__init__(data)
        self.fields["suite"].choices = suite_choices(suites)  # type: ignore[attr-defined]
        self.fields["language"].choices = language_choices()  # type: ignore[attr-defined]
        self.fields["functionality"].choices = functionality_choices()  # type: ignore[attr-defined]


class TemplateFilterForm(ListFilterForm):
    """Filters of the list of templates."""

    state = forms.ChoiceField(label=_("State"), required=False, choices=STATES)
    missing = forms.BooleanField(label=_("Missing forms only"), required=False)


class CaseFilterForm(ListFilterForm):
    """Filters of the list of cases."""

    target = forms.CharField(label=_("Target group"), required=False, widget=forms.TextInput(attrs={"list": "targets"}))
    origin = forms.ChoiceField(label=_("Origin"), required=False, choices=[("", _("Any origin")), *Origin.choices])
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("In use")), *CaseState.choices])
    template = forms.CharField(required=False, widget=forms.HiddenInput)


class CaseDetailsForm(forms.Form):
    """The details that templates and cases share, after the fields that a form declares before them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in DETAIL_FIELDS:
            self.fields[field.name] = forms.CharField(
                label=DETAIL_LABELS[field.name],
                required=False,
                max_length=field.longest,
                help_text=DETAIL_HELP[field.name],
            )
        self.order_fields(self.field_order)


class TemplateForm(OptionsForm[TemplateOptions]):
    """What is said about a template beside its wording."""

    options: ClassVar[type[Options]] = TemplateOptions

    def __init__(self, *args: Any, suite: Suite | None = None, language: Language | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("functionality", functionality_choices(_("Choose a functionality"), suite=suite))
        mixed = list(Functionality.objects.filter(gold_label="").values_list("key", flat=True))
        self.offer("label_gold", [("", "—"), *[(label, label) for label in (suite.labels if suite else [])]])
        self.fields["label_gold"].widget.attrs["data-mixed"] = json.dumps(mixed)  # the page hides it for all others
        targets = TargetGroup.objects.filter(language=language).values_list("name", "name")
        self.offer("target", [("", "—"), *targets])

    @property
    def facts(self) -> dict[str, Any]:
        """The chosen facts by name; the editor reads the texts itself."""
        return self.chosen.model_dump(include=set(self.fields))


class NewTemplateForm(TemplateForm):
    """The same for a template that is new; its suite and language are those of the page."""

    options = NewTemplateOptions
