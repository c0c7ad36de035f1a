"""Hubs on the page of a release and over the API: for maintainers only, with the same services."""

import pytest
from django.urls import reverse

from core.jobs.services import perform
from core.models import Job
from curation.models import HubEntry
from curation.releases.services import publish_release
from tests.curation.releases.factories import make_candidate, make_release

pytestmark = pytest.mark.django_db
API = "/api/v1/releases/small@1.0.0/"


def address(release, name="release-hubs"):
    return reverse(f"curation:{name}", args=[release.suite.key, release.version])


def perform_all():
    for job in Job.objects.unfinished():
        perform(job.key, worker="test")


@pytest.fixture
def maintainer(client, mira):
    client.force_login(mira)
    return client


def test_a_maintainer_reserves_a_doi_and_publishes_on_pages(hub, archive, suite, mira, maintainer):
    release = make_candidate(suite, by=mira)
    page = maintainer.get(address(release)).content.decode()
    assert "Reserve a DOI" in page
    assert "Publish at a hub" not in page
    assert maintainer.post(address(release, "release-reserve-doi")).status_code == 302
    assert "Reserve a DOI for small@1.0.0" in maintainer.get(address(release)).content.decode()
    perform_all()
    page = maintainer.get(address(release)).content.decode()
    assert "10.5072/zenodo.1000" in page
    assert "DOI reserved" in page
    assert address(release, "release-reserve-doi") not in page

    publish_release(release, by=mira, reason="A test.")
    assert maintainer.post(address(release), {"hub": "zenodo", "repository": ""}).status_code == 302
    assert maintainer.post(address(release), {"hub": "huggingface", "repository": "team/x"}).status_code == 302
    perform_all()
    page = maintainer.get(address(release)).content.decode()
    assert f"{archive.url}/records/1000" in page
    assert f"{hub.url}/datasets/team/x/tree/1.0.0" in page
    assert "10.5072/zenodo.1000" in maintainer.get(release.get_absolute_url()).content.decode()


def test_a_wrong_name_stands_at_its_field(hub, published, maintainer):
    answer = maintainer.post(address(published), {"hub": "huggingface", "repository": "nonsense"})
    assert answer.status_code == 422
    assert "is not the name of a data set" in answer.content.decode()
    assert not Job.objects.filter(kind="curation.publish_to_hub").exists()


def test_the_page_says_so_where_no_hub_is_set_up(published, maintainer):
    page = maintainer.get(address(published)).content.decode()
    assert "No hub is set up here" in page
    assert "Publish at a hub" not in page


def test_others_see_neither_page_nor_entries(hub, published, client, emil):
    client.force_login(emil)
    assert client.get(address(published)).status_code == 403
    assert client.post(address(published), {"hub": "huggingface"}).status_code == 403
    assert client.post(address(published, "release-reserve-doi")).status_code == 403
    assert client.get(f"{API}hubs/").status_code == 403
    assert client.post(f"{API}hubs/", {"hub": "huggingface"}).status_code == 403
    assert client.post(f"{API}reserve-doi/").status_code == 403
    assert address(published) not in client.get(published.get_absolute_url()).content.decode()
    assert hub.requests == []


def test_the_api_publishes_and_lists(hub, archive, suite, mira, maintainer):
    make_candidate(suite, by=mira)
    assert maintainer.post(f"{API}reserve-doi/").status_code == 202
    perform_all()
    (entry,) = maintainer.get(f"{API}hubs/").json()
    assert entry["hub"] == "zenodo"
    assert entry["state"] == "reserved"
    refused = maintainer.post(f"{API}hubs/", {"hub": "zenodo"}, content_type="application/json")
    assert refused.status_code == 409
    assert "not published here yet" in refused.json()["title"]
    published = make_release(suite, "2.0.0", by=mira)
    answer = maintainer.post(
        f"/api/v1/releases/{published.key}/hubs/", {"hub": "huggingface"}, content_type="application/json"
    )
    assert answer.status_code == 202
    perform_all()
    assert Job.objects.get(key=answer.json()["job"]).state == "done"
    assert HubEntry.objects.get(release=published).reference == "lab/small"


def test_the_api_refuses_an_unknown_hub(hub, published, maintainer):
    answer = maintainer.post(f"{API}hubs/", {"hub": "elsewhere"}, content_type="application/json")
    assert answer.status_code == 400
    assert hub.requests == []
