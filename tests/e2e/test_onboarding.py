"""Before the first text: training and test work with the keys and the cover of the labelling screen."""

import os
import re

import pytest
from playwright.sync_api import expect

from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.models import Annotator
from tests.annotation.factories import make_suite

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_training_and_test_have_the_keys_and_the_cover_of_the_screen(page, sign_in, mira, ana, violations, is_too_wide):
    campaign = create_campaign(
        make_suite(), title="Tested", by=mira, language="en", mode="crowd", raters=2, threshold=2, invited_only=False,
        pass_mark=0.5, asks_demographics=False,
    )  # fmt: skip
    why = KnownAnswer("I like street number 1.", "non-hateful", "Rule 1: it attacks no one.")
    add_own_items(campaign, Role.TRAINING, [why], by=mira)
    texts = [KnownAnswer(f"I like street number {number}.", "non-hateful") for number in range(3)]
    add_own_items(campaign, Role.TEST, texts, by=mira)
    open_campaign(campaign, by=mira)
    Annotator.objects.create(user=ana, covers_text=True, key_bindings={"label2": "n"})
    sign_in(page, ana)
    page.goto("/label/")
    page.get_by_role("button", name="Take part").click()
    page.get_by_label("I am an adult").check()
    page.get_by_role("button", name="Agree and continue").click()
    page.get_by_role("button", name="I have read them").click()
    text = page.locator("[data-item] .case-text")
    expect(text).to_have_class(re.compile("is-covered"))
    assert violations(page) == []
    page.keyboard.press("n")  # the first key uncovers
    expect(text).not_to_have_class(re.compile("is-covered"))
    page.keyboard.press("n")
    expect(page.get_by_text("Rule 1: it attacks no one.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("You need 2 of 3 right.")).to_be_visible()
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/test-{width}.png", full_page=True)
        assert violations(page) == []
        assert not is_too_wide(page)
    for place in range(3):
        assert page.locator(".is-covered").count() == 3 - place  # only the text at hand is uncovered
        page.keyboard.press("n")
        page.keyboard.press("1" if place == 1 else "n")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You passed the test: 2 of 3 right.")).to_be_visible()
