"""The pages for operators: administrators look at every table, nobody changes anything, secrets stay hidden."""

import re
from decimal import Decimal

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Annotation, Annotator, Campaign, Participation
from config.admin import HIDDEN, site
from config.demo import load_demo
from curation.catalogue.loading import load_catalogue
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
ENOUGH = 3
SOUNDS_SECRET = re.compile(r"password|digest|token|secret|code$|entry_key|session|completion")
HARMLESS = {
    "accounts.User.session_number",
    "accounts.SignInAttempt.secret",  # which of the two was wrong
    "curation.Form.token",  # a number
    "curation.Language.code",
    "generation.ProviderRequest.completion_tokens",
    "generation.ProviderRequest.prompt_tokens",
}


def make_row(model: type[models.Model], number: int) -> models.Model:
    """Make a row with something in every field."""
    values = {}
    for field in model._meta.fields:
        if field.primary_key:
            continue
        if field.is_relation:
            values[field.name] = some_rows(field.related_model, number + 1)[number]
        elif field.choices:
            values[field.name] = field.choices[0][0] or field.choices[1][0]
        elif field.has_default() and not field.unique:
            values[field.name] = field.get_default()
        elif isinstance(field, models.DateTimeField):
            values[field.name] = timezone.now()
        elif isinstance(field, models.DecimalField):
            values[field.name] = Decimal(1)
        elif isinstance(field, models.IntegerField | models.FloatField):
            values[field.name] = number + 1
        elif isinstance(field, models.BooleanField):
            values[field.name] = False
        elif isinstance(field, models.JSONField):
            values[field.name] = [number]
        elif isinstance(field, models.CharField | models.TextField):
            values[field.name] = f"{field.name}-{number}"[: field.max_length]
    return model._default_manager.bulk_create([model(**values)])[0]


def some_rows(model: type[models.Model], wanted: int) -> list[models.Model]:
    while (found := model._default_manager.count()) < wanted:
        make_row(model, found)
    return list(model._default_manager.order_by("pk")[:wanted])


def list_of(model: type[models.Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def page_of(row: models.Model, name: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{name}", args=[row.pk])


@pytest.fixture
def filled(db) -> None:
    """Every table has rows: those of the demo, and made ones where the demo has none."""
    load_catalogue()
    load_demo()
    for model in site._registry:
        some_rows(model, 1)


def test_an_administrator_looks_at_every_table_and_row_and_sees_no_secret(client, admin, filled):
    client.force_login(admin)
    index = client.get(reverse("admin:index")).content.decode()
    for model, shown in site._registry.items():
        assert list_of(model) in index
        row = model._default_manager.first()
        for address in (list_of(model), list_of(model) + "?q=a", page_of(row)):
            answer = client.get(address)
            assert answer.status_code == 200, address
            html = answer.content.decode()
            assert not re.search(r"<script(?![^>]* src=)[^>]*>|<style| style=| on[a-z]+=\"", html), address
            secrets = [str(getattr(row, name)) for name in HIDDEN.get(model._meta.label, ())]
            assert [secret for secret in secrets if len(secret) > 5 and secret in html] == []
        assert client.get(list_of(model)).context["cl"].result_count
        for name in shown.list_filter:
            assert client.get(list_of(model), {f"{name}__exact": "1"}).status_code == 200


def test_a_list_needs_no_query_per_row(client, admin, filled, monkeypatch):
    client.force_login(admin)
    for model, shown in site._registry.items():
        some_rows(model, ENOUGH)
        counts = []
        for rows in (1, ENOUGH):
            monkeypatch.setattr(shown, "list_per_page", rows)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert len(client.get(list_of(model)).context["cl"].result_list) == rows
            counts.append(len(queries))
        assert counts[0] == counts[1], model


@pytest.mark.parametrize("who", ["vic", "ana", "emil", "mira", "former"])
def test_nobody_else_looks(client, request, who, admin):
    if who == "former":
        User.objects.filter(pk=admin.pk).update(is_superuser=False)
    client.force_login(admin if who == "former" else request.getfixturevalue(who))
    for address in (reverse("admin:index"), list_of(User), page_of(admin)):
        assert client.get(address, follow=True).status_code == 403
    assert "Stored data" not in client.get("/").content.decode()


def test_sign_in_is_the_products_own(client, admin):
    answer = client.get(list_of(User), follow=True)
    assert answer.redirect_chain[-1][0] == f"{reverse('account_login')}?next={list_of(User)}"
    client.post(reverse("admin:login"), {"username": admin.email, "password": PASSWORD})
    assert "_auth_user_id" not in client.session
    client.post(reverse("account_login") + f"?next={list_of(User)}", {"login": admin.email, "password": PASSWORD})
    assert client.get(list_of(User)).status_code == 200
    assert client.get("/admin/password_change/").status_code == 404
    assert "Stored data" in client.get("/").content.decode()


def test_nothing_can_be_changed(client, admin, filled):
    client.force_login(admin)
    for model in site._registry:
        row = model._default_manager.first()
        count = model._default_manager.count()
        add = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")
        assert {client.get(add).status_code, client.get(page_of(row, "delete")).status_code} == {403}
        for address in (list_of(model), add, page_of(row), page_of(row, "delete")):
            given = {"post": "yes", "action": "delete_selected", "_selected_action": str(row.pk), "name": "Changed"}
            assert client.post(address, given, follow=True).status_code == 403, address
        assert model._default_manager.count() == count
        assert not [
            field for field in site._registry[model].fields if field not in site._registry[model].readonly_fields
        ]


def test_hidden_fields_cannot_be_guessed_by_filters(client, admin):
    client.force_login(admin)
    for query in ("password__startswith=m", "grants__user__password__startswith=m", "email__startswith=a"):
        assert client.get(f"{list_of(User)}?{query}").status_code == 400
    assert client.get(list_of(Campaign), {"suite__created_by__password__startswith": "m"}).status_code == 400
    assert client.get(list_of(Campaign), {"suite__id__exact": "1"}).status_code == 200


def test_every_field_that_sounds_secret_is_hidden():
    sounding = {
        f"{model._meta.label}.{field.name}"
        for model in site._registry
        for field in model._meta.fields
        if SOUNDS_SECRET.search(field.name)
    }
    hidden = {f"{label}.{name}" for label, names in HIDDEN.items() for name in names}
    assert sounding - hidden == HARMLESS


def test_an_administrator_who_labels_in_a_running_campaign_does_not_see_its_labels(client, admin, filled):
    client.force_login(admin)
    campaign = Campaign.objects.get(key="demo-en")
    seen = Annotation.objects.count() - Annotation.objects.filter(assignment__campaign=campaign).count()
    assert client.get(list_of(Annotation)).context["cl"].result_count == Annotation.objects.count() > seen
    label = Annotation.objects.filter(assignment__campaign=campaign).first()
    Participation.objects.create(campaign=campaign, annotator=Annotator.objects.create(user=admin, pseudonym="a-1"))
    assert client.get(list_of(Annotation)).context["cl"].result_count == seen
    assert client.get(page_of(label)).status_code == 302


def test_the_history_of_a_row_is_the_audit(client, admin, filled):
    client.force_login(admin)
    campaign = Campaign.objects.get(key="demo-en")
    assert client.get(page_of(campaign, "history")).url == reverse("accounts:audit") + "?subject=demo-en"
