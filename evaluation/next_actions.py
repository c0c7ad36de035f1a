"""What the newest results say, for those who test models."""

from django.urls import reverse

from accounts.models import User
from evaluation.models import EvaluationRun
from ui.cards import Card
from ui.numbers import format_percent

MOST = 2


def next_actions(user: User) -> list[Card]:
    """The newest results, or a way to the first ones."""
    runs = (
        EvaluationRun.objects.visible_to(user)
        .finished()
        .select_related("release__suite", "model_version__model", "report")
        .defer("release__facts", "release__prose")
        .order_by("-finished_at", "-pk")[:MOST]
    )
    cards = []
    for run in runs:
        accuracy = run.report.values["overall"]["accuracy"]
        right = "Nothing was answered" if accuracy is None else f"{format_percent(accuracy)} right"
        text = f"{right} on {run.release.key}."
        cards.append(Card(run.model_version.model.name, text, run.get_absolute_url(), "See where it fails"))
    text = "Run a model against a release and see where it fails."
    return cards or [Card("Test a model", text, reverse("evaluation:models"), "Choose a model")]
