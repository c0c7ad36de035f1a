"""Stub servers of hubs, set up as the hubs of this installation."""

import pytest

from tests.curation.hubs.hub_stub import HubStub, Storage
from tests.curation.hubs.stub_base import running
from tests.curation.hubs.zenodo_stub import ZenodoStub
from tests.curation.releases.factories import make_release, make_suite

TOKEN = "hf_not-a-real-token-123"
OTHER = "zen_not-a-real-token-456"


@pytest.fixture
def hub(settings):
    with running(Storage()) as storage, running(HubStub(TOKEN, storage)) as stub:
        settings.HUGGINGFACE_URL, settings.HUGGINGFACE_TOKEN, settings.HUGGINGFACE_OWNER = stub.url, TOKEN, "lab"
        settings.ALLOWED_HUB_HOSTS = ["127.0.0.1"]
        yield stub


@pytest.fixture
def archive(settings):
    with running(ZenodoStub(OTHER)) as stub:
        settings.ZENODO_URL, settings.ZENODO_TOKEN = stub.url, OTHER
        settings.ALLOWED_HUB_HOSTS = ["127.0.0.1"]
        yield stub


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


@pytest.fixture
def published(suite, mira):
    return make_release(suite, by=mira)
