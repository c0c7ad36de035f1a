"""The labelling screen looks after people: covers, breaks, a limit; right to left, on a phone, and without barriers."""

import re
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.campaigns.closing import close_campaign
from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.messages import send_message
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.models import Annotation, Annotator
from annotation.people.participation import annotator_for
from curation.models import Language, TestCase
from tests.annotation.factories import label_everything, make_open_campaign, make_suite, newcomer, ready
from tests.annotation.managing_factories import disputed_campaign

COVERED = re.compile("is-covered")

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREEN = "/label/labels/"


@pytest.fixture
def campaign(mira):
    return make_open_campaign(make_suite(), mira, batch_size=10)


@pytest.fixture
def at_work(page, sign_in, campaign, ana) -> Page:
    ready(campaign, annotator_for(ana))
    sign_in(page, ana)
    return page


def begin(page: Page) -> None:
    page.goto(SCREEN)
    page.wait_for_selector("html[data-ready]")


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def answer_the_offer(page: Page, choice: str) -> None:
    """Close the offer of a break; back when the page has noticed: a dialog tells of its closing a moment later."""
    noticed = """() => { window.noticed = new Promise((done) =>
        document.getElementById("break-dialog").addEventListener("close", done, { once: true })); }"""
    page.evaluate(noticed)
    page.get_by_role("dialog", name="Time for a break?").get_by_role("button", name=choice).click()
    page.evaluate("() => window.noticed.then(() => true)")


def wish(ana, **facts) -> None:
    annotator_for(ana)
    Annotator.objects.filter(user=ana).update(**facts)


def test_the_text_is_covered_until_one_is_ready_and_again_after_idling(at_work, campaign):
    at_work.clock.install()
    begin(at_work)
    expect(at_work.locator("#text")).to_have_class(COVERED)
    assert at_work.locator("#text").get_attribute("aria-hidden") == "true"
    at_work.keyboard.press("1")  # uncovers, and only uncovers
    expect(at_work.locator("#text")).not_to_have_class(COVERED)
    at_work.keyboard.press("1")
    expect(at_work.locator("#count")).to_have_text("1 of 24")
    expect(at_work.locator("#text")).not_to_have_class(COVERED)
    at_work.clock.fast_forward(60_000)
    expect(at_work.locator("#text")).to_have_class(COVERED)


def test_whoever_wishes_gets_every_text_covered(at_work, campaign, ana):
    wish(ana, covers_text=True)
    begin(at_work)
    for done in range(2):
        expect(at_work.locator("#text")).to_have_class(COVERED)
        at_work.get_by_role("button", name="Show the text").click()
        expect(at_work.locator("#text")).not_to_have_class(COVERED)
        at_work.keyboard.press("2")
        expect(at_work.locator("#count")).to_have_text(f"{done + 1} of 24")


def test_a_break_is_offered_by_time_and_after_many_hateful_texts(at_work, campaign, ana):
    wish(ana, break_after=timedelta(minutes=20))
    at_work.clock.install()
    begin(at_work)
    at_work.keyboard.press("1")
    offer = at_work.get_by_role("dialog", name="Time for a break?")
    for done in range(1, 13):
        expect(offer).to_be_hidden()
        expect(at_work.locator("#text")).to_be_visible()
        at_work.keyboard.press("1")
        expect(at_work.locator("#count")).to_have_text(f"{done} of 24")
    expect(offer).to_contain_text("in a row")
    answer_the_offer(at_work, "Continue")
    at_work.clock.fast_forward(21 * 60_000)
    at_work.keyboard.press("2")  # uncovers: one was away
    at_work.keyboard.press("2")
    expect(offer).to_contain_text("21 minutes")
    offer.get_by_role("button", name="Take a break").click()
    expect(at_work.locator("#text")).to_have_class(COVERED)


def test_the_daily_limit_ends_the_day(at_work, campaign, ana):
    wish(ana, daily_limit=2)
    begin(at_work)
    at_work.keyboard.press("1")
    for _ in range(2):
        at_work.keyboard.press("1")
    expect(at_work.get_by_role("heading", name="Enough for today")).to_be_visible()
    expect(at_work.locator("#controls")).to_be_hidden()
    assert Annotation.objects.count() == 2


def test_arabic_runs_from_right_to_left_and_fits_a_phone(at_work, campaign, violations, is_too_wide):
    arabic, _ = Language.objects.get_or_create(
        code="ar", defaults={"bcp47": "ar", "name": "Arabic", "script": "Arab", "direction": "rtl"}
    )
    text = "أحب جيراني في الشارع كثيرا وأتحدث معهم كل صباح."
    TestCase.objects.update(language=arabic, text=text)
    at_work.set_viewport_size({"width": 360, "height": 740})
    begin(at_work)
    at_work.keyboard.press("1")
    shown = at_work.locator("#text")
    expect(shown).to_have_text(text)
    assert shown.get_attribute("lang") == "ar"
    assert shown.evaluate("element => getComputedStyle(element).direction") == "rtl"
    assert not is_too_wide(at_work)
    for button in at_work.locator(".label-button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 48
        assert box["y"] + box["height"] <= 740  # within reach of the thumb, without scrolling
    assert violations(at_work) == []


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "scale"},
        {"question": "choice", "labels": ["furious and loud", "sad", "calm", "warm", "bored", "proud", "afraid"]},
    ],
    ids=["scale", "choice"],
)
def test_many_answers_fit_a_phone(page, sign_in, mira, ana, is_too_wide, asked):
    ready(make_open_campaign(make_suite(), mira, **asked), annotator_for(ana))
    sign_in(page, ana)
    page.set_viewport_size({"width": 360, "height": 740})
    begin(page)
    assert not is_too_wide(page)
    for button in page.locator(".label-button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 48
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 740
        assert not button.evaluate("element => element.scrollWidth > element.clientWidth")


def test_a_thumb_labels_and_takes_back(at_work, campaign):
    at_work.set_viewport_size({"width": 360, "height": 740})
    begin(at_work)
    at_work.get_by_role("button", name="Show the text").click()
    first = at_work.locator("#text").inner_text()
    at_work.get_by_role("button", name="non-hateful").click()
    expect(at_work.locator("#text")).not_to_have_text(first)
    at_work.get_by_role("button", name="Undo").click()
    expect(at_work.locator("#text")).to_have_text(first)


def test_an_answer_can_be_taken_back_after_the_page_was_loaded_again(at_work, campaign):
    begin(at_work)
    at_work.keyboard.press("1")
    first = at_work.locator("#text").inner_text()
    at_work.keyboard.press("1")
    expect(at_work.locator("#text")).not_to_have_text(first)
    wait_until(lambda: Annotation.objects.count() == 1)
    begin(at_work)
    at_work.keyboard.press("Backspace")  # uncovers
    at_work.keyboard.press("Backspace")
    expect(at_work.locator("#text")).to_have_text(first)
    expect(at_work.locator("#count")).to_have_text("0 of 24")
    wait_until(lambda: Annotation.objects.filter(kind="undo").count() == 1)


def test_the_last_answer_can_be_taken_back_with_a_thumb(at_work, campaign, ana):
    wish(ana, daily_limit=1)
    begin(at_work)
    at_work.get_by_role("button", name="Show the text").click()
    only = at_work.locator("#text").inner_text()
    at_work.get_by_role("button", name="non-hateful").click()
    expect(at_work.get_by_role("heading", name="Enough for today")).to_be_visible()
    at_work.get_by_role("button", name="Undo the last answer").click()
    expect(at_work.locator("#text")).to_have_text(only)
    at_work.get_by_role("button", name="non-hateful").click()
    expect(at_work.get_by_role("heading", name="Enough for today")).to_be_visible()
    wait_until(
        lambda: list(Annotation.objects.order_by("id").values_list("kind", flat=True)) == ["label", "undo", "label"]
    )


def test_a_double_click_is_one_answer(at_work, campaign):
    begin(at_work)
    at_work.get_by_role("button", name="Show the text").click()
    at_work.get_by_role("button", name="non-hateful").dblclick()
    expect(at_work.locator("#count")).to_have_text("1 of 24")
    wait_until(lambda: Annotation.objects.count() == 1)
    expect(at_work.locator("#count")).to_have_text("1 of 24")


def test_keys_work_where_the_keyboard_writes_other_letters(at_work, campaign):
    begin(at_work)
    body = at_work.locator("body")
    for _ in range(2):  # a French keyboard; the first one uncovers
        body.dispatch_event("keydown", {"key": "&", "code": "Digit1"})
    expect(at_work.locator("#count")).to_have_text("1 of 24")
    body.dispatch_event("keydown", {"key": "ب", "code": "KeyF"})
    expect(at_work.get_by_role("dialog", name="Why is it unrealistic?")).to_be_visible()


def test_whoever_is_signed_out_is_told_once_and_loses_nothing(at_work, campaign, sign_in, ana):
    begin(at_work)
    at_work.keyboard.press("1")
    cookies = at_work.context.cookies()
    at_work.context.clear_cookies()
    at_work.keyboard.press("1")
    trouble = at_work.locator("#trouble")
    expect(trouble).to_contain_text("You are signed out")
    at_work.keyboard.press("2")
    expect(at_work.locator("#unsent")).to_have_text("2 unsent answers")
    expect(at_work.locator(".toast")).to_have_count(0)
    assert Annotation.objects.count() == 0
    at_work.context.add_cookies(cookies)
    at_work.get_by_role("button", name="Reload the page").click()
    at_work.wait_for_selector("html[data-ready]")
    wait_until(lambda: Annotation.objects.count() == 2)
    expect(at_work.locator("#count")).to_have_text("2 of 24")


def test_whoever_stops_while_an_answer_is_on_its_way_need_not_ask_twice(at_work, campaign):
    begin(at_work)

    def take_long(route: Route) -> None:
        time.sleep(1)
        route.continue_()

    at_work.route("**/exchange", take_long)
    for _ in range(3):  # the first one uncovers
        at_work.keyboard.press("1")
    at_work.get_by_role("button", name="Stop for now").click()
    at_work.wait_for_url("**/label/")
    assert Annotation.objects.count() == 2


def test_a_note_from_the_managers_comes_while_one_works_and_goes_when_it_is_read(at_work, campaign, mira):
    at_work.clock.install()
    begin(at_work)
    send_message(campaign, text="Please read section 2 again.", by=mira)
    at_work.clock.fast_forward(130_000)
    expect(at_work.locator("#notes")).to_contain_text("Please read section 2 again.")
    at_work.get_by_role("button", name="Got it").click()
    expect(at_work.locator("#notes")).to_be_empty()
    at_work.reload()
    at_work.wait_for_selector("html[data-ready]")
    expect(at_work.locator("#notes")).to_be_empty()


def test_what_cannot_be_taken_back_any_more_still_counts(at_work, campaign, mira):
    begin(at_work)
    at_work.keyboard.press("1")
    at_work.keyboard.press("1")
    wait_until(lambda: Annotation.objects.count() == 1)
    close_campaign(campaign, by=mira, leave_out_incomplete=True)
    at_work.keyboard.press("Backspace")
    expect(at_work.get_by_role("heading", name="This campaign is closed")).to_be_visible()
    expect(at_work.locator(".toast")).to_contain_text("could not be undone")
    expect(at_work.locator("#count")).to_have_text("1 of 24")


def test_no_barriers_on_the_way_in(page, sign_in, mira, ana, violations, is_too_wide):
    campaign = create_campaign(
        make_suite(), title="Labels", by=mira, language="en", mode="crowd", raters=2,
        threshold=2, invited_only=False, pass_mark=0.5,
    )  # fmt: skip
    add_own_items(campaign, Role.TRAINING, [KnownAnswer("I like my street.", "non-hateful", "Kind.")], by=mira)
    add_own_items(campaign, Role.TEST, [KnownAnswer("Hello.", "non-hateful")], by=mira)
    open_campaign(campaign, by=mira)
    sign_in(page, ana)

    def look() -> None:
        for width in (1440, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert violations(page) == []
            assert not is_too_wide(page), page.url

    page.goto("/label/")
    look()
    page.get_by_role("button", name="Take part").click()
    look()
    page.get_by_label("I am an adult").check()
    page.get_by_role("button", name="Agree and continue").click()
    look()
    page.get_by_role("button", name="I have read them").click()
    look()
    page.get_by_role("button", name="hateful", exact=True).click()
    look()
    page.get_by_role("link", name="Next").click()
    look()
    page.get_by_label("non-hateful").check()
    page.get_by_role("button", name="Hand in").click()
    look()
    page.get_by_role("button", name="Skip these questions").click()
    page.wait_for_selector("html[data-ready]")
    look()


def test_no_barriers_for_managers(page, sign_in, campaign, mira, violations, is_too_wide):
    label_everything(newcomer(campaign))
    closed = disputed_campaign(campaign.suite, "small-0000-1")
    sign_in(page, mira)
    running, done = f"/campaigns/{campaign.key}/", f"/campaigns/{closed.key}/"
    for path in (
        "/campaigns/", "/campaigns/new/", running, f"{running}setup/", f"{running}agreement/", f"{running}preview/",
        f"{done}agreement/", f"{done}disagreements/", f"{done}disagreements/small-0000-1/", "/suites/small/decision/",
    ):  # fmt: skip
        page.set_viewport_size({"width": 1440, "height": 900})
        assert page.goto(path).status == 200, path
        assert violations(page) == []
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 740})
            assert not is_too_wide(page), (path, width)
