"""Groups of annotators side by side: readable at every width, without a word about single people."""

import os

import pytest
from playwright.sync_api import expect

from annotation.campaigns.opening import open_campaign
from tests.annotation.factories import make_suite
from tests.annotation.test_perspectives import label_as_two_groups, make_draft
from tests.curation.releases.factories import make_release
from tests.evaluation.factories import allow_models, run_model

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_maintainer_compares_groups(page, sign_in, mira, violations, is_too_wide, settings):
    suite = make_suite(templates=4, per_template=2, raters=14, threshold=8)
    label_as_two_groups(open_campaign(make_draft(suite, mira), by=mira))
    allow_models(settings)
    release = make_release(suite, by=mira, policy="mark", without_labels="include")
    run_model(release, "always_hateful", name="Always", by=mira)
    run_model(release, "by_word", name="By word", by=mira)
    sign_in(page, mira)
    page.goto(f"/suites/{suite.key}/agreement/")
    page.get_by_role("link", name="Compare groups of annotators").click()
    table = page.get_by_role("table", name="Agreement and labels by group")
    expect(table.locator("tr", has_text="Woman")).to_contain_text("50.0%")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/perspectives-{width}.png", full_page=True)
        assert violations(page) == []
        assert not is_too_wide(page)
    page.set_viewport_size({"width": 1440, "height": 844})
    page.get_by_role("link", name="Compare the models on").click()
    men = page.get_by_role("rowheader", name="Man", exact=True)
    expect(
        page.get_by_role("region", name="Always: groups of annotators").locator("tr").filter(has=men)
    ).to_contain_text("50.0%")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/group-labels-{width}.png", full_page=True)
        assert violations(page) == []
        assert not is_too_wide(page)
    page.go_back()
    page.get_by_role("link", name="Age", exact=True).click()
    expect(page.get_by_text("Nothing to compare")).to_be_visible()
    assert violations(page) == []
