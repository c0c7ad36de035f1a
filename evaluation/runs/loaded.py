"""The model a process has in memory: one at a time, so that a worker that takes many chunks loads it once."""

from collections.abc import Sequence

from core.text import _
from evaluation.models import ModelVersion
from evaluation.registry.services import ModelChanged, load
from evaluation.runners import Runner

_slot: dict[tuple[str, str, tuple[str, ...]], Runner] = {}


def keep(version: ModelVersion, labels: Sequence[str], runner: Runner) -> None:
    """Put a loaded model into the slot; what was there goes."""
    _slot.clear()
    _slot[_key(version, labels)] = runner


def runner_of(version: ModelVersion, labels: Sequence[str]) -> Runner:
    """The runner of a version. Refuses one that has changed since it was registered: its answers would be mixed up."""
    found = _slot.get(_key(version, labels))
    if found is not None:
        return found
    runner = load(version.spec, labels)
    if runner.fingerprint != version.fingerprint:
        raise ModelChanged(
            _(
                "%(model)s gives other answers than when it was registered: its files or settings changed. "
                "Register it again; that makes a new version.",
                model=version.title,
            )
        )
    keep(version, labels, runner)
    return runner


def _key(version: ModelVersion, labels: Sequence[str]) -> tuple[str, str, tuple[str, ...]]:
    """What answers, and how it is asked: a service may get another pace between two runs."""
    return version.fingerprint, str(version.spec), tuple(labels)
