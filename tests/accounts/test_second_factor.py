"""Second factors: who must have one, and passkeys that are no passkeys."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import Action, AuditEvent, Scope
from accounts.services import tokens
from config.environment import WrongSetting, words
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
SETUP = "/account/2fa/"


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def confirmed(user) -> Client:
    client = signed_in(user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


@pytest.fixture
def for_maintainers(settings):
    settings.SECOND_FACTOR_ROLES = ["maintainer", "administrator"]


class TestEnforced:
    @pytest.mark.parametrize("path", ["/", "/releases/", "/account/settings/", "/account/tokens/", "/suites/"])
    def test_nothing_opens_before_it_is_set_up(self, for_maintainers, mira, path):
        answer = signed_in(mira).get(path)
        assert (answer.status_code, answer["Location"]) == (302, SETUP)

    def test_forms_and_the_api_of_the_session_are_closed_too(self, for_maintainers, mira, ana):
        client = signed_in(mira)
        assert client.post(reverse("accounts:grant", args=[ana.pk]), {"role": "expert"})["Location"] == SETUP
        refused = client.get("/api/v1/people/")
        assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_needed")
        assert not ana.grants.filter(role="expert").exists()

    def test_a_token_waits_for_the_factor_of_its_owner(self, for_maintainers, mira):
        _, secret = tokens.create_token(mira, name="ci", scope=Scope.READ)
        api = APIClient()
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        refused = api.get("/api/v1/me/")
        assert (refused.status_code, refused.json()["code"]) == (403, "second_factor_needed")
        TOTP.activate(mira, generate_totp_secret())
        assert api.get("/api/v1/me/").status_code == 200

    def test_the_page_says_why_and_leads_through(self, for_maintainers, mira):
        client = confirmed(mira)
        assert "Your role needs a second factor" in client.get(SETUP).content.decode()
        assert client.get(reverse("mfa_activate_totp")).status_code == 200
        assert client.get(reverse("mfa_add_webauthn")).status_code == 200
        TOTP.activate(mira, generate_totp_secret())
        assert client.get("/account/settings/").status_code == 200
        assert "Your role needs" not in client.get(SETUP).content.decode()

    def test_it_is_needed_again_once_it_is_gone(self, for_maintainers, mira):
        factor = TOTP.activate(mira, generate_totp_secret()).instance
        client = signed_in(mira)
        assert client.get("/account/settings/").status_code == 200
        factor.delete()
        assert client.get("/account/settings/")["Location"] == SETUP

    def test_administrators_are_a_role_of_their_own(self, settings, admin, mira):
        settings.SECOND_FACTOR_ROLES = ["administrator"]
        assert signed_in(admin).get("/account/settings/")["Location"] == SETUP
        assert signed_in(mira).get("/account/settings/").status_code == 200

    def test_other_roles_and_visitors_notice_nothing(self, for_maintainers, ana, emil):
        for client in (signed_in(ana), signed_in(emil), Client()):
            assert client.get("/").status_code == 200

    def test_people_can_leave_instead(self, for_maintainers, mira):
        client = signed_in(mira)
        client.post(reverse("account_logout"))
        assert "_auth_user_id" not in client.session

    def test_single_sign_on_is_the_business_of_its_provider(self, for_maintainers, mira):
        client = signed_in(mira)
        session = client.session
        session["account_authentication_methods"][0]["method"] = "socialaccount"
        session.save()
        assert client.get("/account/settings/").status_code == 200

    def test_an_unknown_role_in_the_setting_stops_the_start(self, monkeypatch):
        monkeypatch.setenv("SECOND_FACTOR_ROLES", "maintainer, king")
        with pytest.raises(WrongSetting, match="has 'king'"):
            words("SECOND_FACTOR_ROLES", allowed=("maintainer", "administrator"))


NO_PASSKEYS = [
    "", "x", "[]", "{}", '"x"', "null", '{"id": 1}', '{"id": "a", "rawId": "b", "type": "public-key", "response": {}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "e30", "authenticatorData": "AA",'
    ' "signature": "AA", "userHandle": "AA"}}',
]  # fmt: skip


class TestPasskeys:
    @pytest.mark.parametrize("credential", NO_PASSKEYS)
    def test_what_is_no_passkey_signs_nobody_in_and_is_recorded(self, ana, credential):
        client = Client()
        client.get(reverse("mfa_login_webauthn"), HTTP_ACCEPT="application/json")
        answer = client.post(reverse("mfa_login_webauthn"), {"credential": credential}, REMOTE_ADDR="10.0.0.9")
        assert (answer.status_code, answer["Location"]) == (302, reverse("account_login"))
        assert "_auth_user_id" not in client.session

    @pytest.mark.parametrize("credential", NO_PASSKEYS)
    def test_nor_is_it_a_second_factor_or_a_new_key(self, ana, credential):
        confirmed(ana).post(reverse("mfa_add_webauthn"), {"name": "x", "credential": credential})
        assert not Authenticator.objects.exists()
        TOTP.activate(ana, generate_totp_secret())
        client = Client()
        client.post(reverse("account_login"), {"login": ana.email, "password": PASSWORD})
        assert client.post(reverse("mfa_authenticate"), {"credential": credential}).status_code == 200
        assert "_auth_user_id" not in client.session

    def test_a_refused_passkey_is_in_the_audit_log_with_address_and_request(self, ana):
        client = Client()
        client.get(reverse("mfa_login_webauthn"), HTTP_ACCEPT="application/json")
        client.post(
            reverse("mfa_login_webauthn"),
            {"credential": NO_PASSKEYS[-1]},
            REMOTE_ADDR="10.0.0.9",
            HTTP_X_REQUEST_ID="request-0009",
        )
        event = AuditEvent.objects.get(action=Action.SIGN_IN_FAILED)
        assert (event.facts, event.request_id) == ({"secret": "passkey", "address": "10.0.0.9"}, "request-0009")


class TestAudit:
    def events(self) -> dict[str, tuple[str, str]]:
        changed = AuditEvent.objects.filter(action=Action.CREDENTIALS_CHANGED)
        return {event.facts["what"]: (event.facts["address"], event.request_id) for event in changed}

    @pytest.mark.django_db(transaction=True)
    def test_a_second_factor_that_comes_and_goes_is_recorded(self, ana):
        client = confirmed(ana)
        where = {"REMOTE_ADDR": "10.0.0.7", "HTTP_X_REQUEST_ID": "request-2fa1"}
        client.get(reverse("mfa_activate_totp"))
        code = totp_code(client.session["mfa.totp.secret"])
        client.post(reverse("mfa_activate_totp"), {"code": code}, **where)
        client.post(reverse("mfa_deactivate_totp"), {}, **where)
        expected = ("totp_activated", "totp_deactivated")
        assert self.events() == dict.fromkeys(expected, ("10.0.0.7", "request-2fa1"))

    def test_a_changed_address_is_recorded(self, ana, mailoutbox):
        where = {"REMOTE_ADDR": "10.0.0.7", "HTTP_X_REQUEST_ID": "request-mail"}
        client = signed_in(ana)
        client.post(reverse("account_email"), {"action_add": "", "email": "new@example.org"}, **where)
        [link] = [word for word in mailoutbox[-1].body.split() if "confirm-email" in word]
        client.post(link.partition("testserver")[2] or link, {}, **where)
        told = {"action_primary": "", "email": "new@example.org"}
        client.post(reverse("account_email"), told, **where)
        ana.refresh_from_db()
        assert ana.email == "new@example.org"
        assert self.events()["email_changed"] == ("10.0.0.7", "request-mail")


def totp_code(secret: str) -> str:
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time

    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))


def test_second_factors_go_with_the_person(mira, ana):
    TOTP.activate(ana, generate_totp_secret())
    call_command("erase_person", ana.email)
    assert not Authenticator.objects.exists()
