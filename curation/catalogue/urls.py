"""Addresses of suites, catalogue, lexicon and import."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from curation.catalogue import views as catalogue
from curation.importing import views as importing
from curation.lexicon import views as lexicon

urlpatterns: list[URLPattern] = [
    path("suites/", catalogue.suites_page, name="suites"),
    path("suites/new/", catalogue.edit_suite, name="suite-new"),
    path("suites/import/", importing.import_page, name="import"),
    path("suites/import/<str:key>/for-real/", importing.import_for_real, name="import-for-real"),
    path("suites/<slug:key>/", catalogue.suite_page, name="suite"),
    path("suites/<slug:key>/download/", catalogue.download_suite, name="suite-download"),
    path("suites/<slug:key>/edit/", catalogue.edit_suite, name="suite-edit"),
    path("catalogue/", catalogue.catalogue_page, name="catalogue"),
    path("catalogue/languages/new/", catalogue.new_language, name="language-new"),
    path("catalogue/languages/<str:code>/", catalogue.language_page, name="language"),
    # The address of the language page in earlier versions.
    path(
        "catalogue/languages/<str:code>/coverage/",
        RedirectView.as_view(pattern_name="curation:language"),
        name="coverage",
    ),
    path("catalogue/functionalities/new/", catalogue.edit_functionality, name="functionality-new"),
    path("catalogue/functionalities/<slug:key>/", catalogue.edit_functionality, name="functionality"),
    path("catalogue/groups/new/", catalogue.edit_group, name="group-new"),
    path("catalogue/groups/<str:key>/", catalogue.edit_group, name="group"),
    path("lexicon/", lexicon.lexicon_page, name="lexicon"),
    path("lexicon/cell/", lexicon.write_cell, name="lexicon-cell"),
    path("lexicon/words/", lexicon.add_word, name="lexicon-add"),
    path("lexicon/suggestions/", lexicon.suggestions, name="lexicon-suggestions"),
    path("lexicon/import/", lexicon.import_words, name="lexicon-import"),
    path("lexicon/<slug:suite>/<str:language>/<str:key>/", lexicon.word_page, name="word"),
]
