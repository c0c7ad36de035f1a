"""Pages for managing campaigns and for deciding what their labels do to a suite."""

from django.urls import URLPattern, path, register_converter

from annotation.agreement.views import disputes as managing_disputes
from annotation.agreement.views import suites as managing_suites
from annotation.campaigns.views import guidelines
from annotation.campaigns.views import pages as managing_campaigns
from annotation.labels import views as labels
from annotation.people.views import paying


class LabelFileEnding:
    regex = "csv|jsonl"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(LabelFileEnding, "label_file_ending")

urlpatterns: list[URLPattern] = [
    path("campaigns/", managing_campaigns.campaigns, name="campaigns"),
    path("campaigns/<slug:key>/", managing_campaigns.campaign, name="campaign"),
    path("campaigns/<slug:key>/agreement/", managing_campaigns.agreement, name="campaign-agreement"),
    path("campaigns/<slug:key>/disagreements/", managing_disputes.disputes, name="campaign-disputes"),
    # Imported cases keep their keys, whatever these hold.
    path("campaigns/<slug:key>/disagreements/<path:case>/decide/", managing_disputes.decide, name="campaign-decide"),
    path("campaigns/<slug:key>/disagreements/<path:case>/", managing_disputes.dispute, name="campaign-dispute"),
    path("campaigns/<slug:key>/message/", managing_campaigns.message, name="campaign-message"),
    path("campaigns/<slug:key>/round/", managing_campaigns.next_round, name="campaign-round"),
    path("campaigns/<slug:key>/labels.<label_file_ending:ending>", managing_campaigns.labels, name="campaign-labels"),
    path("campaigns/<slug:key>/take-back/", labels.take_back, name="take-back"),
    path("guidelines/", guidelines.guidelines, name="guidelines-list"),
    path("guidelines/<str:language>/", guidelines.guideline, name="guideline"),
    path("guidelines/<str:language>/new/", guidelines.new_guideline, name="guideline-new"),
    path("suites/<slug:key>/agreement/", managing_suites.agreement, name="suite-agreement"),
    path("suites/<slug:key>/perspectives/", managing_suites.perspectives, name="suite-perspectives"),
    path("suites/<slug:key>/decision/", managing_suites.decision, name="decision"),
    path("suites/<slug:key>/decision/apply/", managing_suites.decide, name="decision-apply"),
    path("suites/<slug:key>/exclusions/", managing_suites.exclusions, name="exclusions"),
    path("suites/<slug:key>/exclusions/<path:case>/lift/", managing_suites.lift, name="exclusion-lift"),
    path("suites/<slug:key>/labels/export/", labels.export_labels, name="export-labels"),
    path("campaigns/<slug:key>/reconcile/", paying.reconcile, name="reconcile"),
    path("campaigns/<slug:key>/bonuses.csv", paying.bonuses, name="bonuses"),
    path("suites/<slug:key>/cases/send/", labels.send_cases, name="send-cases"),
    path("suites/<slug:key>/labels/import/", managing_suites.import_labels, name="import-labels"),
]
