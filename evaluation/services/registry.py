"""Registering models: a spec is loaded once, so that what cannot run is refused at the door."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput, DomainError
from curation.models import Suite
from curation.permissions import require_maintainer
from evaluation.models import DetectionModel, ModelVersion
from evaluation.runners import Runner, RunnerError, RunnerSettings, allow_hosts, load_runner


class ModelRefused(DomainError):
    """The model cannot be loaded or may not be asked."""

    code, status = "model_refused", 422


def runner_settings(labels: list[str] | tuple[str, ...], **changes: Any) -> RunnerSettings:
    """What this installation allows its runners."""
    if len(labels) != 2:
        raise BadInput(f"Models are tested on two labels; this suite has {len(labels)}. Choose a suite with two.")
    commands = dict(entry.split("=", 1) for entry in settings.ALLOWED_COMMAND_MODELS if "=" in entry)
    return RunnerSettings(
        labels=(labels[0], labels[1]),
        allow_url=allow_hosts(settings.ALLOWED_MODEL_HOSTS),
        allowed_callables=frozenset(entry for entry in settings.ALLOWED_COMMAND_MODELS if "=" not in entry),
        allowed_commands={name: command.split() for name, command in commands.items()},
        base_folder=Path.cwd(),
        code_version=settings.VERSION,
        **changes,
    )


def load(spec: str | Mapping[str, Any], suite: Suite, **changes: Any) -> Runner:
    """A runner that is ready. Refuses with the runner's own sentence."""
    try:
        return load_runner(spec, settings=runner_settings(suite.labels, **changes))
    except RunnerError as error:
        raise ModelRefused(str(error)) from error


def name_of(spec: str | Mapping[str, Any]) -> str:
    """A readable name where none is given: the last part of what the spec points to."""
    target = str(spec.get("model", spec)) if isinstance(spec, Mapping) else spec.partition(":")[2] or spec
    return Path(target.rstrip("/")).stem or target


@transaction.atomic
def register_model(
    name: str, spec: str | Mapping[str, Any], runner: Runner, *, by: User | None, **facts: Any
) -> ModelVersion:
    """Remember a model that could be loaded. The same name and fingerprint again gives the same version."""
    if by is not None:
        require_maintainer(by)
    model, is_new = DetectionModel.objects.get_or_create(
        name=name, defaults={"key": free_key(name), "created_by": by, **facts}
    )
    known = model.versions.filter(fingerprint=runner.fingerprint).first()
    if known:
        return known
    number = (model.versions.aggregate(last=Max("number"))["last"] or 0) + 1
    version = ModelVersion.objects.create(
        model=model,
        number=number,
        spec=dict(spec) if isinstance(spec, Mapping) else spec,
        fingerprint=runner.fingerprint,
        description=runner.describe(),
    )
    audit.record(by, Action.MODEL_REGISTERED, model, version=number, new=is_new)
    return version


def free_key(name: str) -> str:
    """A key made from a name that no model has yet."""
    stem = slugify(name)[:70] or "model"
    key, number = stem, 2
    while DetectionModel.objects.filter(key=key).exists():
        key, number = f"{stem}-{number}", number + 1
    return key
