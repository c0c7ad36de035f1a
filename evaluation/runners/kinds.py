"""What every kind of runner says about itself: its name in a spec, how it is written, where its model comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from core.inference.model_files import split_revision

if TYPE_CHECKING:
    from evaluation.runners.answers import Runner
    from evaluation.runners.settings import RunnerSettings


@dataclass(frozen=True, slots=True)
class Example:
    """One way to name a model, ready to be copied from the form of a new one."""

    title: str
    spec: str
    settings: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """A model's name taken apart: its kind, what it points to, and the options of its kind."""

    kind: str
    target: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def file(self, settings: RunnerSettings) -> Path:
        """Return the target as a path of a file."""
        path = Path(self.target).expanduser()
        return path if path.is_absolute() or settings.base_folder is None else settings.base_folder / path


class RunnerKind:
    """Base of all runners. The form, the examples, the command's help and the services follow from these attributes."""

    kind: ClassVar[str]  # before the colon of a spec
    syntax: ClassVar[str]  # how a spec of this kind is written
    source: ClassVar[Literal["hub", "folder", "file", "none"]]  # what the target of a spec may be
    target_key: ClassVar[str] = "model"  # which key of a description holds what stands behind the colon
    is_local: ClassVar[bool] = False  # several workers may share a run; a service has a pace of its own
    is_paid: ClassVar[bool] = False  # by the token: what a run costs is told before
    asks_language: bool = False  # `predict` also takes the `languages` of the texts
    options: ClassVar[frozenset[str] | None] = None  # None where the description is checked key by key
    examples: ClassVar[tuple[Example, ...]] = ()

    @classmethod
    def resolve(cls, spec: Spec) -> Spec:
        """Return the spec that this one stands for; by default itself."""
        return spec

    @classmethod
    def load(cls, spec: Spec, settings: RunnerSettings) -> Runner:
        """Return the runner that a spec names; by default the class is called with the target and the options."""
        build: Any = cls
        target, options = spec.target, dict(spec.options)
        if cls.source == "hub":
            target, revision = split_revision(target)
            options = {"revision": revision, **options}
        runner: Runner = build(target, settings=settings, **options)
        return runner
