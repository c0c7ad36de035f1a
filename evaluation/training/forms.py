"""Forms of training."""

from typing import Any

from accounts.models import User
from core.options.forms import OptionsForm
from core.text import _
from evaluation.models import Dataset
from evaluation.training.options import ContaminationOptions, InoculationOptions, MaterialOptions, TrainingOptions


def with_labels(dataset: Dataset) -> str:
    """Return the title of a data set with its labels."""
    return _("%(dataset)s (%(labels)s)", dataset=dataset.title, labels=dataset.labels)


class TrainingForm(OptionsForm[TrainingOptions]):
    """A baseline to train on a data set the person may see."""

    options = TrainingOptions

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = Dataset.objects.visible_to(user) if user else Dataset.objects.none()
        # With their labels: one of them has to be named below.
        choices = [(dataset.key, with_labels(dataset)) for dataset in known]
        if choices:
            self.offer("dataset", choices, initial=choices[0][0] if len(choices) == 1 else None)
            self.offer("more_datasets", choices)
            self.offer("test_datasets", choices)


class MaterialForm(OptionsForm[MaterialOptions]):
    """Training material of a run."""

    options = MaterialOptions


class ContaminationForm(OptionsForm[ContaminationOptions]):
    """Releases whose cases are looked for in a data set."""

    options = ContaminationOptions


class InoculationForm(OptionsForm[InoculationOptions]):
    """The data set that material is added to."""

    options = InoculationOptions

    def __init__(self, *args: Any, user: User | None = None, material: Dataset | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if user is not None and material is not None:
            known = Dataset.objects.visible_to(user).exclude(pk=material.pk)
            self.offer("dataset", [(one.key, with_labels(one)) for one in known])
