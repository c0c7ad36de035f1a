"""Forms of attacks."""

from __future__ import annotations

from typing import Any, TypeVar

from django.utils.html import format_html
from django.utils.timezone import localtime

from core.options import Options
from core.options.forms import OptionsForm
from core.text import _
from curation.models import Language
from evaluation.attacks.algorithm.quotations import languages_with_quotations
from evaluation.attacks.options import (
    AttackOptions,
    AttackRunOptions,
    AttackScoreOptions,
    AttackSpreadOptions,
    AttackSuiteOptions,
)
from evaluation.datasets.labelled_files import ABUSIVE_NAMES
from evaluation.models import Attack, Dataset, ModelVersion

Chosen = TypeVar("Chosen", bound=Options)


class AttackForm(OptionsForm[AttackOptions]):
    """The recipe of an attack on one data set."""

    options = AttackOptions

    def __init__(self, *args: Any, dataset: Dataset | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if dataset is None:
            return
        usual = [label for label in dataset.labels if label.lower() in ABUSIVE_NAMES]
        self.offer("abusive", [(label, label) for label in dataset.labels], initial=usual)
        names = dict(Language.objects.values_list("code", "name"))
        ours = languages_with_quotations()
        # Every language can be attacked with the person's own templates; where we wrote none, the form says so.
        known = {code: names.get(code, code) for code in ours}
        known |= {
            code: _("%(language)s (needs your templates)", language=name)
            for code, name in names.items()
            if code.split("-")[0] not in ours
        }
        language = dataset.language if dataset.language in known else dataset.language.split("-")[0] or "en"
        known.setdefault(language, _("%(language)s (needs your templates)", language=language))
        self.offer("language", sorted(known.items(), key=lambda pair: str(pair[1])), initial=language)


class AnswersForm(OptionsForm[AttackScoreOptions]):
    """Answer files of a model that was asked elsewhere."""

    options = AttackScoreOptions

    @classmethod
    def for_attack(cls, attack: Attack) -> AnswersForm:
        """Only asks about replacing where there is something to replace, and says what."""
        form = cls()
        earlier = attack.scores.current().filter(model_version__isnull=True).values_list("name", "created_at")
        if earlier:
            dated = [_("%(model)s (%(date)s)", model=name, date=localtime(moment).date()) for name, moment in earlier]
            so_far = _("Uploaded so far: %(answers)s.", answers=dated)
            # Names of models are not ours: they are escaped, as the help is already.
            form.fields["replace"].help_text = format_html("{} {}", so_far, form.fields["replace"].help_text)
        else:
            del form.fields["replace"]
        return form


class SuiteForm(OptionsForm[AttackSuiteOptions]):
    """How an attack becomes a suite."""

    options = AttackSuiteOptions

    @classmethod
    def for_attack(cls, attack: Attack) -> SuiteForm:
        return cls(initial={"key": attack.key, "name": attack.title})


class AskableForm(OptionsForm[Chosen]):
    """A form that chooses among the registered models that can be asked."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        versions = ModelVersion.objects.current().askable().select_related("model").order_by("model__name", "-number")
        self.offer("model", [(version.key, str(version)) for version in versions])


class ModelForm(AskableForm[AttackRunOptions]):
    """Which registered model is attacked."""

    options = AttackRunOptions


class SpreadForm(AskableForm[AttackSpreadOptions]):
    """Which registered model is attacked with how many seeds."""

    options = AttackSpreadOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "id_spread_%s", **kwargs})
