"""Reading descriptions of servers for evaluation: from a file, from plain values, laid over a preset."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from core.inference.descriptions import Description, Source, current_spelling, read_file
from core.inference.errors import ConfigurationError
from core.inference.servers import PACE, Server
from core.text import _
from evaluation.runners.chat_description import ChatDescription
from evaluation.runners.environment import digest
from evaluation.runners.http_description import HttpDescription
from evaluation.runners.preset_files import preset_names, read_preset
from evaluation.runners.settings import RunnerSettings

Described = TypeVar("Described", bound=Server)


def content_hash(described: Server) -> str:
    """Return a hash over the values that decide the answers, without the secrets they name."""
    return digest({key: value for key, value in described._values.items() if key not in PACE})


def read_http_description(source: Path | Mapping[str, Any], *, settings: RunnerSettings) -> HttpDescription:
    """Return a description from a file or from plain values, laid over the preset it names.

    Refuses unknown keys, secrets written out, an answer without score or label, a label map with unknown labels.
    """
    found = _over_preset(_source(source, settings), HttpDescription, "http")
    return _named(HttpDescription.read(found, settings=settings), found)


def read_chat_description(source: Path | Mapping[str, Any], *, settings: RunnerSettings) -> ChatDescription:
    """Return a description from a file or from plain values, laid over the preset it names.

    Refuses unknown keys, a key written out, a prompt without {text}, labels that no word means.
    """
    found = _over_preset(_source(source, settings), ChatDescription, "chat")
    return _named(ChatDescription.read(found, settings=settings), found)


def _source(source: Path | Mapping[str, Any], settings: RunnerSettings) -> Source:
    return Source(dict(source)) if isinstance(source, Mapping) else read_file(source, settings=settings)


def _over_preset(found: Source, described: type[Description], kind: str) -> Source:
    """Return the values over those of the preset that they name. Refuses one that is not there or of another kind."""
    name = found.values.get("preset")
    if name is None:
        return found
    known = [one for one in preset_names() if read_preset(one).kind == kind]
    if name not in known:
        fix = _("Use one of: %(names)s.", names=known)
        problem = _("there is no preset '%(preset)s'", preset=str(name)[:60])
        raise ConfigurationError([found.problem("preset", problem, fix)])
    found = current_spelling(found, described.renames)[0]
    return Source({**read_preset(name).settings, **found.values}, found.file, found.lines)


def _named(described: Described, source: Source) -> Described:
    return described if described.name else described.model_copy(update={"name": source.file})
