"""Help is one key away on every page, can be searched, and reads well on a phone."""

import pytest
from playwright.sync_api import expect

from tests.curation.releases.factories import make_suite
from tests.e2e.test_splits import shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_key_opens_the_chapter_about_the_page(page, sign_in, mira, violations, is_too_wide):
    sign_in(page, mira)
    page.goto("/releases/")
    with page.expect_popup() as opened:
        page.keyboard.press("?")
    help_page = opened.value
    expect(help_page.get_by_role("heading", level=1, name="Releases")).to_be_visible()
    assert violations(help_page) == []
    shot(help_page, "help-chapter")
    help_page.set_viewport_size({"width": 390, "height": 844})
    assert not is_too_wide(help_page)
    assert violations(help_page) == []


def test_the_key_types_where_text_is_written(page, sign_in, mira):
    sign_in(page, mira)
    page.goto("/help/releases/")
    field = page.get_by_label("Search the help")
    field.click()
    page.keyboard.type("kappa?")
    expect(field).to_have_value("kappa?")
    field.fill("kappa interval")
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("kappa interval")
    shot(page, "help-search")
    page.get_by_role("link", name="Agreement between annotators").click()
    page.wait_for_url("**/help/statistics/#agreement-between-annotators")


def test_a_key_opens_the_search_and_arrows_lead_to_what_it_finds(page, sign_in, mira, violations, is_too_wide):
    make_suite("small", by=mira)
    sign_in(page, mira)
    page.goto("/releases/")
    page.keyboard.press("Control+k")
    page.keyboard.type("small")
    dialog = page.get_by_role("dialog", name="Search")
    expect(dialog.get_by_role("link", name="Small").first).to_be_visible()
    assert violations(page) == []
    shot(page, "search")
    page.set_viewport_size({"width": 390, "height": 844})
    assert not is_too_wide(page)
    page.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/suites/small/")
