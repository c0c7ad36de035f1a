"""A job on its page, which is drawn anew every two seconds."""

import pytest
from playwright.sync_api import expect

from core.models import Job

pytestmark = pytest.mark.browser


def test_a_job_is_stopped_also_when_the_page_was_drawn_anew_while_one_thought(page, sign_in, mira):
    job = Job.objects.create(kind="curation.build_release", title="A long job", requested_by=mira, total=10)
    sign_in(page, mira)
    page.goto(job.get_absolute_url())
    page.get_by_role("button", name="Stop", exact=True).click()
    for _ in range(2):  # the page has asked, drawn itself anew, and asked again
        with page.expect_response(lambda answer: answer.url.endswith("/progress/")):
            expect(page.get_by_role("button", name="Stop the job")).to_be_visible()
    page.get_by_role("button", name="Stop the job").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    job.refresh_from_db()
    assert job.state == "cancelled"
