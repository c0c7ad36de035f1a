"""What a signed-in person can do next, by role; each app says what waits in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.next_actions import next_actions as annotation_actions
from curation.next_actions import release_actions, writing_actions
from evaluation.next_actions import next_actions as evaluation_actions
from generation.next_actions import next_actions as generation_actions

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from ui.cards import Card


def cards_for(user: User | AnonymousUser) -> list[Card]:
    """The next actions of a signed-in person; none for visitors."""
    if not user.is_authenticated:
        return []
    cards = annotation_actions(user)
    if user.is_expert or user.is_maintainer:
        cards += [*writing_actions(user), *generation_actions(user)]
    if user.is_maintainer:
        cards += release_actions(user)
    if user.is_evaluator or user.is_maintainer:
        cards += evaluation_actions(user)
    return cards
