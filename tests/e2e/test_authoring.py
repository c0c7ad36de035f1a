"""What a language expert does, in a real browser: from a new language to cases that can be labelled."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import RoleName
from accounts.services.people import grant_role
from core.jobs import services as jobs
from core.models import Job
from curation.authoring.services import save_draft, submit_version
from curation.authoring.wording_checks import VariantText
from curation.cases.generating import generate_cases
from curation.catalogue.loading import load_catalogue
from curation.lexicon.models import FormSource
from curation.models import Functionality, Template, TestCase
from tests.curation.authoring.factories import approve_template, functionality, make_suite, newest, write_template

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def window(chromium, live_server):
    """A window of its own for each person."""
    opened = []

    def open_window(width: int = 1440) -> BrowserContext:
        context = chromium.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
        opened.append(context)
        return context

    yield open_window
    for context in opened:
        context.close()


def fill_cell(page: Page, word: str, cell: str, text: str) -> None:
    box = page.get_by_label(f"{word}, {cell}", exact=True)
    box.fill(text)
    with page.expect_response("**/lexicon/cell/"):
        box.press("Enter")


def test_from_a_new_language_to_cases(window, sign_in, emil, mira):
    load_catalogue()
    maintainer, expert = window().new_page(), window().new_page()
    sign_in(maintainer, mira)

    maintainer.goto("/catalogue/languages/new/")
    maintainer.get_by_label("Code").fill("sv")
    maintainer.get_by_label("Name", exact=True).fill("Swedish")
    maintainer.get_by_role("textbox", name="Features", exact=True).fill("Number: Sing, Plur")
    maintainer.locator("main form").get_by_role("button").first.click()
    maintainer.goto("/catalogue/groups/new/")
    maintainer.get_by_label("Name", exact=True).fill("older people")
    maintainer.get_by_role("button", name="Add").click()
    maintainer.goto("/suites/new/")
    maintainer.get_by_label("Key").fill("nordic")
    maintainer.get_by_label("Name", exact=True).fill("Nordic suite")
    maintainer.get_by_label("Swedish").check()
    maintainer.locator("main form button[type=submit]").first.click()
    expect(maintainer.get_by_role("heading", level=1)).to_contain_text("Nordic suite")
    grant_role(emil, RoleName.EXPERT, language="sv", by=mira)

    sign_in(expert, emil)
    expert.goto("/lexicon/?suite=nordic&language=sv&kind=identity")
    for lemma, group in (("kvinna", "women"), ("pensionär", "older people")):
        expert.get_by_label("Base form").fill(lemma)
        expert.get_by_label("Group").select_option(group)
        expert.get_by_role("button", name="Add").click()
        expect(expert.get_by_role("link", name=lemma)).to_be_visible()
    fill_cell(expert, "kvinna", "singular", "kvinna")
    fill_cell(expert, "kvinna", "plural", "kvinnor")

    expert.goto("/templates/new/?suite=nordic&language=sv&functionality=derog_neg_emote_h")
    expert.get_by_role("button", name="Show texts").click()
    text = expert.locator("textarea[name=variant_text]")
    text.press_sequentially("Jag ogillar [iden")
    text.press("Enter")
    expect(text).to_have_value("Jag ogillar [identity")
    text.press_sequentially(":plu")
    text.press("Enter")
    text.press_sequentially("].")
    expect(text).to_have_value("Jag ogillar [identity:Number=Plur].")
    preview = expert.locator(".preview")
    expect(preview.get_by_text("Jag ogillar kvinnor.")).to_be_visible()
    expect(preview.get_by_role("heading", name="1 case")).to_be_visible()
    expect(expert.locator(".mark--kind")).to_have_text("identity")

    # A missing form leads to its cell; filled in, it counts at once.
    expect(preview.get_by_text("older people 0")).to_be_visible()
    missing = preview.get_by_role("link", name="'pensionär' has no form for plural")
    other = expert.context.new_page()
    other.goto(missing.get_attribute("href") or "")
    fill_cell(other, "pensionär", "plural", "pensionärer")
    other.close()
    text.press("End")
    text.press_sequentially("!")
    expect(preview.get_by_text("Jag ogillar pensionärer.!")).to_be_visible()
    text.press("Backspace")
    expect(preview.get_by_role("heading", name="2 cases")).to_be_visible()
    expert.get_by_role("button", name="Submit for review").click()
    expect(expert.get_by_text("This template is awaiting review and is locked.")).to_be_visible()
    expect(expert.get_by_role("button", name="Withdraw to draft")).to_be_visible()
    expert.goto(f"{expert.url}review/")
    expect(expert.get_by_text("You wrote part of this version.")).to_be_visible()

    maintainer.goto("/templates/reviews/")
    maintainer.get_by_role("link", name="sv-001").click()
    maintainer.get_by_role("button", name="Approve").click()
    expect(maintainer.get_by_text("Template sv-001 was approved.")).to_be_visible()

    expert.goto("/cases/?suite=nordic")
    expert.get_by_role("button", name="Generate cases").click()
    expect(expert.get_by_role("heading", level=1)).to_contain_text("Generate the cases of Nordic suite")
    jobs.perform(Job.objects.get().key, worker="test")
    expert.goto("/cases/?suite=nordic")
    expect(expert.get_by_text("Jag ogillar kvinnor.")).to_be_visible()
    expect(expert.get_by_text("Jag ogillar pensionärer.")).to_be_visible()
    expert.get_by_role("link", name="sv-00001").click()
    expect(expert.get_by_text("Expression of strong negative emotions")).to_be_visible()
    assert TestCase.objects.count() == 2


def shot(page: Page, name: str) -> None:
    """Take pictures to look at where a folder for them is named."""
    if folder := os.environ.get("SHOTS"):
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)


def test_a_perturbation_is_previewed_and_an_ambiguity_corrected_with_a_click(window, sign_in, emil):
    make_suite()
    page = window().new_page()
    sign_in(page, emil)
    page.goto("/templates/new/?suite=mild&language=de&functionality=derog_neg_emote_h")
    page.get_by_role("button", name="Show texts").click()
    text = page.locator("textarea[name=variant_text]")
    text.fill("Hier wohnt [identity|leet] und [identity].")
    preview = page.locator(".preview")
    expect(preview.get_by_text("is ambiguous").first).to_be_visible()
    shot(page, "editor-ambiguous")
    preview.get_by_role("button", name="Apply").first.click()
    expect(text).to_have_value("Hier wohnt [identity:Number=Sing|leet] und [identity].")
    expect(preview.get_by_role("button", name="Apply")).to_have_count(1)
    preview.get_by_role("button", name="Apply").click()
    expect(text).to_have_value("Hier wohnt [identity:Number=Sing|leet] und [identity:Number=Sing].")
    expect(preview.get_by_role("button", name="Apply")).to_have_count(0)
    expect(preview.locator(".realised li")).to_have_count(2)
    expect(preview.get_by_text("Hier wohnt Fr4u und Muslim.")).to_be_visible()


def test_the_second_person_in_a_cell_sees_what_the_first_wrote(window, sign_in, emil, mira):
    make_suite()
    first, second = window().new_page(), window().new_page()
    for page, person in ((first, emil), (second, mira)):
        sign_in(page, person)
        page.goto("/lexicon/?suite=mild&language=de&kind=identity")
    fill_cell(first, "Frau", "plural", "Weiber")
    fill_cell(second, "Frau", "plural", "Damen")
    expect(second.get_by_text("Another person wrote 'Weiber' here meanwhile, you wrote 'Damen'.")).to_be_visible()
    box = second.get_by_label("Frau, plural", exact=True)
    box.press("Escape")
    expect(box).to_have_value("Weiber")
    fill_cell(second, "Frau", "plural", "Damen")
    expect(second.locator(".is-unsaved")).to_have_count(0)
    first.reload()
    expect(first.get_by_label("Frau, plural", exact=True)).to_have_value("Damen")
    for name, address in (
        ("lexicon", "/lexicon/?suite=mild&language=de&kind=identity"), ("language", "/catalogue/languages/de/"),
        ("catalogue", "/catalogue/"), ("group", "/catalogue/groups/women/"), ("suite", "/suites/mild/edit/"),
    ):  # fmt: skip
        second.goto(address)
        shot(second, name)


def test_only_enter_accepts_a_suggested_form(window, sign_in, emil):
    suite = make_suite()
    entry = suite.entries.filter(language__code="de", kind="identity").order_by("position").first()
    assert entry is not None
    form = entry.forms.order_by("id").first()
    entry.forms.filter(pk=form.pk).update(source=FormSource.SUGGESTION)
    page = window().new_page()
    sign_in(page, emil)
    page.goto("/lexicon/?suite=mild&language=de&kind=identity")
    cell = page.locator(".is-suggested input")
    cell.focus()
    cell.press("ArrowDown")
    cell.focus()
    page.keyboard.press("Tab")
    form.refresh_from_db()
    assert form.source == FormSource.SUGGESTION
    with page.expect_response("**/lexicon/cell/"):
        cell.press("Enter")
    expect(page.locator(".is-suggested")).to_have_count(0)
    form.refresh_from_db()
    assert form.source == FormSource.HAND


@pytest.fixture
def workshop(emil, mira):
    suite = make_suite()
    first = write_template(suite, PLURAL, by=emil)
    approve_template(first, author=emil, reviewer=mira)
    generate_cases(suite)
    save_draft(first, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    submit_version(newest(first), by=emil)
    write_template(suite, "Mit [identty] rede ich.", by=emil)
    return suite


ADDRESSES = [
    "/templates/", "/templates/new/?suite=mild&language=de", "/templates/mild/de/de-001/", "/templates/mild/de/de-002/",
    "/templates/mild/de/de-001/history/", "/templates/mild/de/de-001/review/", "/templates/reviews/",
    "/templates/coverage/?suite=mild&language=de", "/templates/adapt/?suite=mild&language=en&source=de",
    "/templates/adapt/mild/en/from/mild/de/de-001/", "/cases/?suite=mild", "/cases/mild/de-00001/",
    "/cases/new/?suite=mild", "/cases/perturb/?suite=mild", "/catalogue/", "/catalogue/languages/de/",
    "/catalogue/groups/women/", "/catalogue/functionalities/ident_pos_nh/", "/suites/mild/edit/",
    "/lexicon/?suite=mild&language=de&kind=identity&perturbed=yes",
]  # fmt: skip


def test_the_pages_are_accessible_and_fit_a_phone(window, sign_in, workshop, mira, violations, is_too_wide):
    page = window(360).new_page()
    sign_in(page, mira)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    for address in ADDRESSES:
        page.goto(address)
        assert violations(page) == []
        assert not is_too_wide(page), address
    assert problems == []


def test_only_a_mixed_functionality_asks_for_the_gold_label_of_a_template(window, sign_in, emil):
    make_suite()
    about = functionality().functionality_class
    Functionality.objects.create(key="weather", title="Weather", gold_label="", functionality_class=about)
    page = window().new_page()
    sign_in(page, emil)
    page.goto("/templates/new/?suite=mild&language=de&functionality=derog_neg_emote_h")
    label, preview = page.get_by_label("Gold label"), page.locator(".preview")
    expect(label).to_be_hidden()
    page.locator("textarea[name=variant_text]").fill("Hallo.")
    expect(preview.get_by_text("hateful", exact=True)).to_be_visible()
    page.get_by_label("Functionality").select_option("weather")
    expect(preview.get_by_text("needs a gold label of its own")).to_be_visible()
    shot(page, "no_gold_label")
    label.select_option("non-hateful")
    expect(preview.get_by_text("non-hateful", exact=True)).to_be_visible()
    expect(preview.get_by_text("needs a gold label of its own")).to_be_hidden()
    page.get_by_role("button", name="Submit for review").click()
    expect(page.get_by_text("This template is awaiting review and is locked.")).to_be_visible()
    shot(page, "gold_label")
    page.goto("/templates/?suite=mild")
    shot(page, "templates")
    assert Template.objects.get().gold_label == "non-hateful"


def test_the_adapt_view_works_by_keyboard(window, sign_in, workshop, mira):
    page = window().new_page()
    sign_in(page, mira)
    page.goto("/templates/adapt/mild/en/from/mild/de/de-001/")
    text = page.locator("textarea[name=variant_text]")
    text.fill("I avoid noise.")
    expect(page.locator(".adapting__cases").get_by_role("heading", name="1 case")).to_be_visible()
    text.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("de-002 in English")
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.get_by_text("This template is awaiting review and is locked.")).to_be_visible()


def test_a_fault_leads_to_its_character_and_texts_can_be_covered(window, sign_in, workshop, mira):
    page = window().new_page()
    sign_in(page, mira)
    page.goto("/templates/mild/de/de-002/")
    page.get_by_role("button", name="Character 5").click()
    assert page.evaluate("document.activeElement.selectionStart") == 4
    page.get_by_role("button", name="Add a variant").click()
    expect(page.locator("textarea[name=variant_text]")).to_have_count(2)
    page.get_by_role("button", name="Remove text 2").click()
    expect(page.locator("textarea[name=variant_text]")).to_have_count(1)
    page.goto("/cases/?suite=mild")
    table = page.locator("[data-coverable]")
    expect(table).to_have_attribute("data-covered", "")
    page.get_by_role("button", name="Show texts").click()
    expect(table).not_to_have_attribute("data-covered", "")
    page.reload()
    expect(page.get_by_role("button", name="Cover texts")).to_be_visible()
