"""Addresses of templates and cases."""

from django.urls import URLPattern, path

from curation.authoring import api as templates
from curation.cases import api as cases

ONE = "templates/<slug:suite>/<str:language>/<path:key>/"

urlpatterns: list[URLPattern] = [
    path("templates/", templates.Templates.as_view(), name="api-templates"),
    path("templates/many/", templates.ManyTemplates.as_view(), name="api-templates-many"),
    path("templates/preview/", templates.PreviewTemplate.as_view(), name="api-template-preview"),
    path(f"{ONE}versions/", templates.TemplateVersions.as_view(), name="api-template-versions"),
    path(f"{ONE}submit/", templates.SubmitTemplate.as_view(), name="api-template-submit"),
    path(f"{ONE}withdraw/", templates.WithdrawTemplate.as_view(), name="api-template-withdraw"),
    path(f"{ONE}approve/", templates.ApproveTemplate.as_view(), name="api-template-approve"),
    path(f"{ONE}reject/", templates.RejectTemplate.as_view(), name="api-template-reject"),
    path(f"{ONE}comments/", templates.TemplateComments.as_view(), name="api-template-comments"),
    path(ONE, templates.OneTemplate.as_view(), name="api-template"),
    path("cases/", cases.Cases.as_view(), name="api-cases"),
    path("cases/generate/", cases.GenerateCases.as_view(), name="api-cases-generate"),
    path("cases/perturb/", cases.PerturbCases.as_view(), name="api-cases-perturb"),
    path("cases/respell/", cases.RespellCases.as_view()),
    path("cases/coverage/", cases.CaseCoverage.as_view(), name="api-cases-coverage"),
    path("cases/<slug:suite>/<path:key>/", cases.OneCase.as_view(), name="api-case"),
]
