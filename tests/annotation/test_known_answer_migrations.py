"""Databases from before examples had a language: what was published and written gets the language it is in."""

from importlib import import_module

import pytest
from django.apps import apps

from annotation.campaigns.known_answers import KnownAnswer, add_own_items, draw_items
from annotation.campaigns.models import Role, Source
from annotation.campaigns.services import create_campaign
from annotation.models import CampaignItem
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality
from tests.annotation.factories import make_suite

pytestmark = pytest.mark.django_db
LATER = (
    "curation.migrations.0005_name_languages_of_published_examples",
    "annotation.migrations.0004_name_languages_of_known_answers",
)


def test_published_examples_and_texts_that_are_there_get_their_language(mira):
    load_catalogue()
    published = dict(Functionality.objects.exclude(example="").values_list("key", "example_language__code"))
    campaign = create_campaign(make_suite(), title="Old", by=mira, language="en")
    arabic = Functionality.objects.filter(example_language__code="ar").first()
    answers = [KnownAnswer(arabic.example, "hateful"), KnownAnswer("Hello.", "non-hateful")]
    add_own_items(campaign, Role.TEST, answers, by=mira)
    draw_items(campaign, Role.CHECK, 1, by=mira)
    added = Functionality.objects.create(
        key="ours_h", title="Ours", gold_label="hateful", example="Something of ours.",
        functionality_class=arabic.functionality_class,
    )  # fmt: skip
    Functionality.objects.update(example_language=None)
    CampaignItem.objects.update(language=None, source="")

    for name in LATER:
        import_module(name).name_languages(apps, None)

    named = dict(Functionality.objects.exclude(example="").values_list("key", "example_language__code"))
    assert named == published | {added.key: None}
    found = CampaignItem.objects.order_by("role", "position").values_list("role", "source", "language__code")
    assert list(found) == [
        (Role.CHECK, Source.CASES, None),
        (Role.TEST, Source.EXAMPLES, "ar"),
        (Role.TEST, Source.OWN, "en"),
    ]
