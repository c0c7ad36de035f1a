"""From the text that names a model to a runner that is ready."""

from collections.abc import Mapping
from typing import Any

from core.inference.descriptions import ENDINGS, read_file
from core.inference.errors import SpecError
from core.inference.model_files import LONGEST_NAME
from core.inference.settings import DTYPES
from evaluation.runners.answers import Runner
from evaluation.runners.chat import ChatRunner
from evaluation.runners.command import CommandRunner
from evaluation.runners.http_api import HttpRunner
from evaluation.runners.kinds import RunnerKind, Spec
from evaluation.runners.linear_local import LinearRunner
from evaluation.runners.nli import NliRunner
from evaluation.runners.python_callable import PythonRunner
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.transformers_local import TransformersRunner
from evaluation.runners.upload import UploadRunner

# The one place where a kind of runner is registered; the order is that of the examples on the page.
RUNNERS: list[type[RunnerKind]] = [
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


def usages() -> str:
    """Return how specs are written, for people."""
    return ", ".join(runner.syntax for runner in RUNNERS)


def parse_spec(spec: object) -> Spec:
    """Take `kind:target`, or a mapping with `kind`, `model` and options. Refuses unknown kinds and endless names."""
    if isinstance(spec, Mapping):
        options = {key: value for key, value in spec.items() if key not in {"kind", "model"}}
        parsed = Spec(str(spec.get("kind", "")), str(spec.get("model", "")), options)
    elif isinstance(spec, str):
        kind, _, target = spec.strip().partition(":")
        parsed = Spec(kind, target.strip())
    else:
        raise SpecError(f"a {type(spec).__name__} does not name a model. Write one of: {usages()}.")
    if len(parsed.target) > LONGEST_NAME:
        raise SpecError(f"the name after '{parsed.kind[:20]}:' has more than {LONGEST_NAME} characters. Shorten it.")
    if parsed.kind not in runner_kinds():
        raise SpecError(f"'{str(spec)[:LONGEST_NAME]}' does not name a model. Write one of: {usages()}.")
    if not parsed.target and not parsed.options and runner_kinds()[parsed.kind] is not UploadRunner:
        raise SpecError(f"'{spec}' has nothing after '{parsed.kind}:'. Write one of: {usages()}.")
    return parsed


def load_runner(spec: str | Mapping[str, Any], *, settings: RunnerSettings) -> Runner:
    """Return the runner a spec names, checked and with its model loaded.

    Refuses, with a sentence that says what to do: unknown kinds and options, models that cannot be used, addresses,
    callables and commands the settings do not permit.
    """
    parsed = parse_spec(spec)
    runner = runner_kinds()[parsed.kind]
    if parsed.target.endswith(ENDINGS) and runner.source in {"hub", "folder"}:
        values = read_file(parsed.file(settings), settings=settings).values
        parsed = Spec(parsed.kind, str(values.get("model", "")), {k: v for k, v in values.items() if k != "model"})
    if runner.options is not None:
        for option in parsed.options:
            if option not in runner.options:
                known = ", ".join(sorted(runner.options))
                raise SpecError(f"{parsed.kind}: has no option '{option}'. It knows: {known}.")
    if parsed.options.get("dtype", "fp32") not in DTYPES:
        raise SpecError(f"'{parsed.options['dtype']}' is not a number format here. Use {', '.join(DTYPES)}.")
    return runner.load(parsed, settings)
