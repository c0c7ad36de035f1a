"""All tables, to look at: for administrators who need to see what is stored. Nothing can be changed here.

Columns, filters and search follow from the fields of a model, so a new model or field appears by itself. HIDDEN names
what nobody may read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, JSONField, Model, QuerySet, TextField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse

from annotation.permissions import labelled_blind_by

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

APPS = ("accounts", "core", "curation", "generation", "annotation", "evaluation")
MOST_COLUMNS = 8
# Secrets and what stands for them; and lists so long that no page can show them.
HIDDEN = {
    "accounts.User": {"password"},
    "accounts.Invitation": {"digest"},
    "accounts.ApiToken": {"digest"},
    "annotation.Campaign": {"entry_key", "completion_code", "completion_url"},
    "annotation.Participation": {"session_id", "session_digest", "return_digest"},
    "core.KeyedRequest": {"body"},
    "core.Webhook": {"secret"},
    "curation.ReleaseAnnex": {"rows"},
    "evaluation.SharedReport": {"token"},
    "evaluation.Split": {"indices"},
}
SEARCHED = {
    "account",
    "actor_name",
    "code",
    "email",
    "key",
    "lemma",
    "name",
    "pseudonym",
    "subject_key",
    "text",
    "title",
}
FILTERED = {"curation.Language", "curation.Suite"}  # few enough rows to offer each as a choice
# What the name of a row is made of, beside its own fields: read with the list, not row by row.
NAMED_BY = {
    "curation.Release": ("suite",),
    "curation.TemplateVersion": ("template",),
    "evaluation.EvaluationRun": ("release__suite", "model_version__model"),
    "evaluation.Experiment": ("dataset",),
    "evaluation.ModelVersion": ("model",),
    "generation.Candidate": ("run",),
    "generation.Prompt": ("functionality", "language"),
}
# How a row belongs to a campaign, where it does.
CAMPAIGNS = {"campaign": "campaign", "assignment": "assignment__campaign", "participation": "participation__campaign"}


class OperatorSite(admin.AdminSite):
    """Sign-in, second factor and limits are the product's own; every request that is not a mere look is refused."""

    site_header = site_title = "Touchstone: stored data"
    index_title = "Tables"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser and request.method in ("GET", "HEAD")

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"), resolve_url("account_login"))

    def get_urls(self) -> list[Any]:
        """Leave changing a password to the product's own page."""
        return [found for found in super().get_urls() if "password" not in (getattr(found, "name", "") or "")]


class ReadOnlyAdmin(ModelAdmin):
    """One table: its rows with their short fields, and each row in full without what is hidden."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out what is about running campaigns in which the administrator labels: they label blind, too."""
        rows = super().get_queryset(request)
        for field in self.model._meta.fields:
            if field.name in CAMPAIGNS:
                return rows.exclude(**{f"{CAMPAIGNS[field.name]}__in": labelled_blind_by(request.user)})
        return rows

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow what the filters ask for: any other lookup could give a hidden field away letter by letter."""
        name = lookup.removesuffix("__isnull").removesuffix("__exact").removesuffix("__id")
        return name in self.list_filter

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the audit, which records what was done to a row; this site does nothing to it."""
        row = self.get_object(request, object_id)
        subject = urlencode({"subject": getattr(row, "key", object_id)})
        return redirect(f"{reverse('accounts:audit')}?{subject}")


def columns_of(model: type[Model]) -> dict[str, Any]:
    """Return what the pages of a model show, offer as filters and search in."""
    hidden = HIDDEN.get(model._meta.label, set())
    shown = [field for field in model._meta.fields if field.name not in hidden]
    short = [field for field in shown if not isinstance(field, TextField | JSONField)][:MOST_COLUMNS]
    names = [field.name for field in (*shown, *model._meta.many_to_many)]
    joins, filters, searches = [], [], []
    for field in shown:
        related = apps.get_model(field.related_model) if isinstance(field.related_model, str) else field.related_model
        label = related._meta.label if related else ""
        if related and field in short:
            joins += [field.name, *(f"{field.name}__{path}" for path in NAMED_BY.get(label, ()))]
        if field.choices or isinstance(field, BooleanField) or label in FILTERED:
            filters.append(field.name)
        if related and any(other.name == "key" for other in related._meta.fields):
            searches.append(f"{field.name}__key")
        elif not related and field.name in SEARCHED:
            searches.append(field.name)
    return {
        "fields": names,
        "readonly_fields": names,
        "list_display": [field.name for field in short],
        "list_select_related": joins,
        "list_filter": filters,
        "search_fields": searches,
    }


site = OperatorSite()
for app in APPS:
    for model in apps.get_app_config(app).get_models():
        site.register(model, ReadOnlyAdmin, **columns_of(model))
