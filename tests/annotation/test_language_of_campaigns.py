"""Annotators read pages in the campaign's language, unless they chose another one."""

import pytest
from django.urls import reverse

from curation.models import Language
from tests.annotation import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(mira, ana):
    suite = factories.make_suite(templates=1, per_template=2)
    speaks("hi-Latn")
    return factories.make_open_campaign(suite, mira, people=[ana])


def speaks(tag: str) -> None:
    """Let the language of the campaign have another tag; cases and all else stay."""
    Language.objects.filter(code="en").update(bcp47=tag)


def page_of(client, campaign, **headers):
    return client.get(reverse("annotation:consent", args=[campaign.key]), headers=headers, follow=True)


def test_the_campaigns_language_counts_before_that_of_the_browser(client, ana, campaign):
    client.force_login(ana)
    answer = page_of(client, campaign, accept_language="fr")
    assert answer.headers["Content-Language"] == "hi-latn"
    assert b'<html lang="hi-latn"' in answer.content


def test_the_language_a_person_chose_counts_more(client, ana, campaign):
    client.force_login(ana)
    client.post(reverse("accounts:language"), {"language": "pl"})
    assert page_of(client, campaign, accept_language="fr").headers["Content-Language"] == "pl"


def test_a_language_without_translations_leaves_that_of_the_browser(client, ana, campaign):
    speaks("tlh")
    client.force_login(ana)
    assert page_of(client, campaign, accept_language="fr").headers["Content-Language"] == "fr"
