"""Addresses of releases."""

from django.urls import URLPattern, path

from curation.releases.views import access as releases_access
from curation.releases.views import making as releases_making
from curation.releases.views import pages as releases

ONE = "releases/<slug:suite>/<str:version>/"

urlpatterns: list[URLPattern] = [
    path("releases/", releases.release_list, name="releases"),
    path("releases/import/", releases_making.release_import, name="release-import"),
    path("releases/new/", releases_making.release_new, name="release-new"),
    path("releases/preview/", releases_making.release_preview, name="release-preview"),
    path(ONE, releases.release_page, name="release"),
    path(f"{ONE}progress/", releases.release_progress, name="release-progress"),
    path(f"{ONE}build/", releases_making.release_build, name="release-build"),
    path(f"{ONE}stop/", releases_making.release_stop, name="release-stop"),
    path(f"{ONE}publish/", releases_making.release_publish, name="release-publish"),
    path(f"{ONE}withdraw/", releases_making.release_withdraw, name="release-withdraw"),
    path(f"{ONE}doi/", releases_making.release_doi, name="release-doi"),
    path(f"{ONE}delete/", releases_making.release_delete, name="release-delete"),
    path(f"{ONE}verify/", releases_making.release_verify, name="release-verify"),
    path(f"{ONE}statement/", releases.release_document, {"document": "statement"}, name="release-statement"),
    path(f"{ONE}datasheet/", releases.release_document, {"document": "datasheet"}, name="release-datasheet"),
    path(
        f"{ONE}statement/edit/",
        releases.release_prose,
        {"document": "statement"},
        name="release-statement-edit",
    ),
    path(
        f"{ONE}datasheet/edit/",
        releases.release_prose,
        {"document": "datasheet"},
        name="release-datasheet-edit",
    ),
    path(f"{ONE}changes/", releases.release_changes, name="release-changes"),
    path(f"{ONE}access/", releases_access.release_access, name="release-access"),
    path(f"{ONE}access/<int:number>/", releases_access.release_access_decide, name="release-access-decide"),
    path(f"{ONE}downloads/", releases_access.release_downloads, name="release-downloads"),
    path(f"{ONE}downloads/<slug:file_format>/", releases_access.release_download, name="release-download"),
    path(f"{ONE}cases/", releases.release_cases, name="release-cases"),
    path(f"{ONE}cases/<path:key>/", releases.lineage, name="lineage"),
]
