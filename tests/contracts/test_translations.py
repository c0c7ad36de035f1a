"""Every word that people read can be translated, and the catalogues are in step with it."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Campaign, Participation
from annotation.people.onboarding import (
    answer_training,
    confirm_guidelines,
    give_consent,
    hand_in_test,
    next_training_item,
    tell_about_oneself,
)
from annotation.people.onboarding import test_items as items_of_test
from config.demo import load_demo
from curation.catalogue.loading import load_catalogue
from curation.models import TemplateVersion
from generation.models import Candidate
from tests.annotation.factories import label_everything
from tests.contracts import filling
from tests.contracts.not_met import NOT_MET
from tests.contracts.pseudo import installed, stored_strings, strings_of_fixtures
from tests.contracts.walking import Walk, all_routes
from tests.generation.factories import running_server

PLACES = (
    "label", "consent", "guidelines", "training", "test", "about-you", "labelling-settings-here", "labelling-done",
)  # fmt: skip


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
    """Return pages that no link of the first pages leads to."""
    versions = TemplateVersion.objects.filter(state="submitted").select_related("template__suite", "template__language")
    written = [version.template for version in versions]
    candidate = Candidate.objects.select_related("run").first()
    plain = ("account_inactive", "account_email_verification_sent", "account_reset_password_from_key_done")
    return [
        *(reverse(name) for name in plain),
        reverse("core:help") + "?q=kappa",
        reverse("curation:case-new") + "?suite=demo&language=en",
        *(reverse("curation:review", args=[one.suite.key, one.language.code, one.key]) for one in written),
        reverse("generation:candidate", args=[candidate.run.key, candidate.number]),
        reverse("annotation:crowd-entry", args=[campaign.entry_key]) + filling.ENTRY,
    ]


def walk_as(client: Client, start: list[str], data: set[str], sent: set[tuple[str, str]]) -> Walk:
    walk = Walk(client, data, sent=sent)
    walk.follow(start)
    return walk


@pytest.mark.django_db
@pytest.mark.slow
def test_no_page_has_words_that_cannot_be_translated(request, filled):
    """A route is met as a page, or with its form sent empty, as it stands, and filled. New routes have to be met."""
    data, forgotten, answered, sent = stored_strings() | strings_of_fixtures(), [], set(), set()
    for role in ("admin", "mira", "emil", "ana", "visitor"):  # those first whose forms are accepted
        client = Client()
        if role != "visitor":
            client.force_login(request.getfixturevalue(role))
        walk = walk_as(client, ["/", "/account/login/", "/releases/", *addresses(filled)], data, sent)
        forgotten += [f"{role}: {line}" for line in walk.forgotten()]
        answered |= walk.answered
    for walk in way_of_an_annotator(filled, data, sent):
        forgotten += [f"annotator: {line}" for line in walk.forgotten()]
        answered |= walk.answered
    assert not forgotten, "\n".join(forgotten)
    assert sorted(all_routes() - answered - NOT_MET) == []
    assert sorted(answered & NOT_MET) == [], "these are met: delete them from not_met.py"


def way_of_an_annotator(campaign: Campaign, data: set[str], sent: set[tuple[str, str]]) -> Iterator[Walk]:
    """Come in by the link of a platform, and look at every step on the way to the thank-you."""
    client = Client()
    client.get(reverse("annotation:crowd-entry", args=[campaign.entry_key]) + filling.ENTRY)
    places = [reverse(f"annotation:{name}", args=[campaign.key]) for name in PLACES]
    mine = Participation.objects.filter(campaign=campaign, annotator__external_id="p1")
    steps: list[Callable[[Participation], object]] = [
        give_consent,
        confirm_guidelines,
        lambda me: answer_training(me, next_training_item(me).pk, "non-hateful"),
        lambda me: hand_in_test(me, {item.pk: "non-hateful" for item in items_of_test(me)}),
        lambda me: tell_about_oneself(me, {}),
        label_everything,
    ]
    yield walk_as(client, places, data, sent)
    for step in steps:
        step(mine.select_related("campaign", "annotator").get())
        yield walk_as(client, places, data, sent)
    for state in ("paused", "ended"):
        mine.update(state=state, reason="a1b2")
        yield walk_as(client, places, data, sent)
