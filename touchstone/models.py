"""Loads the model that a spec names, on the machine of the person who asks: what they name is what they allow."""

import inspect
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.inference.descriptions import ENDINGS
from core.inference.quota import FolderQuota
from evaluation.runners import (
    Answer,
    InferenceError,
    ModelUnusable,
    Progress,
    Runner,
    RunnerSettings,
    ShouldStop,
    Stopped,
    load_runner,
    loading,
    parse_spec,
)
from evaluation.runners.chunking import cut_into_chunks
from evaluation.runners.environment import digest, record
from evaluation.runners.plain_results import answer_from
from touchstone.errors import Refused
from touchstone.paths import data_folder, version

Model = str | Mapping[str, Any] | Callable[[list[str]], Iterable[Any]]
BATCH = 256


def load_model(model: Model, labels: Sequence[str]) -> Runner:
    """Return the runner of a spec or of a function. Refuses with the runner's own sentence."""
    if callable(model):
        return FunctionRunner(model, settings=_settings(labels))
    try:
        spec = parse_spec(model)
        if spec.kind == "upload":
            raise Refused("Predictions from a file need no model. Import them with: touchstone import_predictions")
        allowed: dict[str, Any] = {}
        if spec.kind == "python":
            allowed["allowed_callables"] = frozenset({spec.target})
        elif spec.kind == "command":
            allowed["allowed_commands"] = {spec.target: shlex.split(spec.target)}
        return load_runner(model, settings=_settings(labels, **allowed))
    except InferenceError as error:
        raise Refused(str(error)) from error


def with_label_map(model: str, pairs: Mapping[str, str]) -> Model:
    """Return the spec of an hf: model with what its classes mean. Refuses other kinds of models."""
    if not pairs:
        return model
    spec = parse_spec(model)
    if spec.kind != "hf" or spec.target.endswith(ENDINGS):
        raise Refused("--label-map is for hf:FOLDER_OR_ID. Write labels: {CLASS: LABEL} into the file of other models.")
    return {"kind": spec.kind, "model": spec.target, "labels": dict(pairs)}


def name_of(model: Model) -> str:
    """Return a readable name: the last part of what the spec points to."""
    if callable(model):
        return str(getattr(model, "__name__", "") or type(model).__name__)
    return loading.name_of(model)


def _settings(labels: Sequence[str], **allowed: Any) -> RunnerSettings:
    return RunnerSettings(
        labels=tuple(labels),
        device=os.environ.get("MODEL_DEVICE", "auto"),
        base_folder=Path.cwd(),
        allow_url=lambda url: url.startswith(("http://", "https://")),
        environment=os.environ,
        quota=FolderQuota(data_folder() / "quota"),
        code_version=version(),
        **allowed,
    )


class FunctionRunner:
    """A Python function that takes a list of texts and returns a label, a score or both for each."""

    def __init__(self, call: Callable[[list[str]], Iterable[Any]], *, settings: RunnerSettings) -> None:
        self._call, self._settings = call, settings

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text. Refuses another number of results than there are texts."""
        answers: list[Answer] = []
        for batch in cut_into_chunks(texts, size=BATCH):
            if should_stop is not None and should_stop():
                raise Stopped("stopped on request", answers=[*answers, *[None] * (len(texts) - len(answers))])
            results = list(self._call(list(batch)))
            if len(results) != len(batch):
                raise ModelUnusable(f"The function returned {len(results)} results for {len(batch)} texts.")
            answers += [answer_from(each, settings=self._settings) for each in results]
            if progress is not None:
                progress(len(answers), len(texts))
        return answers

    @property
    def fingerprint(self) -> str:
        try:
            source = inspect.getsource(self._call)
        except (OSError, TypeError):
            source = repr(self._call)
        return digest(["function", name_of(self._call), source, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """Return the record of what answered."""
        return record(self._settings, kind="function", fingerprint=self.fingerprint, model=name_of(self._call))
