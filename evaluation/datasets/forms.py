"""The form that brings in labelled data."""

from typing import Any

from core.options.forms import OptionsForm
from curation.models import Language
from evaluation.datasets.options import DatasetOptions


class DatasetForm(OptionsForm[DatasetOptions]):
    """One file with everything, or a file for each part."""

    options = DatasetOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("language", Language.objects.order_by("name").values_list("code", "name"))
