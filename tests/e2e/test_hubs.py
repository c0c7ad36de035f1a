"""A maintainer reserves a DOI, publishes, and sees where the release is."""

import pytest

from core.jobs.services import perform
from core.models import Job
from curation.releases.services import publish_release
from tests.curation.hubs.conftest import archive, hub  # noqa: F401 - fixtures
from tests.curation.releases.factories import make_candidate, make_suite
from tests.e2e.test_splits import shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def perform_all():
    for job in Job.objects.unfinished():
        perform(job.key, worker="test")


def test_a_release_goes_to_hubs(page, sign_in, mira, hub, archive, violations, is_too_wide):  # noqa: F811
    release = make_candidate(make_suite(by=mira), by=mira)
    sign_in(page, mira)
    page.goto(release.get_absolute_url())
    page.get_by_role("link", name="Reserve a DOI").click()
    page.get_by_role("button", name="Reserve a DOI").click()
    shot(page, "hubs-reserving")
    assert violations(page) == []
    perform_all()
    publish_release(release, by=mira, reason="A test.")
    page.reload()
    page.get_by_label("Hub", exact=True).select_option("zenodo")
    page.get_by_role("button", name="Publish").click()
    perform_all()
    page.reload()
    page.get_by_role("link", name="10.5072/zenodo.1000").wait_for()
    shot(page, "hubs-published")
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not is_too_wide(page)
