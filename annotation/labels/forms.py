"""Forms of labels in and cases out."""

from annotation.campaigns.models import CampaignQuerySet
from annotation.labels.options import LabelExportOptions, TakeBackOptions, ToolExportOptions
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


class LabelExportForm(OptionsForm[LabelExportOptions]):
    """Which labels are exported."""

    options = LabelExportOptions

    def offer_campaigns(self, suite: Suite, *, without: CampaignQuerySet) -> None:
        """Offer the campaigns of a suite whose labels the reader may see."""
        rows = Campaign.objects.filter(suite=suite).exclude(pk__in=without).order_by("-created_at")
        self.offer("campaign", [("", _("All campaigns")), *rows.values_list("key", "title")])


class TakeBackForm(OptionsForm[TakeBackOptions]):
    """Why an import is taken back."""

    options = TakeBackOptions
