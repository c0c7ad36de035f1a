"""What the search finds in evaluation: models, data sets, attacks and splits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse

from core.search.finding import MOST, Hit, Search, register_search
from core.text import _
from evaluation.models import Attack, Dataset, DetectionModel, Split

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


def find_models(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find models by name, key or description."""
    fits = Q(name__icontains=words) | Q(key__icontains=words) | Q(description__icontains=words)
    for model in DetectionModel.objects.visible_to(user).current().filter(fits).order_by("name")[:MOST]:
        yield Hit(model.name, model.get_absolute_url(), model.key)


def find_titled(
    kind: type[Dataset | Attack | Split], page: str, user: User | AnonymousUser, words: str
) -> Iterator[Hit]:
    """Find data sets, attacks or splits by title or key."""
    fits = Q(title__icontains=words) | Q(key__icontains=words)
    for one in kind.objects.visible_to(user).filter(fits).order_by("title")[:MOST]:
        yield Hit(one.title or one.key, reverse(page, args=[one.key]), one.key)


def register() -> None:
    """Add the kinds of evaluation to the search."""
    kinds: dict[str, Search] = {
        _("Models"): find_models,
        _("Data sets"): partial(find_titled, Dataset, "evaluation:dataset"),
        _("Attacks"): partial(find_titled, Attack, "evaluation:attack"),
        _("Splits"): partial(find_titled, Split, "evaluation:split"),
    }
    for place, (kind, search) in enumerate(kinds.items()):
        register_search(kind, search, order=40 + place)
