"""A person who reads only their own language labels from the invitation to the thank-you, on a phone."""

import os
import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import RoleName
from accounts.services.invitations import invite
from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.messages import send_message
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.models import Annotator
from core.notifications.delivering import deliver
from tests.annotation.factories import make_open_campaign, make_suite
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LATIN = re.compile(r"[A-Za-z]{3,}")
NAMES = {
    "Touchstone", "API", "Nia", "Mira", "DONE", "nia", "example", "org", "Labels", "Ctrl", "Enter", "Esc", "Tab",
    "JavaScript", "Cookie", "localhost",
}  # fmt: skip
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


Look = Callable[[str], None]


@pytest.fixture
def look(page, violations, is_too_wide, language) -> Look:
    """`look("consent")`: the page speaks the language, runs in its direction, fits a phone and has no barriers."""
    page.set_viewport_size({"width": 390, "height": 844})

    def at(step: str) -> None:
        page.wait_for_load_state("load")
        expect(page.locator("main")).to_be_visible()
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/{language}-{step}.png", full_page=True)
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
        assert_is_in(language, own_words(page), step)
        assert not is_too_wide(page), step
        assert violations(page) == [], step

    return at


def assert_is_in(language: str, said: str, step: str) -> None:
    assert re.search(CHARACTERS[language], said), step
    if language != "de":  # German is written in Latin letters, too
        assert set(LATIN.findall(said)) <= NAMES, (step, set(LATIN.findall(said)) - NAMES, said)


def switch_to(page: Page, language: str) -> None:
    page.locator(".footer details.menu summary").click()
    page.locator(f".footer button[value='{language}']").click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def go_on(page: Page) -> None:
    page.locator("main form button.button--primary").first.click()


@pytest.mark.parametrize("language", list(CHARACTERS))
def test_the_whole_way_of_an_annotator(page, live_server, mira, look, language):
    campaign = create_campaign(
        make_suite(templates=1, per_template=3), title="Labels", by=mira, language="en", mode="crowd", raters=2,
        threshold=2, asks_demographics=True, completion_code="DONE-42", platform="prolific", pass_mark=0.5,
    )  # fmt: skip
    for role in (Role.TRAINING, Role.TEST):
        add_own_items(campaign, role, [KnownAnswer(f"I like our {role} street.", "non-hateful", "")], by=mira)
    open_campaign(campaign, by=mira)

    page.goto(f"/label/enter/{campaign.entry_key}/?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x")
    switch_to(page, language)
    look("consent")
    for box in page.locator("main form input[type=checkbox]").all():
        box.check()
    go_on(page)
    look("guidelines")
    go_on(page)
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
    go_on(page)
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


@pytest.mark.parametrize("language", list(CHARACTERS))
def test_an_invited_annotator_stays_in_their_language(page, live_server, mira, settings, look, language):
    settings.EMAIL_URL = "smtp://mail.example.org"
    campaign = make_open_campaign(make_suite(), mira, platform="", invited_only=False, raters=1, threshold=1)
    _invitation, secret = invite(role=RoleName.ANNOTATOR, by=mira)
    page.goto(reverse("accounts:accept", args=[secret]))
    switch_to(page, language)
    look("invitation")
    page.locator("input[name=email]").fill("nia@example.org")
    page.locator("input[name=name]").fill("Nia")
    page.locator("input[name^=password]").fill("123")
    go_on(page)
    look("invitation-refused")
    page.locator("input[name^=password]").fill(PASSWORD)
    go_on(page)
    expect(page).to_have_url(f"{live_server.url}/")
    look("home")
    page.goto(reverse("annotation:my-work"))
    look("my-work")
    page.locator("main form[action*='join'] button").click()
    page.locator("main form input[type=checkbox]").check()
    go_on(page)
    go_on(page)
    expect(page.locator("#text")).not_to_be_empty()
    me = Annotator.objects.get(user__email="nia@example.org")
    send_message(campaign, text="1 2 3", by=mira, annotator=me)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_text("1 2 3")).to_be_visible()
    look("note")
    page.locator("#uncover").click()
    for _hateful in range(12):
        shown = page.locator("#text").text_content()
        page.keyboard.press("1")
        expect(page.locator("#text")).not_to_have_text(shown)
    expect(page.locator("#break-dialog")).to_be_visible()
    look("break")
    me.daily_limit = 12
    me.save()
    page.goto(reverse("annotation:label", args=[campaign.key]))
    look("limit")
    page.goto(reverse("annotation:labelling-settings-here", args=[campaign.key]))
    look("settings")
    page.goto(reverse("core:inbox"))
    look("inbox")
    page.goto(reverse("annotation:labelling-done", args=[campaign.key]))
    look("thanks")
    assert deliver() >= 1
    letters = [message for message in mail.outbox if message.to == ["nia@example.org"]]
    page.context.clear_cookies()
    page.goto(reverse("account_login"))
    switch_to(page, language)
    look("sign-in")
    page.locator("input[name=login]").fill("nia@example.org")
    page.locator("input[name=password]").fill("wrong")
    go_on(page)
    look("sign-in-refused")
    page.goto(reverse("account_reset_password"))
    look("reset")
    page.locator("input[name=email]").fill("nia@example.org")
    go_on(page)
    expect(page).to_have_url(re.compile("/done/"))
    look("reset-sent")
    letters.append(mail.outbox[-1])
    assert len(letters) >= 2
    for letter in letters:
        assert_is_in(language, re.sub(r"\S*/\S*", "", f"{letter.subject}\n{letter.body}"), letter.subject)
