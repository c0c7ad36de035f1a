"""Every word that people read can be translated, and the catalogues are in step with it."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Campaign
from config.demo import load_demo
from curation.catalogue.loading import load_catalogue
from curation.models import TemplateVersion
from generation.models import Candidate
from tests.contracts import filling
from tests.contracts.pseudo import installed, stored_strings, strings_of_fixtures
from tests.contracts.walking import Walk, all_routes
from tests.generation.factories import running_server


@pytest.fixture
def filled(db, monkeypatch, settings, tmp_path, ana, emil, mira, admin) -> Iterator[Campaign]:
    """An instance with something of everything; the campaign with everything that annotators meet."""
    settings.VAR = tmp_path
    load_catalogue()
    load_demo()
    filling.fill_curation(mira, emil)
    filling.fill_core(settings, admin, ana, emil, mira)
    filling.fill_evaluation(settings, mira)
    with running_server() as server:
        filling.fill_generation(server, mira)
    campaign = filling.fill_annotation(mira)
    with installed(monkeypatch):
        yield campaign


def addresses(campaign: Campaign) -> list[str]:
    """Return pages that no link leads to for a while."""
    version = TemplateVersion.objects.filter(state="submitted").select_related("template__suite", "template__language")
    candidate = Candidate.objects.first()
    return [
        *(
            reverse("curation:review", args=[v.template.suite.key, v.template.language.code, v.template.key])
            for v in version
        ),
        reverse("generation:candidate", args=[candidate.run.key, candidate.number]),
        reverse("annotation:crowd-entry", args=[campaign.entry_key]) + filling.ENTRY,
    ]


@pytest.mark.django_db
@pytest.mark.slow
def test_no_page_has_words_that_cannot_be_translated(request, filled):
    """Every route is met by at least one role: as a page, or with its form sent empty, as it stands, and filled."""
    data, forgotten, answered = stored_strings() | strings_of_fixtures(), [], set()
    for role in ("visitor", "ana", "emil", "mira", "admin"):
        client = Client()
        if role != "visitor":
            client.force_login(request.getfixturevalue(role))
        walk = Walk(client, data)
        walk.follow(["/", "/account/login/", "/releases/", *addresses(filled)])
        forgotten += [f"{role}: {line}" for line in walk.forgotten()]
        answered |= walk.answered
    assert not forgotten, "\n".join(forgotten)
    assert sorted(all_routes() - answered) == []
