"""Maintainers act in the whole instance: their role is given, invited and shown without a language."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.errors import RoleTakesNoLanguage
from accounts.models import Invitation, RoleGrant, RoleName, User
from accounts.services import invitations, people
from config.demo import DEMO_PEOPLE
from curation.models import Language


@pytest.fixture
def german(db) -> Language:
    return Language.objects.create(code="de", bcp47="de", name="German")


def test_a_maintainer_is_given_no_language(mira, vic, german):
    with pytest.raises(RoleTakesNoLanguage, match="whole instance"):
        people.grant_role(vic, RoleName.MAINTAINER, language="de", by=mira)
    with pytest.raises(RoleTakesNoLanguage, match="takes no language"):
        invitations.invite(role=RoleName.MAINTAINER, language="de", by=mira)
    assert not vic.grants.exists()
    assert not Invitation.objects.exists()
    assert str(people.grant_role(vic, RoleName.MAINTAINER, by=mira)) == "Maintainer (whole instance)"


def test_pages_refuse_a_language_beside_the_field_and_show_the_whole_instance(client, mira, vic, german):
    client.force_login(mira)
    for address in (reverse("accounts:grant", args=[vic.pk]), reverse("accounts:invitations")):
        refused = client.post(address, {"role": "maintainer", "language": "de"})
        assert refused.status_code == 422
        assert "takes no language" in refused.content.decode()
        assert client.post(address, {"role": "maintainer", "language": ""}).status_code in (200, 302)
    for page in (reverse("accounts:people"), reverse("accounts:invitations"), reverse("accounts:settings")):
        assert "Maintainer (whole instance)" in client.get(page).content.decode()
    assert "whole instance" in client.get(reverse("accounts:person", args=[vic.pk])).content.decode()


def test_the_api_refuses_a_language_for_a_maintainer(mira, vic, german):
    api = APIClient()
    api.force_login(mira)
    for address in (f"/api/v1/people/{vic.pk}/grant/", "/api/v1/invitations/"):
        refused = api.post(address, {"role": "maintainer", "language": "de"}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_input")
        assert "language" in refused.json()["fields"]
        assert api.post(address, {"role": "maintainer"}, format="json").status_code in (200, 201)


def test_the_demo_names_its_maintainer_for_the_whole_instance():
    assert "Mira, maintainer (whole instance)" in [person.what for person in DEMO_PEOPLE]


@pytest.mark.django_db(transaction=True)
def test_grants_from_before_become_one_for_the_whole_instance(monkeypatch):
    rules = RoleGrant._meta.constraints
    rule = next(one for one in rules if one.name == "maintainers_have_no_language")
    monkeypatch.setattr(RoleGrant._meta, "constraints", [one for one in rules if one is not rule])
    with connection.schema_editor() as editor:
        editor.remove_constraint(RoleGrant, rule)
    both, one = (User.objects.create_user(f"{name}@example.org") for name in ("both", "one"))
    for user, role, language in [
        (both, "maintainer", "en"), (both, "maintainer", ""), (both, "expert", "de"),
        (one, "maintainer", "fr"), (one, "maintainer", "de"), (one, "annotator", "fr"),
    ]:  # fmt: skip
        RoleGrant.objects.create(user=user, role=role, language=language)
    import_module("accounts.migrations.0004_maintainers_have_no_language").widen_maintainers(apps, None)
    monkeypatch.undo()
    with connection.schema_editor() as editor:
        editor.add_constraint(RoleGrant, rule)
    assert sorted(RoleGrant.objects.values_list("user__email", "role", "language")) == [
        ("both@example.org", "expert", "de"),
        ("both@example.org", "maintainer", ""),
        ("one@example.org", "annotator", "fr"),
        ("one@example.org", "maintainer", ""),
    ]
    assert all(user.is_maintainer for user in User.objects.all())
