"""Forms of plans and expansions."""

from typing import Any

from django import forms
from django.db.models.functions import Lower

from core.options.forms import OptionsForm
from core.text import _
from curation.models import Functionality, ProtectedGroup
from generation.models import Prompt
from generation.pages import languages_of_suites, suites
from generation.runs.options import LONGEST_PROVIDER, ExpansionOptions, PlanOptions
from generation.runs.planning import ALL


class PlanForm(OptionsForm[PlanOptions]):
    options = PlanOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        functionalities = Functionality.objects.filter(pk__in=Prompt.objects.values("functionality"))
        self.offer("suite", suites())
        self.offer("languages", languages_of_suites())
        self.offer("functionalities", [(ALL, _("All functionalities")), *functionalities.values_list("key", "title")])
        self.offer("groups", ProtectedGroup.objects.order_by(Lower("name")).values_list("key", "name"))
        show_as_code(self.fields["provider"])

    def clean_provider_file(self) -> str:
        """Return the text of the uploaded file; "" without one."""
        uploaded = self.cleaned_data["provider_file"]
        if uploaded is None:
            return ""
        if uploaded.size > LONGEST_PROVIDER:
            raise forms.ValidationError(_("The file is larger than 64 kB. A provider file is a page of YAML."))
        try:
            return str(uploaded.read().decode("utf-8"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError(_("The file is not UTF-8 text. Save it as UTF-8.")) from error


class ExpansionForm(OptionsForm[ExpansionOptions]):
    options = ExpansionOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("suite", suites())
        self.offer("language", languages_of_suites())
        self.offer("functionalities", Functionality.objects.values_list("key", "title"))


def show_as_code(field: forms.Field) -> None:
    """Show a field in the letters of code."""
    field.widget.attrs |= {"class": "code", "spellcheck": "false"}


def problems_of(form: forms.Form) -> list[str]:
    """Return the errors of a form in one list, for a preview beside it."""
    return [
        _("%(field)s: %(problem)s", field=form.fields[name].label, problem=str(errors[0]))
        if name in form.fields
        else str(errors[0])
        for name, errors in form.errors.items()
    ]
