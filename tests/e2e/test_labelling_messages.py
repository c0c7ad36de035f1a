"""Messages on the labelling screen: never over the answers, and gone with their cause. On a phone, with a finger."""

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.campaigns.closing import close_campaign
from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.models import Annotation
from annotation.people.participation import annotator_for
from tests.annotation.factories import make_open_campaign, make_suite, ready

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
IS_ON_TOP = """button => { const box = button.getBoundingClientRect();
    const corners = [[0.05, 0.1], [0.95, 0.1], [0.5, 0.5], [0.05, 0.9], [0.95, 0.9]];
    return corners.every(([x, y]) =>
        button.contains(document.elementFromPoint(box.left + x * box.width, box.top + y * box.height))); }"""


@pytest.fixture
def campaign(mira):
    rule = {"too_fast_milliseconds": 60_000, "too_fast_times": 1, "too_fast_then": "warn"}
    return make_open_campaign(make_suite(), mira, batch_size=10, lease_minutes=30, **rule)


@pytest.fixture
def open_screen(chromium: Browser, live_server, sign_in, campaign, ana) -> Iterator[Callable[[dict], Page]]:
    """`open_screen(PHONE)`: the screen with its first text uncovered, and a clock that can be moved."""
    ready(campaign, annotator_for(ana))
    contexts = []

    def start(device: dict) -> Page:
        context = chromium.new_context(base_url=live_server.url, **device)
        contexts.append(context)
        sign_in(context, ana)
        page = context.new_page()
        page.clock.install()
        page.goto("/label/labels/")
        page.wait_for_selector("html[data-ready]")
        page.get_by_role("button", name="Show the text").click()
        return page

    yield start
    for context in contexts:
        context.close()


def answer_button(page: Page) -> Locator:
    return page.get_by_role("button", name="non-hateful")


def uncover(page: Page) -> None:
    """After a pause the text is covered."""
    page.get_by_role("button", name="Show the text").click()


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_while_a_warning_is_shown_every_button_can_be_pressed(open_screen, device, violations, is_too_wide):
    page = open_screen(device)
    page.clock.fast_forward(605_000)
    warning = page.locator(".toast")
    expect(warning).to_have_text("You have 5 minutes left on these texts.")
    uncover(page)
    for button in page.locator("#controls button").all():
        assert button.evaluate(IS_ON_TOP), button.inner_text()
    expect(page.locator("#text")).to_be_in_viewport(ratio=1)
    assert not is_too_wide(page)
    assert violations(page) == []
    box = answer_button(page).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y) if device is PHONE else page.mouse.click(x, y)
    expect(page.locator("#count")).to_have_text("1 of 24")
    wait_until(lambda: Annotation.objects.count() == 1)


def test_the_warning_counts_the_minutes_and_goes_when_the_lease_has_ended(open_screen):
    page = open_screen(PHONE)
    page.clock.fast_forward(605_000)
    expect(page.locator(".toast")).to_have_text("You have 5 minutes left on these texts.")
    page.clock.fast_forward(245_000)
    expect(page.locator(".toast")).to_have_text("You have 1 minute left on these texts.")
    page.clock.fast_forward(60_000)
    expect(page.locator(".toast")).to_have_count(0)


def test_the_warning_goes_when_an_answer_renews_the_lease(open_screen):
    page = open_screen(PHONE)
    page.clock.fast_forward(605_000)
    warning = page.get_by_text("left on these texts")
    expect(warning).to_be_visible()
    uncover(page)
    answer_button(page).tap()
    expect(warning).to_have_count(0)


def test_a_warning_that_was_dismissed_does_not_come_again_for_the_same_lease(open_screen):
    page = open_screen(PHONE)
    page.clock.fast_forward(605_000)
    page.get_by_role("button", name="Dismiss").tap()
    page.clock.fast_forward(75_000)
    expect(page.locator(".toast")).to_have_count(0)


def test_what_a_quality_rule_says_leaves_after_a_while(open_screen):
    page = open_screen(PHONE)
    answer_button(page).tap()
    warning = page.get_by_text("answered in less than 60 seconds")
    expect(warning).to_be_visible()
    for button in page.locator("#controls button").all():
        assert button.evaluate(IS_ON_TOP), button.inner_text()
    page.clock.fast_forward(21_000)
    expect(warning).to_have_count(0)


def test_answers_that_could_not_be_kept_are_counted_in_one_message(open_screen, campaign, mira):
    page = open_screen(PHONE)
    page.route("**/exchange", lambda route: route.abort("connectionfailed"))
    for done in (1, 2):
        answer_button(page).tap()
        expect(page.locator("#count")).to_have_text(f"{done} of 24")
        page.clock.fast_forward(500)  # two presses in a row are one answer
    close_campaign(campaign, by=mira, leave_out_incomplete=True)
    page.unroute("**/exchange")
    page.clock.fast_forward(60_000)
    expect(page.locator(".toast")).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text("2 answers could not be saved: This campaign no longer takes labels")


def test_nothing_to_take_back_is_said_once_and_leaves(open_screen):
    page = open_screen(PHONE)
    for _ in range(3):
        page.get_by_role("button", name="Undo").tap()
    expect(page.locator(".toast")).to_have_text("There is nothing to undo.")
    page.clock.fast_forward(9_000)
    expect(page.locator(".toast")).to_have_count(0)


def test_after_a_failed_test_the_result_does_not_keep_the_next_try_from_being_handed_in(
    chromium, live_server, sign_in, mira, ana, is_too_wide
):
    campaign = create_campaign(
        make_suite(), title="Tested", by=mira, language="en", mode="crowd", raters=2,
        threshold=2, invited_only=False, pass_mark=0.5, qualification_tries=2,
    )  # fmt: skip
    texts = [KnownAnswer(f"I like street number {number}.", "non-hateful") for number in range(6)]
    add_own_items(campaign, Role.TEST, texts, by=mira)
    open_campaign(campaign, by=mira)
    context = chromium.new_context(base_url=live_server.url, **PHONE | {"viewport": {"width": 320, "height": 568}})
    sign_in(context, ana)
    page = context.new_page()
    page.goto("/label/")
    page.get_by_role("button", name="Take part").click()
    page.get_by_label("I am an adult").check()
    page.get_by_role("button", name="Agree and continue").click()
    page.get_by_role("button", name="I have read them").click()
    for choice in page.get_by_label("hateful", exact=True).all():
        choice.check()
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator(".toast")).to_contain_text("0 of 6 right; you need 3")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.get_by_role("button", name="Hand in").evaluate(IS_ON_TOP)
    assert not is_too_wide(page)
    context.close()
