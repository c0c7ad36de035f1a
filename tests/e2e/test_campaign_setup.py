"""Texts with a known answer on the set-up page: covered, listed in the campaign's language, removed one by one."""

import os

import pytest
from playwright.sync_api import expect

from annotation.campaigns.known_answers import add_examples
from annotation.campaigns.models import Role
from annotation.campaigns.services import create_campaign
from annotation.models import Campaign
from curation.catalogue.loading import load_catalogue
from tests.annotation.factories import make_suite

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_maintainer_looks_at_the_texts_and_removes_one(page, sign_in, mira, violations, is_too_wide):
    load_catalogue()
    campaign = create_campaign(make_suite(), title="Draft", by=mira, language="en")
    add_examples(campaign, Role.TEST, 29, by=mira)
    sign_in(page, mira)
    page.goto(f"/campaigns/{campaign.key}/setup/")
    table = page.get_by_role("table", name="Texts with a known answer")
    text = table.locator("bdi", has_text="My neighbour is an immigrant.")
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


def test_the_form_shows_what_the_answers_need(page, sign_in, mira, violations, is_too_wide):
    """Own answers, the cut of a scale and the crowd's limits are asked for where they are used."""
    load_catalogue()
    make_suite()
    sign_in(page, mira)
    page.goto("/campaigns/new/?suite=small&functionalities=like_nh")
    answers, cut, platform = (page.locator(f"[name={name}]") for name in ("labels", "binarise_above", "platform"))
    for field in (answers, cut, platform):
        expect(field).not_to_be_visible()
    page.select_option("[name=question]", "choice")
    expect(answers).to_be_visible()
    page.select_option("[name=question]", "scale")
    expect(cut).to_be_visible()
    page.select_option("[name=mode]", "crowd")
    expect(platform).to_be_visible()
    expect(page.locator("[name=functionalities][value=like_nh]")).to_be_visible()  # chosen by the address
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/campaign-form-{width}.png", full_page=True)
        assert violations(page) == []
        assert not is_too_wide(page)
    page.fill("[name=title]", "By hand")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Draft created.")).to_be_visible()
    assert Campaign.objects.get().selection == {"functionalities": ["like_nh"]}


def test_a_maintainer_changes_a_text_and_its_explanation(page, sign_in, mira, violations, is_too_wide):
    load_catalogue()
    campaign = create_campaign(make_suite(), title="Draft", by=mira, language="en")
    add_examples(campaign, Role.TRAINING, 4, by=mira)
    sign_in(page, mira)
    page.goto(f"/campaigns/{campaign.key}/setup/")
    row = page.get_by_role("table", name="Texts with a known answer").locator("tbody tr").first
    row.locator("summary").click()
    row.get_by_label("Explanation").fill("Rule 3: it attacks no one.")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/items-{width}.png", full_page=True)
        assert violations(page) == []
        assert not is_too_wide(page)
    row.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Text changed.")).to_be_visible()
    expect(page.get_by_text("Rule 3: it attacks no one.").first).to_be_visible()
