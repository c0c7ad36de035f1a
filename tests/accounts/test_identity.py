"""What holds when an account is in the wrong hands: confirmation, suspension, limits, the audit log, and erasure."""

from datetime import timedelta

import pytest
import time_machine
from django.apps import apps
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.errors import LastAdministrator, NotAllowed
from accounts.models import Action, ApiToken, AuditEvent, Invitation, RoleGrant, RoleName, Scope, User
from accounts.services import audit, invitations, people, tokens
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def later(minutes: int = 16):
    return time_machine.travel(timezone.now() + timedelta(minutes=minutes))


def log_in(client: Client, email: str = "ana@example.org", password: str = PASSWORD):
    return client.post(reverse("account_login"), {"login": email, "password": password}, REMOTE_ADDR="10.0.0.7")


class TestConfirmation:
    def test_a_grant_waits_for_the_password_and_is_made_after_it(self, mira, ana):
        client, address = signed_in(mira), reverse("accounts:grant", args=[ana.pk])
        with later():
            asked = client.post(address, {"role": "expert", "language": ""})
            assert asked.status_code == 302
            assert "reauthenticate" in asked["Location"]
            assert not ana.grants.filter(role="expert").exists()
            client.post(asked["Location"], {"password": PASSWORD})
        assert ana.grants.filter(role="expert").exists()

    def test_a_session_of_a_moment_ago_is_not_asked(self, mira, ana):
        answer = signed_in(mira).post(reverse("accounts:grant", args=[ana.pk]), {"role": "expert", "language": ""})
        assert "reauthenticate" not in answer["Location"]
        assert ana.grants.filter(role="expert").exists()

    @pytest.mark.parametrize("route", ["accounts:tokens", "accounts:invitations"])
    def test_secrets_are_given_out_after_confirmation_only(self, mira, route):
        client = signed_in(mira)
        facts = {"name": "x", "scope": "read", "days": "30", "role": "expert", "language": ""}
        with later():
            assert client.get(reverse(route)).status_code == 200
            assert "reauthenticate" in client.post(reverse(route), facts)["Location"]
        assert not ApiToken.objects.exists()
        assert not Invitation.objects.exists()

    def test_no_token_invites_or_grants(self, mira, ana):
        _, secret = tokens.create_token(mira, name="ci", scope=Scope.WRITE)
        headers = {"HTTP_AUTHORIZATION": f"Bearer {secret}", "content_type": "application/json"}
        role = {"role": "maintainer", "language": ""}
        assert Client().post("/api/v1/invitations/", role, **headers).status_code == 403
        assert Client().post(f"/api/v1/people/{ana.pk}/grant/", role, **headers).status_code == 403
        assert not Invitation.objects.exists()
        assert not RoleGrant.objects.filter(user=ana, role=RoleName.MAINTAINER).exists()


class TestSuspension:
    def test_a_suspended_person_is_out_at_once(self, admin, ana):
        browser = signed_in(ana)
        _, secret = tokens.create_token(ana, name="ci", scope=Scope.READ)
        signed_in(admin).post(reverse("accounts:suspend", args=[ana.pk]))
        assert browser.get(reverse("accounts:settings")).status_code == 302
        assert Client().get("/api/v1/me/", HTTP_AUTHORIZATION=f"Bearer {secret}").status_code == 401
        log_in(client := Client())
        assert "_auth_user_id" not in client.session

    def test_a_reinstated_person_signs_in_and_old_tokens_stay_revoked(self, admin, ana):
        tokens.create_token(ana, name="ci", scope=Scope.READ)
        people.suspend(ana, by=admin)
        people.reinstate(ana, by=admin)
        log_in(client := Client())
        assert "_auth_user_id" in client.session
        assert ApiToken.objects.get().standing == "revoked"

    def test_ended_sessions_are_over_and_the_password_still_works(self, admin, ana):
        browser = signed_in(ana)
        signed_in(admin).post(reverse("accounts:end-sessions", args=[ana.pk]))
        assert browser.get(reverse("accounts:settings")).status_code == 302
        log_in(browser)
        assert browser.get(reverse("accounts:settings")).status_code == 200

    def test_only_administrators_suspend_and_never_the_last_one_or_themselves(self, mira, admin, ana):
        assert signed_in(mira).post(reverse("accounts:suspend", args=[ana.pk])).status_code == 403
        with pytest.raises(NotAllowed):
            people.suspend(admin, by=admin)
        other = User.objects.create_superuser("other@example.org", PASSWORD)
        User.objects.filter(pk=other.pk).update(is_active=False)
        with pytest.raises(LastAdministrator):
            people.suspend(admin, by=other)

    def test_administrators_revoke_the_token_of_another_person_and_maintainers_do_not(self, admin, mira, ana):
        token, _ = tokens.create_token(ana, name="leaked", scope=Scope.WRITE)
        address = reverse("accounts:revoke-of", args=[ana.pk, token.pk])
        assert signed_in(mira).post(address).status_code == 403
        page = signed_in(admin)
        assert "leaked" in page.get(reverse("accounts:person", args=[ana.pk])).content.decode()
        page.post(address)
        assert ApiToken.objects.get().standing == "revoked"
        event = AuditEvent.objects.get(action=Action.TOKEN_REVOKED)
        assert (event.actor, event.facts) == (admin, {"owner": ana.pseudonym})


class TestLimits:
    def test_password_resets_are_limited_per_account_whether_it_exists_or_not(self, ana):
        for email in ("ana@example.org", "unknown@example.org"):
            answers = [
                Client().post(reverse("account_reset_password"), {"email": email}, REMOTE_ADDR=f"10.1.0.{n}")
                for n in range(6)
            ]
            assert [answer.status_code for answer in answers] == [302] * 5 + [429]

    def test_guesses_of_invitation_links_are_limited_per_address(self, mira):
        _, secret = invitations.invite(role=RoleName.EXPERT, by=mira)
        guess = reverse("accounts:accept", args=["inv_guess"])
        answers = {Client().get(guess, REMOTE_ADDR="10.2.0.1").status_code for _ in range(20)}
        assert answers == {410}
        assert Client().get(guess, REMOTE_ADDR="10.2.0.1").status_code == 429
        assert Client().get(reverse("accounts:accept", args=[secret]), REMOTE_ADDR="10.2.0.2").status_code == 200

    def test_the_owner_is_told_of_a_lock_by_mail(self, ana):
        for _ in range(6):
            log_in(Client(), password="wrong")
        [told] = mail.outbox
        assert told.to == ["ana@example.org"]
        assert "locked" in told.subject


class TestAudit:
    def test_a_sign_in_is_recorded_with_address_and_request(self, ana):
        Client().post(
            reverse("account_login"),
            {"login": ana.email, "password": PASSWORD},
            REMOTE_ADDR="10.0.0.7",
            HTTP_X_REQUEST_ID="request-0001",
        )
        event = AuditEvent.objects.get(action=Action.SIGNED_IN)
        assert (event.actor, event.facts, event.request_id) == (ana, {"address": "10.0.0.7"}, "request-0001")

    def test_a_failed_sign_in_has_an_address(self, ana):
        log_in(Client(), password="wrong")
        facts = AuditEvent.objects.get(action=Action.SIGN_IN_FAILED).facts
        assert facts == {"secret": "password", "address": "10.0.0.7"}

    def test_a_changed_password_is_recorded(self, ana):
        log_in(client := Client())
        new = "another long enough password"
        client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
        assert AuditEvent.objects.get(action=Action.CREDENTIALS_CHANGED).facts["what"] == "password_changed"


def whole_database() -> str:
    """Return every cell of every table as text."""
    with connection.cursor() as cursor:
        cells = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            cells += [f"{table}: {row}" for row in cursor.fetchall()]
    return "\n".join(cells)


def test_nothing_in_the_database_names_an_erased_person(admin):
    person = User.objects.create_user("zelda.quux@example.org", PASSWORD, name="Zelda Quux")
    people.grant_role(person, RoleName.EXPERT, by=admin)
    invitations.invite(role=RoleName.EXPERT, email=person.email, by=admin)
    tokens.create_token(person, name="ci", scope=Scope.READ)
    log_in(client := Client(), person.email)
    log_in(Client(), person.email, "wrong")
    client.post(reverse("account_reset_password"), {"email": person.email})
    audit.record(person, Action.SUITE_CHANGED, "suite")
    old = apps.get_model("axes", "AccessAttempt")
    old.objects.bulk_create([old(username=person.email, ip_address="10.0.0.1", failures_since_start=1)])
    assert "Zelda" in whole_database()
    assert "zelda.quux" in whole_database()
    call_command("erase_person", person.email)
    found = [line for line in whole_database().splitlines() if "zelda" in line.lower() or "quux" in line.lower()]
    assert found == []
    assert AuditEvent.objects.get(action=Action.SUITE_CHANGED).who == person.pseudonym


def test_the_audit_log_shows_names_while_the_account_exists(mira, ana):
    audit.record(ana, Action.SUITE_CHANGED, "suite")
    page = signed_in(mira)
    assert "Ana" in page.get(reverse("accounts:audit"), {"who": "ana"}).content.decode()
    pseudonym = ana.pseudonym
    people.delete_person(ana, by=mira)
    shown = page.get(reverse("accounts:audit"), {"who": "ana@"}).content.decode()
    assert pseudonym not in shown
