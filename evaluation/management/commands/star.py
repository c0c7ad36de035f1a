"""Give a model a star, or take it away."""

from typing import Any

from django.db.models import Q

from core.commands import DomainCommand
from core.errors import Missing
from evaluation.models import DetectionModel
from evaluation.registry.options import StarOptions
from evaluation.registry.starring import star_model


class Command(DomainCommand):
    help = "Give a model a star: results show it before newer ones."
    options = StarOptions

    def perform(self, chosen: StarOptions) -> dict[str, Any]:
        model = DetectionModel.objects.filter(Q(key=chosen.model) | Q(name=chosen.model)).first()
        if model is None:
            raise Missing(f"There is no model '{chosen.model}'. See: list models")
        star_model(model, is_starred=not chosen.off, by=None)
        return {"model": model.key, "is_starred": model.is_starred}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['model']} has {'a' if result['is_starred'] else 'no'} star."
