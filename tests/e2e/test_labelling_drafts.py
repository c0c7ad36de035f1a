"""Flags and comments: Enter confirms them, the text stays in sight, and nothing that was written is lost by an undo."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Annotation
from annotation.people.participation import annotator_for
from curation.models import TestCase
from tests.annotation.factories import make_open_campaign, make_suite, ready

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def at_work(page, sign_in, mira, ana) -> Page:
    campaign = make_open_campaign(make_suite(), mira, batch_size=10)
    ready(campaign, annotator_for(ana))
    sign_in(page, ana)
    begin(page)
    return page


def begin(page: Page) -> None:
    """Load the screen and uncover the text."""
    page.goto("/label/labels/")
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("1")


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def flag(page: Page, more: str) -> None:
    page.keyboard.press("f")
    page.get_by_label("In your words").fill(more)
    page.keyboard.press("Enter")


def comment(page: Page, text: str) -> None:
    page.keyboard.press("c")
    page.locator("#comment-text").fill(text)
    page.keyboard.press("Control+Enter")


def label(page: Page, done: int, key: str = "2") -> None:
    page.keyboard.press(key)
    expect(page.locator("#count")).to_have_text(f"{done} of 24")


def test_enter_flags_the_text_and_keeps_the_reason(at_work):
    flag(at_work, "Too polite")
    expect(at_work.get_by_role("dialog")).to_be_hidden()
    expect(at_work.locator("#marks")).to_have_text("Flagged: People do not talk like this: Too polite")
    label(at_work, 1)
    wait_until(lambda: Annotation.objects.exists())
    stored = Annotation.objects.get()
    assert (stored.is_unrealistic, stored.unrealistic_because) == (True, "Nobody would say this: Too polite")


def test_enter_on_a_reason_flags_the_text(at_work):
    at_work.keyboard.press("f")
    at_work.get_by_label("It makes no sense").check()
    at_work.keyboard.press("Enter")
    expect(at_work.locator("#marks")).to_have_text("Flagged: It makes no sense")


@pytest.mark.parametrize("way", ["Escape", "Cancel"])
def test_a_dialog_that_is_closed_changes_nothing(at_work, way):
    for key, field, dialog in (("f", "#flag-more", "Why is it unrealistic?"), ("c", "#comment-text", "Comment")):
        at_work.keyboard.press(key)
        at_work.locator(field).fill("Never mind")
        if way == "Escape":
            at_work.keyboard.press("Escape")
        else:
            at_work.get_by_role("dialog", name=dialog).get_by_role("button", name="Cancel").click()
        expect(at_work.get_by_role("dialog")).to_be_hidden()
        expect(at_work.locator("#marks")).to_be_hidden()


def test_in_a_comment_enter_begins_a_line_and_ctrl_enter_saves(at_work):
    at_work.keyboard.press("c")
    at_work.keyboard.type("First")
    at_work.keyboard.press("Enter")
    at_work.keyboard.type("Second")
    at_work.keyboard.press("Control+Enter")
    expect(at_work.get_by_role("dialog")).to_be_hidden()
    label(at_work, 1)
    wait_until(lambda: Annotation.objects.exists())
    assert Annotation.objects.get().comment == "First\nSecond"


def test_the_label_after_an_undo_has_the_comment_and_the_flag(at_work):
    comment(at_work, "A slur, used as an insult")
    flag(at_work, "Odd")
    label(at_work, 1)
    at_work.keyboard.press("Backspace")
    expect(at_work.locator("#marks")).to_have_text(
        "Flagged: People do not talk like this: Odd · Comment: A slur, used as an insult"
    )
    label(at_work, 1, "1")
    wait_until(lambda: Annotation.objects.count() == 3)
    rows = Annotation.objects.order_by("revision").values_list("kind", "label", "comment", "is_unrealistic")
    said = ("A slur, used as an insult", True)
    assert list(rows) == [("label", "non-hateful", *said), ("undo", "", "", False), ("label", "hateful", *said)]


def test_the_draft_of_the_text_on_screen_comes_back_with_it(at_work):
    label(at_work, 1)
    second = at_work.locator("#text").inner_text()
    comment(at_work, "About the second")
    at_work.keyboard.press("Backspace")
    expect(at_work.locator("#text")).not_to_have_text(second)
    expect(at_work.locator("#marks")).to_be_hidden()
    label(at_work, 1)
    expect(at_work.locator("#text")).to_have_text(second)
    expect(at_work.locator("#marks")).to_have_text("Comment: About the second")
    label(at_work, 2)
    expect(at_work.locator("#marks")).to_be_hidden()
    wait_until(lambda: Annotation.objects.filter(kind="label").count() == 3)
    assert list(Annotation.objects.order_by("id").values_list("comment", flat=True)) == ["", "", "", "About the second"]


def test_after_a_reload_both_are_still_there(at_work):
    comment(at_work, "About the first")
    flag(at_work, "Odd")
    label(at_work, 1)
    comment(at_work, "About the second")
    wait_until(lambda: Annotation.objects.count() == 1)
    begin(at_work)
    expect(at_work.locator("#marks")).to_have_text("Comment: About the second")
    at_work.keyboard.press("Backspace")
    expect(at_work.locator("#marks")).to_have_text(
        "Flagged: People do not talk like this: Odd · Comment: About the first"
    )
    label(at_work, 1)
    expect(at_work.locator("#marks")).to_have_text("Comment: About the second")


def test_an_answer_that_was_not_sent_before_the_reload_can_be_taken_back_with_its_comment(at_work):
    at_work.route("**/exchange", lambda route: route.abort("connectionfailed"))
    comment(at_work, "Not sent yet")
    first = at_work.locator("#text").inner_text()
    label(at_work, 1)
    expect(at_work.locator("#unsent")).to_have_text("1 unsent answer")
    begin(at_work)
    expect(at_work.locator("#text")).not_to_have_text(first)
    at_work.keyboard.press("Backspace")
    expect(at_work.locator("#text")).to_have_text(first)
    expect(at_work.locator("#marks")).to_have_text("Comment: Not sent yet")
    expect(at_work.locator("#count")).to_have_text("0 of 24")
    at_work.unroute("**/exchange")
    at_work.keyboard.press("2")
    wait_until(lambda: Annotation.objects.count() == 3)
    rows = Annotation.objects.order_by("revision").values_list("kind", "comment")
    assert list(rows) == [("label", "Not sent yet"), ("undo", ""), ("label", "Not sent yet")]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
@pytest.mark.parametrize("key", ["f", "c"])
def test_a_dialog_leaves_the_text_in_sight(at_work, violations, width, height, key):
    TestCase.objects.update(
        text="I spoke to my neighbour about the weather, and we agreed that it has rained for days. " * 2
    )
    at_work.set_viewport_size({"width": width, "height": height})
    begin(at_work)
    at_work.keyboard.press(key)
    dialog, text = at_work.get_by_role("dialog").bounding_box(), at_work.locator("#text").bounding_box()
    assert text["y"] >= 0
    assert text["y"] + text["height"] <= dialog["y"]
    assert dialog["y"] + dialog["height"] <= height
    assert at_work.locator("#text").evaluate(
        """element => { const main = document.getElementById("main").getBoundingClientRect();
            const box = element.getBoundingClientRect(); return box.top >= main.top && box.bottom <= main.bottom; }"""
    ), "it is scrolled out of sight"
    assert violations(at_work) == []
    at_work.keyboard.press("Escape")
    expect(at_work.get_by_role("button", name="non-hateful")).to_be_in_viewport(ratio=1)
