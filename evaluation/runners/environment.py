"""The record of where an answer came from: versions, machine, content hashes."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version

from evaluation.runners.settings import RunnerSettings


def digest(facts: object) -> str:
    """SHA-256 over the canonical JSON of plain values."""
    text = json.dumps(_with_text_keys(facts), sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _with_text_keys(value: object) -> object:
    # YAML may hold 0, yes and "high" as keys of one mapping, and those cannot be sorted.
    if isinstance(value, Mapping):
        return {str(key): _with_text_keys(item) for key, item in value.items()}
    return [_with_text_keys(item) for item in value] if isinstance(value, list | tuple) else value


def versions_of(packages: Iterable[str]) -> dict[str, str]:
    """The installed version of each package; those that are not installed are left out."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def record(
    settings: RunnerSettings, *, kind: str, fingerprint: str, packages: Iterable[str] = (), **facts: object
) -> dict[str, object]:
    """One environment record, alike for every kind of runner."""
    common: Mapping[str, object] = {
        "kind": kind,
        "fingerprint": fingerprint,
        "settings_hash": settings.hash,
        "labels": list(settings.labels),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "code_version": settings.code_version,
        "packages": versions_of(packages),
    }
    return {**common, **facts}
