"""Somebody who deletes their account is never held back by a row that mentions them, and takes no label along."""

import pytest
from django.apps import apps
from django.db import models

from accounts.models import User
from core.guards import UPDATE, registered

OUR_APPS = {"accounts", "core", "curation", "generation", "annotation", "evaluation"}
PERSONAL = {
    *("accounts.RoleGrant.user", "accounts.ApiToken.user", "curation.ReleaseAccessRequest.user"),
    *("core.Notification.user", "core.MailChoice.user", "core.Delivery.user", "core.KeyedRequest.user"),
}


def mentions() -> list[models.ForeignKey]:
    return [
        field
        for model in apps.get_models()
        if model._meta.app_label in OUR_APPS
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey) and field.related_model is User
    ]


def is_frozen(field: models.ForeignKey) -> bool:
    """Whether a guard keeps this column; one that compares columns (`NEW.x <> OLD.x`) keeps only those it names."""
    rules = [guard.when for guard in registered() if guard.model is field.model and UPDATE in guard.on]
    return any("NEW." not in rule or field.column in rule for rule in rules)


@pytest.mark.parametrize("field", mentions(), ids=str)
def test_a_row_that_mentions_a_person_lets_them_go(field):
    rule = field.remote_field.on_delete
    if is_frozen(field):
        assert rule is models.DO_NOTHING, "a frozen row cannot be set to null when the person leaves"
        assert not field.db_constraint, "the database would refuse to remove the person"
    elif str(field) in PERSONAL:
        assert rule is models.CASCADE, "what belongs to the person alone goes with them"
    else:
        assert rule is models.SET_NULL, "what a person did stays, without them"
        assert field.null
