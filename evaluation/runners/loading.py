"""From the text that names a model to a runner that is ready."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.inference.descriptions import ENDINGS, read_file
from core.inference.errors import SpecError
from core.inference.model_files import LONGEST_NAME
from core.inference.settings import DTYPES
from core.text import Text, _
from evaluation.runners.answers import Runner
from evaluation.runners.chat import ChatRunner
from evaluation.runners.command import CommandRunner
from evaluation.runners.http_api import HttpRunner
from evaluation.runners.kinds import RunnerKind, Spec
from evaluation.runners.linear_local import LinearRunner
from evaluation.runners.nli import NliRunner
from evaluation.runners.preset_runner import PresetRunner
from evaluation.runners.python_callable import PythonRunner
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.transformers_local import TransformersRunner
from evaluation.runners.upload import UploadRunner

# The one place where a kind of runner is registered; the order is that of the examples on the page.
RUNNERS: list[type[RunnerKind]] = [
    PresetRunner,
    TransformersRunner,
    NliRunner,
    ChatRunner,
    HttpRunner,
    LinearRunner,
    PythonRunner,
    CommandRunner,
    UploadRunner,
]


def runner_kinds() -> dict[str, type[RunnerKind]]:
    """Return every kind of runner by the word before the colon of its specs."""
    return {runner.kind: runner for runner in RUNNERS}


def target_key(kind: str) -> str:
    """Return the key of a description that holds what stands behind the colon of a spec."""
    return runner_kinds().get(kind, RunnerKind).target_key


def name_of(spec: str | Mapping[str, Any]) -> str:
    """Return a readable name of a model: the last part of what its spec points to."""
    if isinstance(spec, Mapping):
        target = str(spec.get(target_key(str(spec.get("kind", ""))), spec))
    else:
        target = spec.partition(":")[2] or spec
        target = target.partition("?")[0] if spec.startswith(PresetRunner.kind) else target
    path = Path(target.rstrip("/"))
    # Only a file's ending goes: in a model's own name a dot belongs to it ("detector-v1.5").
    return (path.stem if path.suffix in ENDINGS else path.name) or target


def usages() -> str:
    """Return how specs are written, for people."""
    return Text.made("%(kinds)s", {"kinds": [runner.syntax for runner in RUNNERS]})


def parse_spec(spec: object) -> Spec:
    """Take `kind:target`, or a mapping with `kind`, `model` and options. Refuses unknown kinds and endless names."""
    if isinstance(spec, Mapping):
        kind = str(spec.get("kind", ""))
        key = target_key(kind)
        options = {name: value for name, value in spec.items() if name not in {"kind", key}}
        parsed = Spec(kind, str(spec.get(key, "")), options)
    elif isinstance(spec, str):
        kind, target = spec.strip().partition(":")[::2]
        parsed = Spec(kind, target.strip())
    else:
        raise SpecError(
            _(
                "a %(type)s does not name a model. Write one of: %(kinds)s.",
                type=type(spec).__name__,
                kinds=usages(),
            )
        )
    if len(parsed.target) > LONGEST_NAME:
        raise SpecError(
            _(
                "the name after '%(kind)s:' has more than %(most)s characters. Shorten it.",
                kind=parsed.kind[:20],
                most=LONGEST_NAME,
            )
        )
    if parsed.kind not in runner_kinds():
        raise SpecError(
            _(
                "'%(spec)s' does not name a model. Write one of: %(kinds)s.",
                spec=str(spec)[:LONGEST_NAME],
                kinds=usages(),
            )
        )
    if not parsed.target and not parsed.options and runner_kinds()[parsed.kind] is not UploadRunner:
        raise SpecError(
            _(
                "'%(spec)s' has nothing after '%(kind)s:'. Write one of: %(kinds)s.",
                spec=str(spec),
                kind=parsed.kind,
                kinds=usages(),
            )
        )
    return parsed


def load_runner(spec: str | Mapping[str, Any], *, settings: RunnerSettings) -> Runner:
    """Return the runner a spec names, checked and with its model loaded.

    Refuses, with a sentence that says what to do: unknown kinds and options, models that cannot be used, addresses,
    callables and commands the settings do not permit.
    """
    parsed = parse_spec(spec)
    parsed = runner_kinds()[parsed.kind].resolve(parsed)
    runner = runner_kinds()[parsed.kind]
    if parsed.target.endswith(ENDINGS) and runner.source in {"hub", "folder"}:
        values = read_file(parsed.file(settings), settings=settings).values
        parsed = Spec(parsed.kind, str(values.get("model", "")), {k: v for k, v in values.items() if k != "model"})
    if runner.options is not None:
        for option in parsed.options:
            if option not in runner.options:
                raise SpecError(
                    _(
                        "%(kind)s: has no option '%(option)s'. It knows: %(known)s.",
                        kind=parsed.kind,
                        option=str(option),
                        known=sorted(runner.options),
                    )
                )
    if parsed.options.get("dtype", "fp32") not in DTYPES:
        raise SpecError(
            _(
                "'%(dtype)s' is not a number format here. Use %(formats)s.",
                dtype=str(parsed.options["dtype"]),
                formats=list(DTYPES),
            )
        )
    return runner.load(parsed, settings)
