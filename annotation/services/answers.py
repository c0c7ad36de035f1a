"""What an answer counts as: a scale is cut in two, everything else counts as it is."""

from __future__ import annotations

from annotation.models import Campaign, CampaignItem
from annotation.models.campaigns import Question


def counted_label(campaign: Campaign, label: str) -> str:
    """The label of the suite that an answer stands for; on a scale, above the cut is the positive one."""
    if campaign.question != Question.SCALE:
        return label
    positive, negative = campaign.suite.labels[0], campaign.suite.labels[1]
    return str(positive if int(label) > campaign.binarise_above else negative)


def hateful_answers(campaign: Campaign) -> list[str]:
    """The answers that call a text hateful, for whoever offers a break after many of them; none where none does."""
    if campaign.question == Question.SCALE:
        return [label for label in campaign.labels if int(label) > campaign.binarise_above]
    return [campaign.suite.positive_label] if campaign.suite.positive_label in campaign.labels else []


def right_answers(campaign: Campaign, item: CampaignItem) -> list[str]:
    """The answers that are as expected; several on a scale, where a side is expected."""
    return [label for label in campaign.labels if is_right(campaign, item, label)]


def is_right(campaign: Campaign, item: CampaignItem, label: str) -> bool:
    """Whether an answer to a training, test or check item is the expected one (on a scale: on the expected side)."""
    expected = item.expected
    if campaign.question == Question.SCALE and expected in campaign.labels:
        expected = counted_label(campaign, expected)
    return counted_label(campaign, label) == expected
