"""What other apps know about a suite that a release should say: agreement, annotators, guidelines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from curation.models import Suite


class FactSource(Protocol):
    """Facts about a suite as plain JSON values, computed when a release is previewed or built."""

    def __call__(self, suite: Suite) -> Mapping[str, Any]: ...


_sources: dict[str, FactSource] = {}


def register_facts(name: str, source: FactSource) -> None:
    """Make a source known under a name; the same name again replaces it."""
    _sources[name] = source


def collect_facts(suite: Suite) -> dict[str, dict[str, Any]]:
    """Everything known, by the name of its source."""
    return {name: dict(source(suite)) for name, source in sorted(_sources.items())}
