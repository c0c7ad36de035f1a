"""A few chosen cases as an annotator would see them."""

from __future__ import annotations

import secrets

from annotation.agreement.ordering import spread_templates
from annotation.models import Campaign
from annotation.models.campaigns import NOT_YET, Question, Role
from annotation.services.campaigns import selection_of
from annotation.services.choosing import matching_cases
from annotation.services.labelling import ShownText
from curation.models import TestCase

SHOWN = 10
DRAWN_FROM = 400


def preview_texts(campaign: Campaign) -> list[ShownText]:
    """Ten texts of the campaign in the kind of order people get; nothing about them is stored."""
    if campaign.state in NOT_YET:
        cases = matching_cases(campaign.suite, campaign.language, selection_of(campaign))
    else:
        cases = TestCase.objects.filter(campaign_items__campaign=campaign, campaign_items__role=Role.LABEL)
    template_of = dict(cases.order_by("id").values_list("id", "template_id")[:DRAWN_FROM])
    order = spread_templates(list(template_of), template_of=template_of, seed=campaign.seed)[:SHOWN]
    rows = TestCase.objects.select_related("language", "functionality").in_bulk(order)
    asks_statement = campaign.question == Question.CONSISTENCY
    return [
        ShownText(
            assignment=secrets.token_urlsafe(9),
            text=rows[case].text,
            language=rows[case].language.bcp47,
            direction=rows[case].language.direction,
            statement=rows[case].functionality.definition if asks_statement else "",
        )
        for case in order
    ]
