"""A label that arrives while the campaign is being closed: it is counted, or it is refused, never in between."""

import threading

import pytest
from django.db import connection, transaction

from annotation.campaigns.models import CampaignState
from annotation.labelling.exchange import Exchanged, exchange
from annotation.labelling.recording import Event
from annotation.models import Campaign, Participation
from annotation.states import move_campaign
from tests.annotation.factories import make_open_campaign, make_suite, newcomer

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_label_waits_for_whoever_is_closing_and_is_then_refused(mira):
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite transactions that write come one after the other")
    campaign = make_open_campaign(make_suite(), mira)
    person = newcomer(campaign)
    key = exchange(person).texts[0].assignment
    answers: list[Exchanged] = []

    def label() -> None:
        mine = Participation.objects.get(pk=person.pk)
        answers.append(exchange(mine, [Event("one", key, "label", "hateful")]))
        connection.close()

    late = threading.Thread(target=label)
    with transaction.atomic():
        closing = Campaign.objects.get(pk=campaign.pk)
        move_campaign(closing, CampaignState.CLOSING)
        late.start()
        late.join(timeout=1)
        assert late.is_alive()  # it waits; the labels that are being counted now are all there will be
        move_campaign(closing, CampaignState.CLOSED)
    late.join(timeout=30)
    assert (answers[0].receipts[0].status, answers[0].stop) == ("refused", "closed")
