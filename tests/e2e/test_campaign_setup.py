"""Texts with a known answer on the set-up page: covered, listed in the campaign's language, removed one by one."""

import pytest
from playwright.sync_api import expect

from annotation.campaigns.known_answers import add_examples
from annotation.campaigns.models import Role
from annotation.campaigns.services import create_campaign
from curation.catalogue.loading import load_catalogue
from curation.models import Language
from tests.annotation.factories import make_suite

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_maintainer_looks_at_the_texts_and_removes_one(page, sign_in, mira, violations, is_too_wide):
    load_catalogue()
    campaign = create_campaign(make_suite(), title="Draft", by=mira, language=Language.objects.get(code="en"))
    add_examples(campaign, Role.TEST, 29, by=mira)
    sign_in(page, mira)
    page.goto(f"/campaigns/{campaign.key}/setup/")
    table = page.get_by_role("table", name="Texts with a known answer")
    text = table.get_by_text("My neighbour is an immigrant.")
    assert "blur" in text.evaluate("element => getComputedStyle(element).filter")
    page.get_by_role("button", name="Show texts").click()
    expect(text).to_have_css("filter", "none")
    assert table.locator("bdi:not([lang=en])").count() == 0
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert violations(page) == []
        assert not is_too_wide(page)
    page.set_viewport_size({"width": 1440, "height": 900})  # on a phone rows are cards
    table.locator("tr", has_text="My neighbour is an immigrant.").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("Text removed.")).to_be_visible()
    expect(text).to_have_count(0)
    assert campaign.items.count() == 28
