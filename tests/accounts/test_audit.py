"""Writing the audit log."""

import pytest
from django.db import transaction

from accounts.models import Action, AuditEvent
from accounts.request_id import request_id
from accounts.services import audit
from curation.models import Suite

pytestmark = pytest.mark.django_db


def test_an_entry_names_actor_action_subject_and_facts(mira):
    suite = Suite.objects.create(key="small", name="Small")
    event = audit.record(mira, Action.SUITE_CHANGED, suite, field="name")
    assert (event.actor, event.who, event.subject_kind, event.subject_key) == (mira, "Mira", "suite", "small")
    assert event.facts == {"field": "name"}


def test_the_system_has_no_person(db):
    assert audit.record(None, Action.CASES_GENERATED, "suite").who == "system"


def test_an_entry_carries_the_id_of_its_request(client, mira):
    client.force_login(mira)
    facts = {"name": "x", "scope": "read", "days": "30"}
    client.post("/account/tokens/", facts, headers={"X-Request-ID": "from-the-proxy-1"})
    assert AuditEvent.objects.get().request_id == "from-the-proxy-1"


def test_outside_of_a_request_there_is_no_id(mira):
    assert request_id.get() == "-"
    assert audit.record(mira, Action.SUITE_CHANGED, "suite").request_id == ""


def test_entries_about_a_thing_are_found(mira):
    suite = Suite.objects.create(key="small", name="Small")
    mine = audit.record(mira, Action.SUITE_CHANGED, suite)
    audit.record(mira, Action.SUITE_CHANGED, "suite")
    assert list(AuditEvent.objects.about("suite", "small")) == [mine]


def test_what_is_rolled_back_is_not_told_in_the_log(monkeypatch, django_capture_on_commit_callbacks):
    told = []
    monkeypatch.setattr(audit.log, "info", lambda event, **facts: told.append(event), raising=False)
    with django_capture_on_commit_callbacks(execute=True):
        with transaction.atomic():
            audit.record(None, Action.SUITE_IMPORTED, "suite")
            transaction.set_rollback(True)
        audit.record(None, Action.CASES_GENERATED, "suite")
    assert told == ["cases_generated"]
