"""Passwords and codes of the second factor cannot be guessed, and a person with a typo still gets in."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, hotp_value
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters
from django.core.cache import cache
from django.db.models import F
from django.urls import reverse

from accounts.errors import TooManyAttempts
from accounts.models import AuditEvent, Secret, SignInAttempt, User
from accounts.services.sign_in import begin_attempt, network_of
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
CODES = "mfa_authenticate"
TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _stopped_clock() -> Iterator[None]:
    """A code is right for 30 seconds and a lock is told in minutes: neither may end in the middle of a test."""
    with time_machine.travel("2026-03-02T10:00:00Z", tick=False):
        yield


@pytest.fixture
def totp(ana: User) -> str:
    """Ana's second factor."""
    TOTP.activate(ana, TOTP_SECRET)
    return TOTP_SECRET


def right_code(secret: str) -> str:
    return f"{hotp_value(secret, next(iter(counters()))):06d}"


def wrong_codes(secret: str, number: int) -> list[str]:
    right = right_code(secret)
    return [code for code in (f"{guess:06d}" for guess in range(number + 1)) if code != right][:number]


def sign_in(client, password: str = PASSWORD, email: str = "ana@example.org", address: str = "10.0.0.1"):
    return client.post(reverse("account_login"), {"login": email, "password": password}, REMOTE_ADDR=address)


def enter(client, code: str, address: str = "10.0.0.1", page: str = CODES):
    return client.post(reverse(page), {"code": code}, REMOTE_ADDR=address)


def pass_time(**time: int) -> None:
    SignInAttempt.objects.update(at=F("at") - timedelta(**time))


def is_signed_in(client) -> bool:
    return "_auth_user_id" in client.session


def events() -> list[str]:
    return list(AuditEvent.objects.filter(action__startswith="sign_in").order_by("id").values_list("action", flat=True))


# --- codes ------------------------------------------------------------------------------------------------------
def test_400_codes_are_refused_after_the_fifth_and_the_right_one_too_until_the_lock_ends(client, ana, totp):
    sign_in(client)
    statuses = [enter(client, code).status_code for code in wrong_codes(totp, 400)]
    assert statuses == [200] * 4 + [429] * 396

    locked = enter(client, right_code(totp))
    assert locked.status_code == 429
    assert not is_signed_in(client)
    assert (
        "There were too many wrong attempts (code of the second factor). Try again in 15 minutes."
        in locked.content.decode()
    )
    assert 0 < int(locked["Retry-After"]) <= 15 * 60
    assert events() == ["sign_in_failed"] * 5 + ["sign_in_locked"]

    pass_time(minutes=16)
    assert enter(client, right_code(totp)).status_code == 302
    assert is_signed_in(client)


def test_a_new_login_from_another_address_is_no_way_round_the_lock_on_codes(client, ana, totp):
    sign_in(client)
    for code in wrong_codes(totp, 5):
        enter(client, code)
    client.logout()
    sign_in(client, address="10.9.9.9")
    assert enter(client, right_code(totp), address="10.9.9.9").status_code == 429


def test_one_address_cannot_guess_the_codes_of_many_accounts(client, db):
    statuses = []
    for number in range(8):
        person = User.objects.create_user(f"person{number}@example.org", PASSWORD)
        TOTP.activate(person, TOTP_SECRET)
        sign_in(client, email=person.email)
        statuses += [enter(client, code).status_code for code in wrong_codes(TOTP_SECRET, 4)]
        client.logout()
    assert statuses == [200] * 19 + [429] * 13


def test_guessing_a_few_codes_every_quarter_of_an_hour_ends_with_the_limit_of_the_day(client, ana, totp):
    sign_in(client)
    compared = 0
    for _ in range(24 * 4):
        compared += sum(enter(client, code).status_code == 200 for code in wrong_codes(totp, 4))
        pass_time(minutes=16)
    assert compared < 4 * 24, "384 guesses a day would be let through by the limit of 15 minutes alone"


def test_recovery_codes_count_with_the_codes_of_the_app(client, ana, totp):
    recovery = RecoveryCodes.activate(ana).get_unused_codes()
    sign_in(client)
    for code in [*wrong_codes(totp, 3), "aaaaaaaa", "bbbbbbbb"]:
        enter(client, code)
    assert enter(client, recovery[0]).status_code == 429
    pass_time(minutes=16)
    assert enter(client, recovery[0]).status_code == 302


def test_two_typos_are_forgiven_and_forgotten(client, ana, totp):
    for _ in range(3):
        sign_in(client, "a typo")
        sign_in(client)
        for code in wrong_codes(totp, 2):
            assert enter(client, code).status_code == 200
        assert enter(client, right_code(totp)).status_code == 302
        assert is_signed_in(client)
        client.logout()
        cache.clear()  # allauth refuses the same code twice
    assert not SignInAttempt.objects.failed().exists()


def test_codes_and_passwords_that_confirm_a_signed_in_person_count_too(client, ana, totp):
    client.force_login(ana)
    statuses = [enter(client, code, page="mfa_reauthenticate").status_code for code in wrong_codes(totp, 8)]
    assert statuses == [200] * 4 + [429] * 4

    cache.clear()  # allauth's own pace is 10 confirmations a minute
    url = reverse("account_reauthenticate")
    assert [client.post(url, {"password": "wrong"}).status_code for _ in range(7)] == [200] * 4 + [429] * 3
    assert client.post(url, {"password": PASSWORD}).status_code == 429


def test_the_old_password_cannot_be_guessed_where_it_is_changed(client, ana):
    client.force_login(ana)
    new = {"password1": "another long password", "password2": "another long password"}
    url = reverse("account_change_password")
    statuses = [client.post(url, {"oldpassword": f"wrong {number}", **new}).status_code for number in range(5)]
    assert statuses == [200] * 4 + [429]
    assert client.post(url, {"oldpassword": PASSWORD, **new}).status_code == 429
    ana.refresh_from_db()
    assert ana.check_password(PASSWORD)


# --- passwords --------------------------------------------------------------------------------------------------
def test_twelve_addresses_that_guess_one_account_are_refused_together(client, ana):
    statuses = [
        sign_in(client, "wrong", address=f"10.0.{address}.1").status_code for _ in range(4) for address in range(12)
    ]
    assert statuses == [200] * 19 + [429] * 29
    assert sign_in(client, address="10.7.7.7").status_code == 429
    pass_time(minutes=16)
    assert sign_in(client, address="10.7.7.7").status_code == 302


def test_strangers_do_not_lock_the_owner_out_of_an_address_the_owner_signed_in_from(client, ana):
    sign_in(client, address="10.1.1.1")
    client.logout()
    for address in range(30):
        sign_in(client, "wrong", address=f"10.0.{address}.1")
    assert sign_in(client, address="10.2.2.2").status_code == 429
    assert sign_in(client, address="10.1.1.1").status_code == 302


def test_one_ipv6_customer_is_one_address(client, ana):
    statuses = [sign_in(client, "wrong", address=f"2001:db8:1:2::{number:x}").status_code for number in range(1, 8)]
    assert statuses == [200] * 4 + [429] * 3
    assert sign_in(client, address="2001:db8:1:3::1").status_code == 302


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_what_counts_as_one_address(address, counted):
    assert network_of(address) == counted


def test_one_address_cannot_try_one_password_on_many_accounts(client, ana):
    statuses = [sign_in(client, "password1", email=f"person{number}@example.org").status_code for number in range(60)]
    assert statuses[:29] == [200] * 29  # allauth's own pace (30 logins a minute) comes first
    pass_time(minutes=1)
    for number in range(60):
        cache.clear()
        statuses.append(sign_in(client, "password1", email=f"other{number}@example.org").status_code)
    assert statuses[-1] == 429
    cache.clear()
    assert sign_in(client).status_code == 429, "the address is locked for every account"
    assert sign_in(client, address="10.3.3.3").status_code == 302


def test_signing_in_to_an_own_account_clears_no_failures_on_another(client, ana, vic):
    for _ in range(4):
        sign_in(client, "wrong")
    sign_in(client, email=vic.email)
    client.logout()
    assert sign_in(client, "wrong").status_code == 429


def test_accounts_that_do_not_exist_are_locked_and_recorded_in_the_same_way(client, ana):
    def tries(email: str, address: str) -> list[object]:
        before = len(events())
        answers = [sign_in(client, "wrong", email=email, address=address) for _ in range(6)]
        secrets = r'csrf\S+ (value|content)="\w+|ana@|nobody@'
        pages = [re.sub(secrets, "", one.content.decode()) for one in answers]
        return [*((one.status_code, page) for one, page in zip(answers, pages, strict=True)), *events()[before:]]

    assert tries("ana@example.org", "10.0.0.1") == tries("nobody@example.org", "10.0.0.2")
    assert "nobody" not in str(AuditEvent.objects.values_list("facts", "subject_key", "actor_name"))


def test_a_lock_outlives_the_cache(client, ana):
    for _ in range(5):
        sign_in(client, "wrong")
    cache.clear()
    assert sign_in(client).status_code == 429


def test_guesses_that_are_still_being_compared_count_already(ana):
    for _ in range(5):
        begin_attempt(Secret.CODE, account=ana.email, address="10.0.0.1")
    with pytest.raises(TooManyAttempts):
        begin_attempt(Secret.CODE, account=ana.email, address="10.0.0.1")
