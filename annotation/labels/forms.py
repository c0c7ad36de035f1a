"""Forms of labels in and cases out."""

from annotation.labels.options import TakeBackOptions, ToolExportOptions
from annotation.models import Campaign
from core.options.forms import OptionsForm
from core.text import _
from curation.models import Suite


class ToolExportForm(OptionsForm[ToolExportOptions]):
    """Which cases are sent to which tool."""

    options = ToolExportOptions

    def offer_rows_of(self, suite: Suite) -> None:
        """Offer the campaigns and languages of a suite."""
        campaigns = Campaign.objects.filter(suite=suite).order_by("-created_at").values_list("key", "title")
        self.offer("campaign", [("", _("None: all cases that can be labelled")), *campaigns])
        languages = suite.languages.order_by("name").values_list("code", "name")
        self.offer("language", [("", _("All languages")), *languages])


class TakeBackForm(OptionsForm[TakeBackOptions]):
    """Why an import is taken back."""

    options = TakeBackOptions
