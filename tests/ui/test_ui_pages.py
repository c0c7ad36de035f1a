"""Whole pages: home, signing in, errors, the theme and the gallery."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.template.loader import render_to_string
from django.test import Client

from tests.html import one_line

PASSWORD = "a long enough password"
SIGN_IN_PAGES = ["/account/login/", "/account/password/reset/", "/account/password/reset/done/", "/account/signup/"]
ACCOUNT_PAGES = ["/account/email/", "/account/password/change/", "/account/2fa/", "/account/logout/"]


def test_a_visitor_learns_what_this_is(client, db):
    page = client.get("/").content.decode()
    assert "functional test suites" in page
    assert 'href="/account/login/"' in page
    assert 'href="#main"' in page


def test_somebody_without_a_task_is_told_so(client, vic):
    client.force_login(vic)
    assert "You have no tasks" in client.get("/").content.decode()


@pytest.mark.parametrize("address", ["/releases/?q=%00", "/results/?release=a%00b", "/releases/a%00/1.0.0/"])
def test_an_address_with_a_null_character_is_refused_and_breaks_nothing(client, db, address):
    answer = client.get(address)
    assert answer.status_code == 400
    assert "<h1" in answer.content.decode()


@pytest.mark.parametrize("address", SIGN_IN_PAGES)
def test_sign_in_pages_wear_our_look(client, db, address):
    page = client.get(address).content.decode()
    assert 'class="frame frame--centered"' in page
    assert page.count("<h1") == 1


@pytest.mark.parametrize("address", ACCOUNT_PAGES)
def test_account_pages_wear_our_look(client, mira, address):
    client.force_login(mira)
    page = client.get(address).content.decode()
    assert 'class="frame' in page
    assert page.count("<h1") - page.count("<h1></h1>") == 1


def test_two_factor_sign_in_from_set_up_to_turning_off(client, mira):
    EmailAddress.objects.create(user=mira, email=mira.email, verified=True, primary=True)
    client.post("/account/login/", {"login": mira.email, "password": PASSWORD})
    assert "Confirm that it is you" in client.get("/account/2fa/totp/activate/", follow=True).content.decode()
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/2fa/totp/activate/").content.decode()
    secret = re.search(r'id="authenticator_secret" type="text" value="([A-Z2-7]+)"', page)
    assert secret
    code = format_hotp_value(hotp_value(secret[1], next(yield_hotp_counters_from_time())))
    codes = client.post("/account/2fa/totp/activate/", {"code": code}, follow=True).content.decode()
    assert "10 of 10 codes are unused" in one_line(codes)
    assert "Turn off" in client.get("/account/2fa/").content.decode()
    client.post("/account/logout/")
    step = client.post("/account/login/", {"login": mira.email, "password": PASSWORD}, follow=True).content.decode()
    assert "One more step" in step


def test_signing_up_without_an_invitation_is_refused_with_a_way_on(client, db):
    assert "You need an invitation" in client.get("/account/signup/").content.decode()


def test_too_many_attempts_lock_the_address_and_say_for_how_long(client, mira):
    for _ in range(5):
        response = client.post("/account/login/", {"login": mira.email, "password": "wrong"})
    assert response.status_code == 429
    assert "Try again in 15 minutes." in " ".join(response.content.decode().split())


def test_a_missing_page_says_so_and_leads_back(client, db):
    response = client.get("/nowhere/at/all/")
    assert response.status_code == 404
    assert "Page not found" in response.content.decode()
    assert 'href="/"' in response.content.decode()


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "409", "500", "ui/offline", "ui/refused"])
def test_every_error_page_can_be_drawn_without_request_and_database(name):
    page = render_to_string(f"{name}.html")
    assert page.count("<h1>") == 1
    assert "<h1></h1>" not in page
    assert "data-reason" in page


def test_a_refusal_is_escaped_and_repeated_word_by_word():
    page = render_to_string("ui/refused.html", {"error": "3 forms are missing for <b>'immigrant'</b>."})
    assert "3 forms are missing for &lt;b&gt;" in page


def test_an_expired_form_is_explained(mira):
    client = Client(enforce_csrf_checks=True)
    response = client.post("/account/login/", {"login": mira.email, "password": "x"})
    assert response.status_code == 403
    assert "The form has expired" in response.content.decode()


def test_the_theme_is_remembered_without_scripts(client, db):
    response = client.post("/ui/theme/", {"theme": "dark"}, headers={"referer": "http://testserver/account/login/"})
    assert response.url == "http://testserver/account/login/"
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.post("/ui/theme/", {"theme": "auto"})
    assert "data-theme" not in client.get("/").content.decode()


def test_a_forged_theme_is_not_printed(client, db):
    client.cookies["theme"] = '"><script>'
    assert "data-theme" not in client.get("/").content.decode()


def test_the_theme_switch_never_leads_to_another_site(client, db):
    response = client.post("/ui/theme/", {"theme": "dark"}, headers={"referer": "https://evil.example/"})
    assert response.url == "/"


def test_the_gallery_is_for_staff(client, mira, admin, settings):
    settings.DEBUG = False
    client.force_login(mira)
    assert client.get("/ui/gallery/").status_code == 404
    client.force_login(admin)
    assert client.get("/ui/gallery/").status_code == 200


def test_messages_become_toasts_and_errors_are_urgent(client, mira):
    client.force_login(mira)
    page = client.post(
        "/account/email/", {"action_add": "", "email": "second@example.org"}, follow=True
    ).content.decode()
    calm = page[page.index('id="toasts-calm"') : page.index("toast-template")]
    assert "second@example.org" in calm
