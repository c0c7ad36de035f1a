"""A person who reads only their own language labels from the invitation to the thank-you, on a phone."""

import os
import re

import pytest
from playwright.sync_api import Page, expect

from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from tests.annotation.factories import make_suite

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENGLISH = re.compile(r"\b(the|your|you|and|with|have|this|please|text|texts|is|are|of)\b", re.I)
CHARACTERS = {
    "ar": r"[\u0600-\u06ff]",
    "de": r"[a-zäöüß]",
    "hi": r"[\u0900-\u097f]",
    "zh-hans": r"[\u4e00-\u9fff]",
}


def own_words(page: Page) -> str:
    """Return what the product says on the page: without data, codes, guidelines and the names of languages."""
    return page.evaluate(
        """() => {
          const copy = document.body.cloneNode(true);
          const data = "[lang], [dir=auto], .labelling__guideline-text, .labelling__text, .case-text, code, kbd," +
            " script, template, h1, title, .breadcrumbs, .brand, .centered-brand, form[action*='language'], option, em";
          copy.querySelectorAll(data).forEach((element) => element.remove());
          return copy.textContent.replace(/\\s+/g, " ");
        }"""
    )


@pytest.mark.parametrize("language", list(CHARACTERS))
def test_the_whole_way_of_an_annotator(page, live_server, mira, violations, is_too_wide, language):
    campaign = create_campaign(
        make_suite(templates=1, per_template=3), title="Labels", by=mira, language="en", mode="crowd", raters=2,
        threshold=2, asks_demographics=True, completion_code="DONE-42", platform="prolific", pass_mark=0.5,
    )  # fmt: skip
    for role in (Role.TRAINING, Role.TEST):
        add_own_items(campaign, role, [KnownAnswer(f"I like our {role} street.", "non-hateful", "")], by=mira)
    open_campaign(campaign, by=mira)
    page.set_viewport_size({"width": 390, "height": 844})

    def look(step: str) -> None:
        page.wait_for_load_state("load")
        expect(page.locator("main")).to_be_visible()
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/{language}-{step}.png", full_page=True)
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
        said = own_words(page)
        assert re.search(CHARACTERS[language], said), step
        if language != "de":
            assert not ENGLISH.findall(said), (step, said)
        assert not is_too_wide(page), step
        assert violations(page) == [], step

    page.goto(f"/label/enter/{campaign.entry_key}/?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x")
    page.locator(".footer details.menu summary").click()
    page.locator(f".footer button[value='{language}']").click()
    look("consent")
    for box in page.locator("main form input[type=checkbox]").all():
        box.check()
    page.locator("main form button.button--primary").click()
    look("guidelines")
    page.locator("main form button.button--primary").click()
    expect(page).to_have_url(re.compile("/training/"))
    look("training")
    page.keyboard.press("2")
    expect(page.locator("main .notice").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/test/"))
    look("test")
    page.keyboard.press("2")
    expect(page.locator("main input[type=radio]:checked")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("about-you"))
    look("about-you")
    page.locator("main form button.button--primary").click()
    expect(page.locator("#text")).not_to_be_empty()
    look("label")
    page.locator("#uncover").click()
    page.keyboard.press("f")
    expect(page.locator("#flag-dialog")).to_be_visible()
    look("flag")
    page.keyboard.press("Escape")
    for left in (2, 1, 0):
        shown = page.locator("#text").text_content()
        page.keyboard.press("1")
        if left:
            expect(page.locator("#text")).not_to_have_text(shown)
    expect(page.locator("#end")).to_be_visible()
    look("end")
    page.locator("#end-link").click()
    expect(page.get_by_text("DONE-42")).to_be_visible()
    look("done")
