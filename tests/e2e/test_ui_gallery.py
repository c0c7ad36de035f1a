"""The look in a real browser: accessible, narrow, dark, right-to-left, by keyboard, on paper, under the policy."""

import pytest
from playwright.sync_api import BrowserContext, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENTRANCE = ["/", "/account/login/", "/account/password/reset/", "/account/signup/", "/nowhere/"]
SIGNED_IN = [
    "/",
    "/ui/gallery/",
    "/ui/gallery/?dir=rtl",
    "/account/email/",
    "/account/password/change/",
    "/account/2fa/",
    "/account/logout/",
]


@pytest.fixture
def visitor(browser: BrowserContext) -> BrowserContext:
    return browser


@pytest.fixture
def staff(browser: BrowserContext, sign_in, admin) -> BrowserContext:
    sign_in(browser, admin)
    return browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_entrance_pages_have_no_axe_violations(visitor, violations, scheme):
    page = visitor.new_page()
    page.emulate_media(color_scheme=scheme)
    for address in ENTRANCE:
        page.goto(address)
        assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_behind_the_entrance_have_no_axe_violations(staff, violations, scheme):
    page = staff.new_page()
    page.emulate_media(color_scheme=scheme)
    for address in SIGNED_IN if scheme == "light" else SIGNED_IN[:4]:
        page.goto(address)
        assert violations(page) == []


def test_an_open_menu_and_an_open_dialog_have_no_axe_violations(staff, violations):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    page.locator(".sidebar .menu summary").click()
    assert violations(page) == []
    page.get_by_role("button", name="Open a dialog").click()
    assert violations(page) == []


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_page_scrolls_sideways(staff, is_too_wide, width):
    page = staff.new_page()
    page.set_viewport_size({"width": width, "height": 740})
    for address in SIGNED_IN:
        page.goto(address)
        assert not is_too_wide(page), address


def test_the_phone_menu_works_without_scripts(chromium, live_server, db):
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": 360, "height": 740}, java_script_enabled=False
    )
    page = context.new_page()
    page.goto("/")
    link = page.locator(".topbar").get_by_role("link", name="Sign in")
    expect(link).to_be_hidden()
    page.locator(".topbar summary").click()
    link.click()
    expect(page).to_have_url(f"{live_server.url}/account/login/")
    context.close()


def test_the_theme_can_be_chosen_without_scripts(chromium, live_server, db):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False, color_scheme="light")
    page = context.new_page()
    page.goto("/")
    page.locator(".sidebar").get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    context.close()


def test_the_theme_changes_at_once_and_stays(visitor):
    page = visitor.new_page()
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.locator(".sidebar").get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/account/login/")
    expect(page.locator("html")).to_have_css("background-color", "rgb(20, 22, 24)")


def test_the_first_key_press_offers_to_skip_the_navigation(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip-link")).to_be_focused()
    expect(page.locator(".skip-link")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_every_control_that_can_be_reached_shows_its_focus(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    for _ in range(40):
        page.keyboard.press("Tab")
        visible = page.evaluate(
            """() => { const style = getComputedStyle(document.activeElement);
                 return style.outlineStyle !== 'none' || document.activeElement.closest('.card') !== null }"""
        )
        assert visible, page.evaluate("document.activeElement.outerHTML")


def test_a_dialog_closes_by_escape_and_gives_the_focus_back(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    opener = page.get_by_role("button", name="Open a dialog")
    opener.press("Enter")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_visible()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_an_irreversible_step_asks_first(staff):
    page = staff.new_page()
    sent: list[str] = []
    page.goto("/ui/gallery/")
    page.on("request", lambda request: sent.append(request.url) if request.is_navigation_request() else None)
    page.get_by_role("button", name="Withdraw").last.click()
    dialog = page.get_by_role("dialog", name="Are you sure?")
    expect(dialog).to_contain_text("The release 1.0 will be withdrawn.")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Cancel").click()
    assert sent == []
    page.get_by_role("button", name="Withdraw").last.click()
    with page.expect_navigation():
        dialog.get_by_role("button", name="Withdraw").click()
    assert len(sent) == 1


def test_the_current_tab_is_in_sight_on_a_phone(staff):
    page = staff.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/account/tokens/")  # the last of its tabs
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.95)


def test_a_small_table_is_sorted_and_filtered_in_the_browser(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    first = page.locator("#languages tbody tr:visible td:first-child").first
    page.locator("#languages").get_by_role("button", name="Cases").click()
    expect(first).to_have_text("Hindi")
    page.locator("#languages").get_by_role("button", name="Cases").click()
    expect(first).to_have_text("German")
    page.get_by_label("Find a language").fill("ara")
    expect(page.locator("#languages tbody tr:visible")).to_have_count(1)


def test_htmx_sends_the_token_and_a_refusal_becomes_a_toast(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    with page.expect_request("**/nowhere/") as sent:
        page.evaluate("htmx.ajax('POST', '/nowhere/', {swap: 'none'})")
    assert sent.value.headers["x-csrftoken"]
    expect(page.locator("#toasts-urgent .toast")).to_contain_text("The address may be misspelled")
    page.get_by_role("button", name="Dismiss", exact=True).click()
    expect(page.locator("#toasts-urgent .toast")).to_have_count(0)


def test_covered_text_opens_with_one_key(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    text = page.get_by_text("A covered text: it opens with Enter.")
    expect(text).to_be_hidden()
    page.locator(".cover summary").press("Enter")
    expect(text).to_be_visible()


def test_paper_has_no_navigation_and_no_buttons(staff):
    page = staff.new_page()
    page.goto("/ui/gallery/")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".sidebar")).to_be_hidden()
    expect(page.locator("main .button").first).to_be_hidden()
    expect(page.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_the_content_security_policy_has_nothing_to_complain_about(staff):
    page = staff.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for address in [*SIGNED_IN, "/account/2fa/totp/activate/"]:
        response = page.goto(address)
        assert response is not None
        assert "default-src 'self'" in response.headers["content-security-policy"]
    assert complaints == []
