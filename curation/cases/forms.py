"""The forms of cases."""

from typing import Any, ClassVar

from core.options import Options
from core.options.forms import OptionsForm
from core.text import _
from curation.authoring.forms import functionality_choices
from curation.cases.options import CaseTextOptions, EditCaseOptions, NewCaseOptions, PerturbOptions
from curation.cases.perturbing import spelling_functionalities
from curation.catalogue.models import Functionality, Language, Suite, TargetGroup
from curation.morphology.realised import TARGETS_JOINED_BY


class EditCaseForm(OptionsForm[CaseTextOptions]):
    """The form of a case that exists: its functionality stays."""

    options: ClassVar[type[Options]] = EditCaseOptions

    def __init__(self, *args: Any, suite: Suite | None = None, language: Language | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if suite is not None and language is not None:
            self.offer("label_gold", [(label, label) for label in suite.labels])
            named = TargetGroup.objects.filter(language=language).values_list("name", flat=True)
            self.offer("target_ident", [(name, name) for name in named if TARGETS_JOINED_BY not in name])


class NewCaseForm(EditCaseForm):
    options = NewCaseOptions
    chosen: NewCaseOptions

    def __init__(self, *args: Any, suite: Suite | None = None, **kwargs: Any) -> None:
        super().__init__(*args, suite=suite, **kwargs)
        if suite is not None:
            self.offer("functionality", functionality_choices(_("Choose a functionality"), suite=suite))


class PerturbForm(OptionsForm[PerturbOptions]):
    options = PerturbOptions

    def __init__(self, *args: Any, language: Language | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if language is not None:
            self.offer(
                "functionality", [("", _("Choose a functionality")), *_titles(spelling_functionalities(language))]
            )
            self.fields["functionality"].error_messages["invalid_choice"] = _(
                "Choose a spelling functionality that applies in this language."
            )
            self.offer("from_functionality", _titles(Functionality.objects.filter(perturbation="")))


def _titles(functionalities: Any) -> list[tuple[str, str]]:
    return list(functionalities.values_list("key", "title"))
