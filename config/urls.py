"""All addresses. Each app brings its pages (`urls.py`) and its part of the API (`api_urls.py`)."""

from django.urls import URLPattern, URLResolver, include, path

from config import health, views
from config.admin import site
from config.api_docs import DocumentationView, EnglishSchemaView
from config.script_words import WordsForScripts
from curation.indexes.values import WELL_KNOWN
from curation.releases.views import index

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("words/<str:language>/<str:edition>.js", WordsForScripts.as_view(), name="words-for-scripts"),
    path(WELL_KNOWN, index.index, name="index"),
    path(".well-known/touchstone/<slug:suite>@<str:version>.zip", index.index_download, name="index-download"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    # The labelling API first: every label passes here, and each pattern before it is tried.
    path("api/v1/", include("annotation.api_urls")),
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("core.api_urls")),
    path("api/v1/", include("curation.api_urls")),
    path("api/v1/", include("generation.api_urls")),
    path("api/v1/", include("evaluation.api_urls")),
    path("account/", include("accounts.urls")),
    path("account/", include("allauth.urls")),
    path("ui/", include("ui.urls")),
    path("admin/", site.urls),
    path("", include("core.urls")),
    path("", include("curation.urls")),
    path("", include("annotation.urls")),
    path("", include("generation.urls")),
    path("", include("evaluation.urls")),
    path("api/schema/", EnglishSchemaView.as_view(), name="api-schema"),
    path("api/docs/", DocumentationView.as_view(url_name="api-schema"), name="api-docs"),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
