"""Addresses of templates, reviews, coverage, adaptation and cases."""

from django.urls import URLPattern, path

from curation.authoring.views import adapt, editor, review
from curation.authoring.views import listing as templates
from curation.authoring.views import preview as editor_preview
from curation.cases.views import coverage as matrix
from curation.cases.views import pages as cases
from curation.cases.views import writing as cases_writing

ONE = "templates/<slug:suite>/<str:language>/<path:key>/"
ADAPTED = "templates/adapt/<slug:suite>/<str:language>/from/<slug:source_suite>/<str:source_language>/<path:key>/"

urlpatterns: list[URLPattern] = [
    path("templates/", templates.templates_page, name="templates"),
    path("templates/many/", templates.change_ticked, name="templates-many"),
    path("templates/new/", editor.new_template, name="template-new"),
    path("templates/preview/", editor_preview.preview_part, name="template-preview"),
    path("templates/coverage/", matrix.matrix_page, name="matrix"),
    path("templates/adapt/", adapt.adapt_page, name="adapt"),
    path(ADAPTED, adapt.adapt_template, name="adapt-template"),
    path("templates/reviews/", review.reviews_page, name="reviews"),
    path(f"{ONE}history/", review.history_page, name="template-history"),
    path(f"{ONE}review/", review.review_page, name="review"),
    path(f"{ONE}decide/", review.decide, name="template-decide"),
    path(f"{ONE}comment/", review.comment, name="template-comment"),
    path(f"{ONE}submit/", editor.submit, name="template-submit"),
    path(f"{ONE}withdraw/", editor.withdraw, name="template-withdraw"),
    path(f"{ONE}delete/", editor.delete, name="template-delete"),
    path(ONE, editor.template_page, name="template"),
    path("cases/", cases.cases_page, name="cases"),
    path("cases/new/", cases_writing.new_case, name="case-new"),
    path("cases/perturb/", cases_writing.perturb, name="cases-perturb"),
    path("cases/generate/", cases.generate, name="cases-generate"),
    path("cases/cover/", cases.cover_texts, name="cover-texts"),
    path("cases/<slug:suite>/download/", cases.download_suite, name="cases-download"),
    path("cases/<slug:suite>/<path:key>/edit/", cases_writing.change_case, name="case-edit"),
    path("cases/<slug:suite>/<path:key>/retire/", cases_writing.retire, name="case-retire"),
    path("cases/<slug:suite>/<path:key>/", cases.case_page, name="case"),
]
