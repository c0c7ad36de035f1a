"""Passkeys in a real browser, with an authenticator that exists only there."""

import os
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import Action, AuditEvent
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def device(page: Page) -> Page:
    """The page of a browser whose device has a fingerprint reader that knows its owner."""
    page.set_default_timeout(8000)
    protocol = page.context.new_cdp_session(page)
    protocol.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    protocol.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


def type_password(page: Page, email: str) -> None:
    page.goto(reverse("account_login"))
    page.locator("[name=login]").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.context.clear_cookies()


def add_passkey(page: Page, *, alone: bool) -> None:
    page.goto(reverse("mfa_add_webauthn"))
    if page.get_by_role("heading", name="Confirm that it is you").count():
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Confirm with the password").click()
    page.get_by_label("Name").fill("Laptop")
    page.get_by_label("Sign in with this passkey alone").set_checked(alone)
    page.get_by_role("button", name="Add the passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def shoot(page: Page, name: str, violations, is_too_wide) -> None:
    assert violations(page) == []
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert not is_too_wide(page), page.url
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"passkeys-{name}-{width}.png")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_passkey_signs_in_alone_and_is_managed(device, ana, live_server, violations, is_too_wide):
    type_password(device, ana.email)
    expect(device).to_have_url(f"{live_server.url}/")
    add_passkey(device, alone=True)
    sign_out(device)
    device.goto(reverse("account_login"))
    shoot(device, "login", violations, is_too_wide)
    device.get_by_role("button", name="Sign in with a passkey").click()
    expect(device.locator(".sidebar")).to_contain_text("Ana")
    assert AuditEvent.objects.filter(action=Action.SIGNED_IN, actor=ana).count() == 2
    assert AuditEvent.objects.filter(action=Action.CREDENTIALS_CHANGED, facts__what="webauthn_added").exists()
    device.goto(reverse("mfa_index"))
    shoot(device, "index", violations, is_too_wide)
    device.get_by_role("link", name="Manage").click()
    expect(device.get_by_role("row", name="Laptop")).to_contain_text("yes")
    shoot(device, "list", violations, is_too_wide)
    device.get_by_role("link", name="Remove").click()
    device.get_by_label("Password").fill(PASSWORD)
    device.get_by_role("button", name="Confirm with the password").click()
    shoot(device, "remove", violations, is_too_wide)
    device.get_by_role("button", name="Remove", exact=True).click()
    expect(device.get_by_text("No passkeys yet")).to_be_visible()


def test_a_passkey_is_the_second_factor_after_the_password(device, ana, live_server, violations, is_too_wide):
    type_password(device, ana.email)
    expect(device).to_have_url(f"{live_server.url}/")
    add_passkey(device, alone=False)
    sign_out(device)
    type_password(device, ana.email)
    expect(device.get_by_role("heading", name="One more step")).to_be_visible()
    shoot(device, "second", violations, is_too_wide)
    device.get_by_role("button", name="Use a passkey").click()
    expect(device.locator(".sidebar")).to_contain_text("Ana")


def test_a_passkey_confirms_a_step_that_matters_and_a_missing_one_is_said(device, ana, violations, is_too_wide):
    type_password(device, ana.email)
    add_passkey(device, alone=True)
    device.goto(f"{reverse('mfa_reauthenticate_webauthn')}?next={reverse('accounts:tokens')}")
    shoot(device, "confirm", violations, is_too_wide)
    device.get_by_role("button", name="Confirm with a passkey").click()
    expect(device.get_by_role("heading", name="API tokens")).to_be_visible()
    sign_out(device)
    Authenticator.objects.all().delete()
    device.goto(reverse("account_login"))
    device.get_by_role("button", name="Sign in with a passkey").click()
    expect(device.get_by_role("button", name="Sign in with a passkey")).to_be_visible()
    expect(device.locator("body")).to_contain_text("This passkey is not known here")


def test_people_who_need_a_second_factor_are_led_to_it(device, mira, settings, violations, is_too_wide):
    settings.SECOND_FACTOR_ROLES = ["maintainer"]
    type_password(device, mira.email)
    expect(device.locator("main")).to_contain_text("Your role needs a second factor")
    shoot(device, "needed", violations, is_too_wide)
    add_passkey(device, alone=True)
    device.goto("/suites/")
    expect(device.get_by_role("heading", name="Suites")).to_be_visible()
