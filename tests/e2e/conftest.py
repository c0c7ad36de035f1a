"""One Chromium for all browser tests, a fresh window per test, and a way in without typing a password."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

if TYPE_CHECKING:
    from accounts.models import User

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

SignIn = Callable[[Page | BrowserContext, "User"], None]


def find_violations(page: Page) -> list[str]:
    """What axe has against the page, one sentence per element."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{page.url} {rule['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.fixture(scope="session")
def violations() -> Callable[[Page], list[str]]:
    return find_violations


@pytest.fixture(scope="session")
def is_too_wide() -> Callable[[Page], bool]:
    """Whether the page scrolls sideways."""
    return lambda page: bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


# The scope is the module: Playwright's event loop must not be there any more when other tests of the run begin.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not path:
        pytest.skip("no Chromium on this machine; set CHROMIUM to its path")
    # Playwright keeps an event loop in this thread, which Django would otherwise take for asynchronous code.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def browser(chromium: Browser, live_server) -> Iterator[BrowserContext]:
    """A window of its own (cookies and all) on the running server, 1440 wide; nobody is signed in."""
    context = chromium.new_context(base_url=live_server.url, viewport={"width": 1440, "height": 900})
    yield context
    context.close()


@pytest.fixture
def page(browser: BrowserContext) -> Page:
    return browser.new_page()


@pytest.fixture
def sign_in(live_server, settings) -> SignIn:
    """`sign_in(page, user)`: the person's session cookie, for the page's whole window."""
    from django.test import Client

    def sign_in(page: Page | BrowserContext, user: User) -> None:
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        context = page.context if isinstance(page, Page) else page
        context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])

    return sign_in
