"""What waits for those who write, review and publish."""

from django.db.models import Count
from django.urls import reverse

from accounts.models import User
from curation.authoring.reviewing import waiting_for
from curation.models import Release, ReleaseAccessRequest
from curation.releases.models import ReleaseState, RequestState
from ui.cards import Card

MOST = 3


def writing_actions(user: User) -> list[Card]:
    """Wordings to review, or a way to the suites."""
    cards = []
    if waiting := waiting_for(user).exclude(author=user).count():
        title = "1 wording waits for review" if waiting == 1 else f"{waiting} wordings wait for review"
        text = "Another person wrote them. Read the cases they make, then approve or reject."
        cards.append(Card(title, text, reverse("curation:reviews"), "Review"))
    if user.is_expert:
        text = "See what is missing in your language and fill it."
        cards.append(Card("Write templates", text, reverse("curation:suites"), "Open the suites"))
    return cards


def release_actions(user: User) -> list[Card]:
    """People who ask for a release, candidates to publish, or a way to the next release."""
    asked = (
        ReleaseAccessRequest.objects.filter(state=RequestState.ASKED)
        .values_list("release__suite__key", "release__version")
        .annotate(people=Count("id"))
        .order_by("release__suite__key", "release__version")[:MOST]
    )
    asking = [
        Card(
            f"1 person asks for {suite}@{version}" if people == 1 else f"{people} people ask for {suite}@{version}",
            "They said what for and accepted the terms.",
            reverse("curation:release-access", args=[suite, version]),
            "Read and decide",
        )
        for suite, version, people in asked
    ]
    candidates = (
        Release.objects.visible_to(user)
        .filter(state=ReleaseState.CANDIDATE)
        .select_related("suite")
        .defer("facts", "prose")
        .order_by("-created_at")[:MOST]
    )
    cards = [
        Card(
            f"{release.key} waits to be published",
            "It is built and checked.",
            release.get_absolute_url(),
            "Look and publish",
        )
        for release in candidates
    ]
    text = "Preview what is in and out, build it, publish it."
    return asking + cards or [Card("Freeze a release", text, reverse("curation:release-new"), "Preview a release")]
