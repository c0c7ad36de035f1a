"""From the text that names a model to a runner that is ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curation.inference.model_files import LONGEST_NAME
from evaluation.runners.answers import Runner
from evaluation.runners.descriptions import read_description
from evaluation.runners.errors import SpecError
from evaluation.runners.settings import DTYPES, RunnerSettings

EXAMPLES = (
    "hf:FOLDER_OR_ID[@revision], nli:FOLDER_OR_ID[@revision], linear:FOLDER, http:FILE.yaml, chat:FILE.yaml, "
    "python:module:callable, command:NAME, upload"
)


@dataclass(frozen=True, slots=True)
class Spec:
    """A model's name taken apart: its kind, what it points to, and the options of its kind."""

    kind: str
    target: str
    options: Mapping[str, Any] = field(default_factory=dict)


def parse_spec(spec: object) -> Spec:
    """`kind:target`, or a mapping with `kind`, `model` and options. Refuses unknown kinds and endless names."""
    if isinstance(spec, Mapping):
        options = {key: value for key, value in spec.items() if key not in {"kind", "model"}}
        parsed = Spec(str(spec.get("kind", "")), str(spec.get("model", "")), options)
    elif isinstance(spec, str):
        kind, _, target = spec.strip().partition(":")
        parsed = Spec(kind, target.strip())
    else:
        raise SpecError(f"a {type(spec).__name__} does not name a model. Write one of: {EXAMPLES}.")
    if len(parsed.target) > LONGEST_NAME:
        raise SpecError(f"the name after '{parsed.kind[:20]}:' has more than {LONGEST_NAME} characters. Shorten it.")
    if parsed.kind not in KINDS:
        raise SpecError(f"'{str(spec)[:LONGEST_NAME]}' does not name a model. Write one of: {EXAMPLES}.")
    if not parsed.target and not parsed.options and parsed.kind != "upload":
        raise SpecError(f"'{spec}' has nothing after '{parsed.kind}:'. Write one of: {EXAMPLES}.")
    return parsed


def load_runner(spec: str | Mapping[str, Any], *, settings: RunnerSettings) -> Runner:
    """The runner a spec names, checked and with its model loaded.

    Refuses, with a sentence that says what to do: unknown kinds and options, models that cannot be used, addresses,
    callables and commands the settings do not permit.
    """
    parsed = parse_spec(spec)
    build, known = KINDS[parsed.kind]
    if parsed.target.endswith((".yaml", ".yml")) and parsed.kind in {"hf", "nli", "linear"}:
        values = read_description(_file(parsed.target, settings)).values
        parsed = Spec(parsed.kind, str(values.get("model", "")), {k: v for k, v in values.items() if k != "model"})
    if known is not None:
        for option in parsed.options:
            if option not in known:
                raise SpecError(f"{parsed.kind}: has no option '{option}'. It knows: {', '.join(sorted(known))}.")
    if parsed.options.get("dtype", "fp32") not in DTYPES:
        raise SpecError(f"'{parsed.options['dtype']}' is not a number format here. Use {', '.join(DTYPES)}.")
    return build(parsed, settings)


def _hf(spec: Spec, settings: RunnerSettings) -> Runner:
    from curation.inference.model_files import split_revision
    from evaluation.runners.transformers_local import TransformersRunner

    name, revision = split_revision(spec.target)
    return TransformersRunner(name, settings=settings, **{"revision": revision, **spec.options})


def _nli(spec: Spec, settings: RunnerSettings) -> Runner:
    from curation.inference.model_files import split_revision
    from evaluation.runners.nli import NliRunner

    name, revision = split_revision(spec.target)
    return NliRunner(name, settings=settings, **{"revision": revision, **spec.options})


def _linear(spec: Spec, settings: RunnerSettings) -> Runner:
    from evaluation.runners.linear_local import LinearRunner

    return LinearRunner(spec.target, settings=settings, **spec.options)


def _http(spec: Spec, settings: RunnerSettings) -> Runner:
    from evaluation.runners.http_api import HttpRunner
    from evaluation.runners.http_description import preset_names, read_http_description

    source: Path | Mapping[str, Any]
    if spec.target in preset_names():
        source = {"preset": spec.target, "name": spec.target, **spec.options}
    else:
        source = _file(spec.target, settings) if spec.target else spec.options
    return HttpRunner(read_http_description(source, settings=settings), settings=settings)


def _chat(spec: Spec, settings: RunnerSettings) -> Runner:
    from evaluation.runners.chat import ChatRunner
    from evaluation.runners.chat_description import read_chat_description

    is_file = spec.target.endswith((".yaml", ".yml")) or not spec.options
    source = _file(spec.target, settings) if is_file else {"model": spec.target, **spec.options}
    return ChatRunner(read_chat_description(source, settings=settings), settings=settings)


def _python(spec: Spec, settings: RunnerSettings) -> Runner:
    from evaluation.runners.python_callable import PythonRunner

    return PythonRunner(spec.target, settings=settings, **spec.options)


def _command(spec: Spec, settings: RunnerSettings) -> Runner:
    from evaluation.runners.command import CommandRunner

    return CommandRunner(spec.target, settings=settings, **spec.options)


def _upload(spec: Spec, settings: RunnerSettings) -> Runner:
    from evaluation.runners.upload import UploadRunner

    return UploadRunner(spec.target, settings=settings)


def _file(target: str, settings: RunnerSettings) -> Path:
    path = Path(target).expanduser()
    return path if path.is_absolute() or settings.base_folder is None else settings.base_folder / path


Build = Callable[[Spec, RunnerSettings], Runner]
# Builder, and the options its kind knows; None where the description itself is checked key by key.
KINDS: dict[str, tuple[Build, frozenset[str] | None]] = {
    "hf": (_hf, frozenset({"revision", "labels", "threshold", "dtype"})),
    "nli": (_nli, frozenset({"revision", "hypotheses", "threshold", "dtype"})),
    "linear": (_linear, frozenset({"labels", "threshold"})),
    "http": (_http, None),
    "chat": (_chat, None),
    "python": (_python, frozenset({"threshold"})),
    "command": (_command, frozenset({"threshold"})),
    "upload": (_upload, frozenset()),
}
