"""What the newest results say, for those who test models."""

from django.urls import reverse

from accounts.models import User
from core.text import _
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
        if accuracy is None:
            text = _("No answers on %(release)s.", release=run.release.key)
        else:
            text = _("%(share)s right on %(release)s.", share=format_percent(accuracy), release=run.release.key)
        cards.append(Card(run.model_version.model.name, text, run.get_absolute_url(), _("See where it fails")))
    text = _("Run a model on a release and see where it fails.")
    return cards or [Card(_("Test a model"), text, reverse("evaluation:models"), _("Choose a model"))]
