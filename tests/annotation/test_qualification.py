"""The test before the first text: told in numbers, ended after the last try, and granted once more."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.errors import NotReady
from annotation.people.onboarding import (
    confirm_guidelines,
    give_consent,
    grant_try,
    hand_in_test,
    right_answers_needed,
    tries_left,
)
from annotation.people.participation import add_annotator, annotator_for
from core.errors import NotAllowed
from tests.annotation.factories import make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(mira):
    draft = create_campaign(
        make_suite(), title="Tested", by=mira, language="en", mode="crowd", pass_mark=0.7, qualification_tries=2,
        asks_demographics=False,
    )  # fmt: skip
    add_own_items(
        draft, Role.TEST, [KnownAnswer(f"I like rain {number}.", "non-hateful") for number in range(4)], by=mira
    )
    return draft


@pytest.fixture
def person(campaign, ana, mira):
    made = add_annotator(campaign, annotator_for(ana), by=mira)
    open_campaign(campaign, by=mira)
    give_consent(made)
    confirm_guidelines(made)
    return made


def answers(person, right: int) -> dict[int, str]:
    items = person.campaign.items.filter(role=Role.TEST).order_by("position")
    return {item.pk: "non-hateful" if place < right else "hateful" for place, item in enumerate(items)}


def test_the_result_is_told_in_numbers(person, client, ana):
    client.force_login(ana)
    page = reverse("annotation:test", args=[person.campaign.key])
    assert "You need 3 of 4 right." in client.get(page).content.decode()
    given = {f"item-{pk}": label for pk, label in answers(person, 2).items()}
    html = client.post(page, given, follow=True).content.decode()
    assert "2 of 4 right; you need 3. You have 1 more try. Read the guidelines again first." in html
    given = {f"item-{pk}": label for pk, label in answers(person, 3).items()}
    assert "You passed the test: 3 of 4 right." in client.post(page, given, follow=True).content.decode()


@pytest.mark.parametrize(
    ("mark", "total", "needed"), [(0.7, 10, 7), (0.7, 4, 3), (1.0, 3, 3), (None, 4, 0), (0.1, 3, 1)]
)
def test_how_many_are_needed(campaign, mark, total, needed):
    campaign.pass_mark = mark
    assert right_answers_needed(campaign, total) == needed


def test_after_the_last_try_another_one_can_be_granted(person, mira, emil):
    with pytest.raises(NotReady):
        grant_try(person, by=mira)  # there are tries left
    for _ in range(2):
        hand_in_test(person, answers(person, 0))
    assert (person.state, person.reason) == ("ended", "The test was not passed: 0 of 4 right, 3 needed.")
    with pytest.raises(NotReady):
        hand_in_test(person, answers(person, 4))
    with pytest.raises(NotAllowed):
        grant_try(person, by=emil)
    grant_try(person, by=mira)
    assert (person.state, person.reason, tries_left(person)) == ("active", "", 1)
    assert hand_in_test(person, answers(person, 4)).right == 4
    assert person.qualified_at is not None
    with pytest.raises(NotReady):
        grant_try(person, by=mira)


def test_page_and_api_grant_it(person, mira, client):
    for _ in range(2):
        hand_in_test(person, answers(person, 0))
    client.force_login(mira)
    setup = reverse("annotation:campaign-setup", args=[person.campaign.key])
    assert "Grant another try" in client.get(setup).content.decode()
    address = reverse("annotation:campaign-person", args=[person.campaign.key, person.annotator.pseudonym])
    client.post(address, {"step": "retry"})
    person.refresh_from_db()
    assert (person.state, person.extra_tries) == ("active", 1)
    hand_in_test(person, answers(person, 0))
    api = APIClient()
    api.force_authenticate(mira)
    retry = f"/api/v1/campaigns/{person.campaign.key}/people/{person.annotator.pseudonym}/retry/"
    assert (api.post(retry).status_code, api.post(retry).status_code) == (204, 409)
    person.refresh_from_db()
    assert person.extra_tries == 2


def test_a_manager_changes_a_text_on_the_page_and_in_the_api(campaign, mira, client):
    client.force_login(mira)
    item = campaign.items.order_by("position").first()
    html = client.get(reverse("annotation:campaign-setup", args=[campaign.key])).content.decode()
    assert f'id="item-{item.pk}-explanation"' in html
    client.post(
        reverse("annotation:campaign-item-change", args=[campaign.key, item.pk]),
        {"text": "Rain is wet.", "expected": "non-hateful", "explanation": "Rule 1."},
    )
    item.refresh_from_db()
    assert (item.text, item.explanation) == ("Rain is wet.", "Rule 1.")
    api = APIClient()
    api.force_authenticate(mira)
    address = f"/api/v1/campaigns/{campaign.key}/items/{item.pk}/"
    changed = api.put(address, {"expected": "hateful", "explanation": "Rule 2."})
    assert (changed.status_code, changed.json()["text"], changed.json()["expected"]) == (200, "Rain is wet.", "hateful")
    assert api.put(address, {"expected": "maybe"}).status_code == 422
