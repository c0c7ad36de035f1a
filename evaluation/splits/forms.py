"""Forms of splits and experiments."""

from __future__ import annotations

from typing import Any

from django.utils.text import slugify

from core.options.forms import OptionsForm
from curation.models import Language
from evaluation.artefacts.services import folder_of
from evaluation.models import Dataset, Split
from evaluation.splits.options import ExperimentOptions, SplitOptions, SplitReleaseOptions
from evaluation.splits.releases import CARD
from evaluation.splits.services import dataset_splits


class SplitForm(OptionsForm[SplitOptions]):
    """How one data set is split."""

    options = SplitOptions

    def __init__(self, *args: Any, dataset: Dataset | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if dataset is not None:
            self.offer("vectors_of", [(split.key, str(split)) for split in dataset_splits(dataset)])


class SplitReleaseForm(OptionsForm[SplitReleaseOptions]):
    """The release a split becomes."""

    options = SplitReleaseOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("language", Language.objects.order_by("name").values_list("code", "name"))

    @classmethod
    def for_split(cls, split: Split) -> SplitReleaseForm:
        initial = {
            "key": slugify(split.title)[:60].strip("-"),
            "name": split.title,
            "language": split.dataset.language,
            "card": (folder_of(split) / CARD).read_text(encoding="utf-8"),
        }
        return cls(initial=initial)


class ExperimentForm(OptionsForm[ExperimentOptions]):
    """What is trained on which splits."""

    options = ExperimentOptions

    def __init__(self, *args: Any, dataset: Dataset | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if dataset is not None:
            built = dataset.splits.built().without_rows()
            self.offer("splits", [(split.key, str(split)) for split in built])
