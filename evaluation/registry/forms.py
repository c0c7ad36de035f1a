"""Forms of models: registering one, changing what is said about it, running it, and predictions made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from core.options import Options
from core.options.forms import OptionsForm
from curation.models import Release
from evaluation.models import DetectionModel
from evaluation.registry.options import ChangeModelOptions, RegisterOptions
from evaluation.runs.options import PredictionsOptions, RunOptions

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

Chosen = TypeVar("Chosen", bound=Options)


def published(user: User | AnonymousUser | None = None) -> QuerySet[Release]:
    """Return the releases a model can be run on; with a person only those they may see."""
    found = Release.objects.all() if user is None else Release.objects.visible_to(user)
    found = found.published().select_related("suite").defer("facts", "prose")
    return found.order_by("suite__key", "-created_at")


def find_published(key: str, user: User | AnonymousUser) -> Release:
    """Return the release that a form offered. Not found where it is gone."""
    return get_object_or_404(published(user), suite__key=key.partition("@")[0], version=key.partition("@")[2])


class ReleaseForm(OptionsForm[Chosen]):
    """A form that chooses among the published releases."""

    def __init__(self, *args: Any, user: User | AnonymousUser | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("release", [(release.key, release.key) for release in published(user)])


class RegisterForm(ReleaseForm[RegisterOptions]):
    """A model to register."""

    options = RegisterOptions


class RunForm(ReleaseForm[RunOptions]):
    """A release on which a registered model is run."""

    options = RunOptions


class UploadForm(ReleaseForm[PredictionsOptions]):
    """Predictions that were computed elsewhere."""

    options = PredictionsOptions


class ChangeModelForm(OptionsForm[ChangeModelOptions]):
    """What is said about a model."""

    options = ChangeModelOptions

    @classmethod
    def of(cls, model: DetectionModel, data: Any) -> ChangeModelForm:
        return cls(data, initial={name: getattr(model, name) for name in cls.options.model_fields})
