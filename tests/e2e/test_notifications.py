"""A person reads what happened, chooses mail, and an administrator adds a webhook."""

import pytest
from playwright.sync_api import expect

from core.models import Notification
from core.notifications.models import Happening
from core.notifications.services import notify
from tests.e2e.test_splits import shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_inbox_leads_to_what_happened(page, sign_in, ana, violations, is_too_wide):
    for number in (1, 2):
        title = f"Campaign {number} is open for you"
        notify(
            Happening.CAMPAIGN_OPENED, [ana], key=str(number), title=title, text="120 texts.", url="/help/annotation/"
        )
    sign_in(page, ana)
    page.goto("/")
    page.get_by_role("link", name="Inbox 2 unread").first.click()
    shot(page, "inbox")
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not is_too_wide(page)
    page.get_by_label("A campaign is open for you").select_option("never")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("A campaign is open for you")).to_have_value("never")
    page.get_by_role("link", name="Campaign 2 is open for you").click()
    page.wait_for_url("**/help/annotation/")
    assert Notification.objects.unread().count() == 1


def test_an_administrator_adds_a_webhook(page, sign_in, admin, settings, violations, is_too_wide):
    settings.ALLOWED_WEBHOOK_HOSTS = ["hooks.example.org"]
    sign_in(page, admin)
    page.goto("/webhooks/")
    page.get_by_role("textbox", name="Address").fill("https://elsewhere.example.org/")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("is not permitted")).to_be_visible()
    page.get_by_role("textbox", name="Address").fill("https://hooks.example.org/touchstone")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("whs_")).to_be_visible()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_role("cell", name="Waiting")).to_be_visible()
    shot(page, "webhooks")
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not is_too_wide(page)
