"""What waits for those who decide about candidates."""

from django.db.models import Count, Max
from django.urls import reverse

from accounts.models import User
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
    waiting = newest["waiting"]
    title = "1 candidate waits for a decision" if waiting == 1 else f"{waiting} candidates wait for a decision"
    text = f"{newest['run__functionality__title']}, for {newest['run__suite__name']}."
    return [Card(title, text, reverse("generation:candidates", args=[newest["run__key"]]), "Decide")]
