"""What the database itself refuses, whoever asks and however: objects, bulk calls, SQL. On SQLite and PostgreSQL."""

from collections.abc import Callable

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction

from accounts.models import Action, AuditEvent, User
from accounts.services import audit, people
from core import guards as database_guards
from curation.authoring.models import Template, TemplateVersion, VersionState
from curation.catalogue.models import Functionality, FunctionalityClass
from curation.models import (
    CaseVerdict,
    Language,
    Release,
    ReleaseCase,
    ReleaseIdentifier,
    ReleaseWithdrawal,
    Suite,
    TemplateVariant,
)
from curation.releases.models import ReleaseExclusion, ReleaseState

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(db) -> Suite:
    return Suite.objects.create(key="small", name="Small")


def release_case(release: Release, number: int) -> ReleaseCase:
    return ReleaseCase(
        release=release,
        position=number,
        key=f"case-{number}",
        language="en",
        functionality="greeting",
        text="Hello.",
        label="non-hateful",
        origin="template",
        text_hash="0" * 32,
        sha256="0" * 64,
    )


def make_release(suite: Suite, version: str, *, state: str, by: User | None = None) -> Release:
    """A release with one case and one exclusion, moved to its state at the end as services do."""
    release = Release.objects.create(suite=suite, version=version, min_agree=4, sha256="0" * 64, created_by=by)
    release_case(release, 1).save()
    ReleaseExclusion.objects.create(
        release=release, key="case-9", language="en", functionality="greeting", text="Hm.", reason="disagreement"
    )
    Release.objects.filter(pk=release.pk).update(state=state, published_by=by)
    release.refresh_from_db()
    return release


@pytest.fixture
def published(suite, mira) -> Release:
    return make_release(suite, "1.0", state=ReleaseState.PUBLISHED, by=mira)


@pytest.fixture
def candidate(suite) -> Release:
    return make_release(suite, "1.1", state=ReleaseState.CANDIDATE)


def make_version(suite: Suite, *, state: str, author: User | None = None, number: int = 1) -> TemplateVersion:
    language, _ = Language.objects.get_or_create(code="en", defaults={"bcp47": "en", "name": "English"})
    group, _ = FunctionalityClass.objects.get_or_create(key="plain", defaults={"title": "Plain"})
    functionality, _ = Functionality.objects.get_or_create(
        key="greeting", defaults={"title": "Greeting", "functionality_class": group, "gold_label": "non-hateful"}
    )
    template, _ = Template.objects.get_or_create(suite=suite, language=language, key="t1", functionality=functionality)
    version = TemplateVersion.objects.create(template=template, number=number, author=author)
    TemplateVariant.objects.create(version=version, text="Hello, {identity}.")
    TemplateVersion.objects.filter(pk=version.pk).update(state=state)
    version.refresh_from_db()
    return version


@pytest.fixture
def approved(suite, emil) -> TemplateVersion:
    return make_version(suite, state=VersionState.APPROVED, author=emil)


@pytest.fixture
def verdict(approved, suite) -> CaseVerdict:
    template = approved.template
    case = suite.cases.create(
        language=template.language,
        functionality=template.functionality,
        key="case-1",
        text="Hello.",
        gold_label="hateful",
        origin="template",
        text_hash="0" * 32,
        identity_hash="0" * 32,
    )
    return CaseVerdict.objects.create(case=case, source="campaign:c", raters=5, agreeing=5)


def assert_refused(says: str, step: Callable[[], object]) -> None:
    with pytest.raises(DatabaseError, match=says), transaction.atomic():
        step()


def run_sql(statement: str, row: models.Model) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement.format(table=row._meta.db_table), [row.pk])
        return cursor.rowcount


def assert_frozen(row: models.Model, field: str, value: object, says: str) -> None:
    """No way to change or delete the row: not as an object, not in bulk, not by SQL."""
    rows = type(row)._default_manager.filter(pk=row.pk)
    setattr(row, field, value)
    assert_refused(says, row.save)
    assert_refused(says, lambda: rows.update(**{field: value}))
    assert_refused(says, lambda: type(row)._default_manager.bulk_update([row], [field]))
    assert_refused(says, lambda: run_sql(f'UPDATE "{{table}}" SET "{field}" = "{field}" WHERE id = %s', row))
    assert_refused(says, lambda: rows._raw_delete(rows.db))
    assert_refused(says, lambda: run_sql('DELETE FROM "{table}" WHERE id = %s', row))
    assert getattr(rows.get(), field) != value


def test_a_published_release_cannot_change(published):
    assert_frozen(published, "notes", "rewritten", "the release is published: it cannot change")
    assert_refused("it cannot change", lambda: Release.objects.filter(pk=published.pk).update(state="draft"))


def test_the_cases_of_a_published_release_cannot_change(published):
    assert_frozen(published.cases.get(), "text", "Goodbye.", "its cases cannot change")


def test_the_exclusions_of_a_published_release_cannot_change(published):
    assert_frozen(published.exclusions.get(), "reason", "withdrawn", "its exclusions cannot change")


def test_a_published_release_takes_no_more_cases(published, candidate):
    says = "its cases cannot change"
    assert_refused(says, release_case(published, 2).save)
    assert_refused(says, lambda: ReleaseCase.objects.bulk_create([release_case(published, 2)]))
    moved = candidate.cases.get()
    ReleaseCase.objects.filter(pk=moved.pk).update(key="case-2", position=2)
    assert_refused(says, lambda: ReleaseCase.objects.filter(pk=moved.pk).update(release=published))
    assert published.cases.count() == 1


def test_a_candidate_can_still_change(candidate):
    candidate.cases.update(text="Goodbye.")
    candidate.cases.all().delete()
    candidate.exclusions.all().delete()
    candidate.delete()
    assert not Release.objects.exists()


def test_a_withdrawal_stays_as_it_was_written(published, mira):
    withdrawal = ReleaseWithdrawal.objects.create(release=published, reason="A label is wrong.", withdrawn_by=mira)
    assert_frozen(withdrawal, "reason", "no reason", "a withdrawal stays")


def test_the_identifier_of_a_release_cannot_be_changed(published, mira):
    identifier = ReleaseIdentifier.objects.create(release=published, doi="10.1/a", recorded_by=mira)
    assert_frozen(identifier, "doi", "10.1/b", "record another one")


def test_a_verdict_cannot_change_and_a_new_one_can_be_added(verdict):
    assert_frozen(verdict, "agreeing", 1, "verdicts are never changed")
    CaseVerdict.objects.create(case=verdict.case, source="campaign:d", raters=5, agreeing=1)
    assert verdict.case.verdicts.count() == 2


def test_an_approved_wording_cannot_change(approved):
    says = "an approved wording never changes"
    assert_frozen(approved.variants.get(), "text", "Goodbye.", says)
    assert_refused(says, lambda: TemplateVariant.objects.create(version=approved, features="Gender=Fem", text="Hi."))


def test_an_approved_version_cannot_be_reopened_to_change_its_wording(approved):
    says = "an approved wording never changes"
    version = TemplateVersion.objects.filter(pk=approved.pk)
    assert_refused(says, lambda: version.update(state="draft"))
    assert_refused(says, lambda: version.update(defaults="Case=Dat"))
    assert_refused(says, lambda: version.update(number=7))
    version.update(state=VersionState.SUPERSEDED)
    assert_refused(says, lambda: version.update(state="draft"))


def test_a_wording_cannot_be_moved_into_an_approved_version(suite, approved):
    draft = make_version(suite, state=VersionState.DRAFT, number=2)
    variant = TemplateVariant.objects.filter(version=draft)
    variant.update(features="Gender=Fem", text="Changed.")  # a draft is free
    assert_refused("an approved wording never changes", lambda: variant.update(version=approved))


def test_the_audit_log_is_append_only(mira):
    event = audit.record(mira, Action.SUITE_CHANGED, "suite")
    assert_frozen(event, "actor_name", "nobody", "the audit log is append-only")
    audit.record(mira, Action.SUITE_CHANGED, "suite")
    assert AuditEvent.objects.count() == 2


def test_an_action_nobody_declared_is_refused(mira):
    assert_refused("known_action", lambda: AuditEvent.objects.create(action="painted", subject_kind="x"))


def test_a_person_can_be_deleted_although_frozen_rows_mention_them(published, approved, verdict, mira, emil, admin):
    ReleaseWithdrawal.objects.create(release=published, reason="A label is wrong.", withdrawn_by=mira)
    audit.record(mira, Action.RELEASE_PUBLISHED, published)
    audit.record(emil, Action.TEMPLATE_CHANGED, "template")
    people.delete_person(mira, by=mira)
    people.delete_person(emil, by=admin)
    published.refresh_from_db()
    assert published.published_by_id is not None  # the number stays, the person behind it is gone
    assert not User.objects.filter(pk=published.published_by_id).exists()
    approved.refresh_from_db()
    assert approved.author is None
    assert AuditEvent.objects.filter(actor_id=published.published_by_id, action="release_published").count() == 1


def test_no_declared_guard_is_missing_and_readiness_sees_one_that_is(client):
    assert database_guards.missing_guards(connection) == set()
    name, table = next(iter(database_guards.installed(connection).items()))
    on = f' ON "{table}"' if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TRIGGER "{name}"{on}')
    assert database_guards.missing_guards(connection) == {name}
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["guards"] == "1 guards are missing; run manage.py migrate"
    database_guards.install_guards(connection)
    assert database_guards.missing_guards(connection) == set()


def test_migrating_mends_missing_guards_and_is_not_stopped_by_them():
    name, table = next(iter(database_guards.installed(connection).items()))
    on = f' ON "{table}"' if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TRIGGER "{name}"{on}')
    assert [found.id for found in run_checks(tags=["database"], databases=["default"])] == ["core.W001"]
    call_command("migrate", verbosity=0, skip_checks=False)
    assert database_guards.missing_guards(connection) == set()


def test_a_rule_that_changed_is_noticed_as_missing():
    before = database_guards.Guard(Release, (database_guards.UPDATE,), "{row}.state = 'published'", "no")
    after = database_guards.Guard(Release, (database_guards.UPDATE,), "{row}.state = 'candidate'", "no")
    assert before.name("UPDATE") != after.name("UPDATE")


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no TRUNCATE")
def test_no_table_with_frozen_rows_can_be_emptied(published):
    for model in (ReleaseCase, ReleaseExclusion, AuditEvent):
        AuditEvent.objects.create(action=Action.RELEASE_PUBLISHED, subject_kind="release", subject_key="small@1.0")
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f'TRUNCATE "{model._meta.db_table}" CASCADE')
    assert published.cases.count() == 1


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no TRUNCATE")
def test_a_table_without_frozen_rows_can_be_emptied(candidate):
    with connection.cursor() as cursor:
        cursor.execute(f'SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE "{ReleaseExclusion._meta.db_table}"')
    assert not ReleaseExclusion.objects.exists()
