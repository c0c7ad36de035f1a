"""The API for managing."""

from django.urls import URLPattern, URLResolver, include, path
from rest_framework.routers import SimpleRouter

from annotation.agreement import api as suites
from annotation.campaigns.api.managing import CampaignViewSet, GuidelinesView
from annotation.labels import api as labels
from annotation.people import api as people

router = SimpleRouter()
router.register("campaigns", CampaignViewSet, basename="api-campaign")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(router.urls)),
    path("guidelines/", GuidelinesView.as_view(), name="api-guidelines"),
    path("suites/<slug:key>/agreement/", suites.AgreementView.as_view(), name="api-suite-agreement"),
    path("suites/<slug:key>/perspectives/", suites.PerspectivesView.as_view(), name="api-suite-perspectives"),
    path("suites/<slug:key>/decision/", suites.DecisionView.as_view(), name="api-suite-decision"),
    path("suites/<slug:key>/exclusions/", suites.ExclusionsView.as_view(), name="api-suite-exclusions"),
    path("suites/<slug:key>/exclusions/<path:case>/lift/", suites.LiftView.as_view(), name="api-exclusion-lift"),
    path("campaigns/<slug:key>/reconcile/", people.ReconcileView.as_view(), name="api-campaign-reconcile"),
    path("campaigns/<slug:key>/bonuses/", people.BonusesView.as_view(), name="api-campaign-bonuses"),
    path("suites/<slug:key>/tasks/", labels.SendCasesView.as_view(), name="api-suite-tasks"),
    path("campaigns/<slug:key>/take-back/", labels.TakeBackView.as_view(), name="api-campaign-take-back"),
    path("suites/<slug:key>/labels/", suites.LabelsView.as_view(), name="api-suite-labels"),
]
