"""Registering models: a spec is loaded once, so that what cannot run is refused at the door."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, DomainError, NotAllowed
from core.inference.descriptions import ENDINGS, read_file
from core.model_access import inference_settings
from core.permissions import require_evaluator
from core.text import _
from evaluation.models import DetectionModel, ModelVersion
from evaluation.permissions import require_work_on
from evaluation.registry.archiving import require_current
from evaluation.registry.options import LONGEST_NAME, NO_NAME, ModelFacts, Spec
from evaluation.runners import (
    InferenceError,
    ModelCheck,
    QuotaReached,
    Runner,
    RunnerBusy,
    RunnerSettings,
    check_model,
    load_runner,
)
from evaluation.runners.asking import MILD_TEXT
from evaluation.runners.checking import check_runner
from evaluation.runners.loading import parse_spec, runner_kinds, target_key
from evaluation.runs.scoring import mark_languages

LABELS = ("hateful", "non-hateful")


class ModelRefused(DomainError):
    """The model cannot be loaded or may not be asked."""

    code, status = "model_refused", 422


class ModelChanged(DomainError):
    """What the spec points to gives other answers than when it was registered."""

    code, status = "model_changed", 409


def runner_settings(labels: Sequence[str] = LABELS, **changes: Any) -> RunnerSettings:
    """What this installation allows its runners."""
    if len(labels) < 2:
        raise BadInput(_("A model is tested on at least two labels. Add another label to the suite."))
    allowed = inference_settings()
    commands = dict(entry.split("=", 1) for entry in settings.ALLOWED_COMMAND_MODELS if "=" in entry)
    return RunnerSettings(
        labels=tuple(map(str, labels)),
        allowed_callables=frozenset(entry for entry in settings.ALLOWED_COMMAND_MODELS if "=" not in entry),
        allowed_commands={name: shlex.split(command) for name, command in commands.items()},
        **{each.name: getattr(allowed, each.name) for each in fields(allowed)},
        code_version=settings.VERSION,
        **changes,
    )


def load(spec: Spec, labels: Sequence[str] = LABELS, **changes: Any) -> Runner:
    """A runner that is ready. Refuses with the runner's own sentence."""
    try:
        return load_runner(spec, settings=runner_settings(labels, **changes))
    except InferenceError as error:
        raise ModelRefused(error.sentence) from error


def try_model(spec: Spec, labels: Sequence[str] = LABELS, *, texts: Sequence[str] | None = None) -> ModelCheck:
    """Load a model and label a few texts with it; what is wrong is in the result, nothing is raised or kept."""
    changes = {} if texts is None else {"texts": texts}
    return check_model(spec, settings=runner_settings(labels), **changes)


def require_first_answer(runner: Runner, labels: Sequence[str] = LABELS) -> None:
    """Ask a model that is not registered yet about one mild text. Refuses one that fails its first question.

    A service that says when it may be asked again, or whose quota is used up, has answered.
    """
    if ModelVersion.objects.filter(fingerprint=runner.fingerprint).exists():
        return
    try:
        check = check_runner(runner, settings=runner_settings(labels), texts=(MILD_TEXT,))
    except QuotaReached:
        return
    except RunnerBusy as error:
        if error.retry_after:
            return
        raise ModelRefused(error.sentence) from error
    except InferenceError as error:
        raise ModelRefused(error.sentence) from error
    if check.problem:
        raise ModelRefused(check.problem)


def settle_spec(spec: Spec) -> Spec:
    """The spec as a worker elsewhere needs it: paths made absolute, so that it does not matter where it stands."""
    if not isinstance(spec, str):
        key = target_key(str(spec.get("kind", "")))
        target = str(settle_spec(f"{spec.get('kind')}:{spec[key]}")).partition(":")[2] if spec.get(key) else ""
        return {**spec, key: target} if target else dict(spec)
    kind, colon, target = spec.strip().partition(":")
    path = Path(target).expanduser()
    runner = runner_kinds().get(kind)
    is_file = path.suffix in ENDINGS or (runner is not None and runner.source == "file")
    if colon and not path.is_absolute() and runner is not None and runner.source != "none":
        here = Path.cwd() / path
        if here.is_file() if is_file else here.is_dir():
            return f"{kind}:{here.resolve()}"
    return spec.strip()


def pin_spec(spec: Spec, described: Mapping[str, Any]) -> Spec:
    """The spec with the commit a hub model was resolved to: the hub moves on, a version does not."""
    revision = described.get("revision")
    runner = runner_kinds().get(str(described.get("kind")))
    if not revision or runner is None or runner.source != "hub":
        return spec
    parsed = parse_spec(spec)
    if parsed.kind == "preset":
        spec = {"kind": parsed.kind, "preset": parsed.target, **parsed.options}
    if isinstance(spec, str):
        kind, target = spec.partition(":")[::2]
        if not target.endswith(ENDINGS):
            return f"{kind}:{described['model']}@{revision}"
        spec = {"kind": kind, **read_file(Path(target)).values}
    return {**spec, "model": described["model"], "revision": revision}


@transaction.atomic
def register_model(name: str, spec: Spec, runner: Runner, *, by: User | None, **facts: Any) -> ModelVersion:
    """Remember a model that could be loaded. The same name and fingerprint again gives the same version.

    Refuses the name of a model that somebody else registered, unless a maintainer uses it.
    """
    if by is not None:
        require_evaluator(by)
    if not name.strip():
        raise BadInput(NO_NAME)
    model, is_new = DetectionModel.objects.get_or_create(
        name=name.strip()[:LONGEST_NAME], defaults={"key": free_key(name), "created_by": by, **facts}
    )
    require_current(model)
    if by is not None:
        require_work_on(by, model)
    described = runner.describe()
    known = model.versions.filter(fingerprint=runner.fingerprint).first()
    if known:
        # The same answers, perhaps at another pace or from another folder: the newest description is followed.
        known.spec = pin_spec(settle_spec(spec), described)
        known.save(update_fields=["spec"])
        return known
    number = (model.versions.aggregate(last=Max("number"))["last"] or 0) + 1
    version = ModelVersion.objects.create(
        model=model,
        number=number,
        spec=pin_spec(settle_spec(spec), described),
        fingerprint=runner.fingerprint,
        description=described,
    )
    audit.record(by, Action.MODEL_REGISTERED, model, version=number, new=is_new)
    return version


@transaction.atomic
def change_model(model: DetectionModel, options: ModelFacts, *, by: User) -> DetectionModel:
    """Change what people may read about a model, and whether its results are public; results follow the languages.

    Refuses to make results public again to all but maintainers, who may have hidden them.
    """
    require_work_on(by, model)
    facts = options.facts()
    if facts["on_leaderboard"] and not model.on_leaderboard and not by.is_maintainer:
        raise NotAllowed(_("Only maintainers can make the results of a model public again. Ask one of them."))
    has_other_languages = model.trained_on != facts["trained_on"]
    for name, value in facts.items():
        setattr(model, name, value)
    model.save(update_fields=list(facts))
    if has_other_languages:
        mark_languages(model)
    audit.record(by, Action.MODEL_REGISTERED, model, changed=True, on_leaderboard=model.on_leaderboard)
    return model


def free_key(name: str) -> str:
    """A key made from a name that no model has yet."""
    stem = slugify(name)[:70] or "model"
    key, number = stem, 2
    while DetectionModel.objects.filter(key=key).exists():
        key, number = f"{stem}-{number}", number + 1
    return key
