"""What a signed-in person can do next, by role."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.urls import NoReverseMatch, reverse

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class Card(NamedTuple):
    title: str
    text: str
    url: str
    action: str


CARDS = (
    (
        "is_annotator",
        "annotation:my_work",
        "Label cases",
        "Read short texts and say what they are. Stop whenever you like.",
        "Start labelling",
    ),
    (
        "is_expert",
        "curation:suites",
        "Write and review templates",
        "See what is missing in your language and fill it.",
        "Open the suites",
    ),
    (
        "is_maintainer",
        "annotation:campaigns",
        "Follow the campaigns",
        "Will they finish in time, and is agreement good enough?",
        "Open campaigns",
    ),
    (
        "is_maintainer",
        "curation:releases",
        "Freeze a release",
        "Preview what is in and out, build it, publish it.",
        "Open releases",
    ),
    (
        "is_maintainer",
        "evaluation:results",
        "Test a model",
        "Run a model against a release and see where it fails.",
        "Open results",
    ),
)


def cards_for(user: User | AnonymousUser) -> list[Card]:
    """The next actions of a signed-in person; none for visitors."""
    cards = []
    for role, url_name, title, text, action in CARDS:
        if not getattr(user, role, False):
            continue
        try:
            cards.append(Card(title, text, reverse(url_name), action))
        except NoReverseMatch:
            continue
    return cards
