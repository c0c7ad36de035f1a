"""What waits for those who decide about candidates."""

from django.db.models import Count, Max
from django.urls import reverse

from accounts.models import User
from core.text import _, ngettext
from generation.models import Candidate
from ui.cards import Card


def next_actions(user: User) -> list[Card]:
    """Return the run with the newest undecided candidates."""
    newest = (
        Candidate.objects.visible_to(user)
        .proposed()
        .values("run__key", "run__functionality__title", "run__suite__name")
        .annotate(waiting=Count("id"), newest=Max("id"))
        .order_by("-newest")
        .first()
    )
    if newest is None:
        return []
    title = ngettext(
        "%(count)s candidate is waiting for your decision",
        "%(count)s candidates are waiting for your decision",
        newest["waiting"],
    )
    text = _(
        "%(functionality)s, for %(suite)s.",
        functionality=newest["run__functionality__title"],
        suite=newest["run__suite__name"],
    )
    return [Card(title, text, reverse("generation:candidates", args=[newest["run__key"]]), _("Decide"))]
