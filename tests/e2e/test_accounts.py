"""People, invitations, tokens, audit log and jobs in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import Action, RoleName
from accounts.services import audit, invitations
from core.jobs.models import JobState
from core.models import Job

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def job(mira) -> Job:
    return Job.objects.create(
        kind="curation.count", title="Count to ten", requested_by=mira, state=JobState.RUNNING, done=3, total=10
    )


def test_the_pages_have_no_axe_violations_and_fit_a_phone(
    page, sign_in, admin, ana, mira, job, violations, is_too_wide
):
    audit.record(mira, Action.ROLE_GRANTED, ana, role="expert", language="de")
    _, secret = invitations.invite(role=RoleName.ANNOTATOR, email="new@example.org", by=mira)
    addresses = [
        reverse(f"accounts:{name}") for name in ("people", "invitations", "settings", "delete", "tokens", "audit")
    ]
    addresses += [reverse("accounts:person", args=[ana.pk]), reverse("core:jobs"), job.get_absolute_url()]
    for person, seen in ((None, []), (admin, addresses)):
        if person:
            sign_in(page, person)
        for address in [*seen, reverse("accounts:accept", args=[secret])]:
            page.set_viewport_size({"width": 1440, "height": 900})
            page.goto(address)
            assert violations(page) == []
            page.set_viewport_size({"width": 360, "height": 740})
            assert not is_too_wide(page), address


def test_an_invited_person_comes_in(page, live_server, mira):
    _, secret = invitations.invite(role=RoleName.ANNOTATOR, by=mira)
    page.goto(reverse("accounts:accept", args=[secret]))
    page.get_by_label("E-mail address").fill("nia@example.org")
    page.get_by_label("Name").fill("Nia")
    page.get_by_label("Password").fill("a long enough password")
    page.get_by_role("button", name="Create my account").click()
    expect(page).to_have_url(f"{live_server.url}/")
    expect(page.locator(".sidebar")).to_contain_text("Nia")


def test_the_progress_of_a_job_moves_by_itself_and_stops_asking_at_the_end(page, sign_in, mira, job):
    sign_in(page, mira)
    page.goto(job.get_absolute_url())
    expect(page.locator("#job")).to_contain_text("3 of 10")
    Job.objects.filter(pk=job.pk).update(done=7)
    expect(page.locator("#job")).to_contain_text("7 of 10", timeout=8000)
    Job.objects.filter(pk=job.pk).update(done=10, state=JobState.DONE)
    expect(page.locator("#job")).to_contain_text("Done", timeout=8000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert asked == []


def test_the_documentation_of_the_api_draws_itself_under_the_policy(page, live_server):
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto("/api/docs/")
    first = page.locator(".opblock-summary-path").first  # what is further down is drawn when one scrolls there
    expect(first).to_contain_text("/api/v1/", timeout=15000)
    assert complaints == []
