"""API addresses of suites, catalogue and lexicon."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from curation.catalogue.api import FunctionalityViewSet, GroupViewSet, LanguageViewSet, SuiteViewSet

router = SimpleRouter()
router.register("languages", LanguageViewSet)
router.register("functionalities", FunctionalityViewSet)
router.register("groups", GroupViewSet)
router.register("suites", SuiteViewSet)

urlpatterns: list[URLPattern | URLResolver] = router.urls
