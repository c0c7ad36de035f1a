"""A release in a real browser: frozen, published, downloaded, verified and compared."""

import re
import zipfile

import pytest
from playwright.sync_api import Page, expect

from core.jobs import services as jobs
from core.models import Job
from curation.models import Release, Suite, TestCase
from curation.publishing.verify import verify_folder
from curation.releases import services as releases
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def suite(live_server, mira, settings, tmp_path):
    settings.VAR = tmp_path
    return make_suite(by=mira)


def work() -> None:
    """What a worker does."""
    for job in Job.objects.unfinished():
        jobs.perform(job.key, worker="browser test")


def freeze(page: Page, version: str) -> None:
    page.goto("/releases/new/")
    page.get_by_label("Version").fill(version)
    expect(page.locator("#preview")).to_contain_text("Balance of groups")
    page.get_by_role("button", name="Build candidate").click()
    expect(page.get_by_text("Waiting to be built")).to_be_visible()
    work()
    page.get_by_role("link", name="Publish …").click()


def test_another_suite_brings_its_own_rules_and_version(page, suite, mira, sign_in):
    make_release(suite, by=mira)
    other = Suite.objects.create(key="other", name="Other", raters=3, threshold=2, policy="mark")
    other.languages.set(suite.languages.all())
    sign_in(page, mira)
    page.goto("/releases/new/?suite=small")
    page.get_by_label("Minimum agreement").fill("5")
    page.get_by_label("Suite").select_option("other")
    expect(page.get_by_label("Minimum agreement")).to_have_value("2")
    expect(page.get_by_label("Cases with a disagreement")).to_have_value("mark")
    expect(page.get_by_label("Version")).to_have_value("1.0.0")
    page.wait_for_timeout(600)  # the preview of the form that was replaced would come by now
    expect(page.locator("#preview")).to_contain_text("Balance of groups")
    page.get_by_label("Suite").select_option("small")
    expect(page.get_by_label("Minimum agreement")).to_have_value("4")
    expect(page).to_have_url(re.compile("suite=small"))


def test_a_maintainer_freezes_publishes_downloads_verifies_and_compares(
    page, suite, mira, sign_in, tmp_path, violations
):
    sign_in(page, mira)
    page.goto("/releases/new/")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Annotators disagreed")
    assert violations(page) == []
    page.get_by_label("Minimum agreement").fill("2")
    page.get_by_label("Minimum agreement").blur()
    expect(preview).not_to_contain_text("Annotators disagreed")

    freeze(page, "1.0.0")
    page.get_by_label("Release notes").fill("The first one.")
    page.get_by_label("Reason for publishing with open points").fill("A trial in a browser.")
    page.get_by_role("button", name="Publish permanently").click()
    expect(page.get_by_text("The first one.")).to_be_visible()
    expect(page.get_by_text("Reason: A trial in a browser.")).to_be_visible()
    assert violations(page) == []

    page.get_by_role("button", name="Verify now").click()
    expect(page.locator("#verified")).to_contain_text("Intact.")

    page.get_by_role("link", name="Download", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download JSON Lines").click()
    waiting.value.save_as(tmp_path / "release.zip")
    with zipfile.ZipFile(tmp_path / "release.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    release = Release.objects.get()
    found = verify_folder(tmp_path / "unpacked" / "small-1.0.0", expected_sha256=release.sha256)
    assert found.is_intact
    assert found.cases == 3

    TestCase.objects.filter(text="Everybody is welcome.").update(text="All are welcome.")
    freeze(page, "1.1.0")
    expect(page.get_by_label("Release notes")).to_have_value(re.compile("Changed text"))
    page.get_by_label("Reason for publishing with open points").fill("A trial in a browser.")
    page.get_by_role("button", name="Publish permanently").click()
    page.get_by_role("link", name="Compare with 1.0.0").click()
    expect(page.locator("del")).to_have_text("Everybody is welcome.")
    expect(page.locator("ins")).to_have_text("All are welcome.")
    assert violations(page) == []


def test_every_page_of_a_release_is_sound_and_fits_a_phone(page, suite, mira, sign_in, violations, is_too_wide):
    release = make_release(suite, by=mira)
    make_release(suite, "1.1.0", by=mira, min_agree=2)
    make_candidate(suite, "1.2.0", by=mira)
    sign_in(page, mira)
    case = release.cases.first()
    one = "/releases/small/1.1.0/"
    parts = [
        "",
        "cases/",
        f"cases/{case.key}/",
        "statement/",
        "datasheet/",
        "downloads/",
        "changes/",
        "access/",
        "withdraw/",
    ]
    candidate = "/releases/small/1.2.0/"
    making = [candidate + part for part in ("", "publish/", "statement/edit/", "datasheet/edit/")]
    page.set_viewport_size({"width": 360, "height": 800})
    for address in ["/releases/", "/releases/new/", *making, *(one + part for part in parts)]:
        page.goto(address)
        assert not is_too_wide(page), address
        assert violations(page) == [], address


def test_a_build_is_stopped_in_the_browser(page, suite, mira, sign_in, violations):
    releases.request_build(releases.request_release(suite, "1.0.0", by=mira), by=mira)
    sign_in(page, mira)
    page.goto("/releases/small/1.0.0/")
    expect(page.get_by_text("Waiting to be built")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Stop building").click()
    expect(page.get_by_text("leaves a draft.")).to_be_visible()
    page.get_by_role("button", name="Build", exact=True).click()
    work()
    expect(page.get_by_role("link", name="Publish …")).to_be_visible()
