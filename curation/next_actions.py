"""What waits for those who write, review and publish."""

from django.db.models import Count
from django.urls import reverse

from accounts.models import User
from core.text import _, ngettext, pgettext
from curation.authoring.reviewing import waiting_for
from curation.models import Release, ReleaseAccessRequest
from curation.releases.models import ReleaseState, RequestState
from ui.cards import Card

MOST = 3


def writing_actions(user: User) -> list[Card]:
    """Templates to review, or a way to the suites."""
    cards = []
    if waiting := waiting_for(user).exclude(author=user).count():
        title = ngettext(
            "%(count)s template is waiting for your review", "%(count)s templates are waiting for your review", waiting
        )
        text = _("Read the cases that the templates of other authors produce, then approve or reject them.")
        cards.append(Card(title, text, reverse("curation:reviews"), pgettext("button", "Review")))
    if user.is_expert:
        text = _("Find the gaps in your language and fill them.")
        cards.append(Card(_("Write templates"), text, reverse("curation:suites"), _("Open the suites")))
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
            ngettext(
                "%(count)s person asks for access to %(release)s",
                "%(count)s people ask for access to %(release)s",
                people,
                release=f"{suite}@{version}",
            ),
            _("They gave their reasons and accepted the terms."),
            reverse("curation:release-access", args=[suite, version]),
            _("Read and decide"),
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
            _("%(release)s is ready to be published", release=release.key),
            _("It is built and checked."),
            release.get_absolute_url(),
            _("Review and publish"),
        )
        for release in candidates
    ]
    text = _("Preview what a release contains, build it and publish it.")
    url = reverse("curation:release-new")
    return asking + cards or [Card(_("Make a release"), text, url, _("Preview a release"))]
