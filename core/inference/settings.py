"""What an installation allows models, and how they use the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from core.inference.quota import QuotaStore

Dtype = Literal["fp32", "bf16", "int8"]
DTYPES: tuple[Dtype, ...] = ("fp32", "bf16", "int8")


def refuse_every_url(url: str) -> bool:
    """Refuse all addresses: nothing leaves this machine until an administrator lists where to."""
    return False


def allow_hosts(hosts: Iterable[str]) -> Callable[[str], bool]:
    """Return a predicate that permits http(s) addresses on the listed hosts (`host` for any port, or `host:port`)."""
    listed = {host.lower().strip() for host in hosts}

    def is_allowed(url: str) -> bool:
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return False
        # A name before the host ("https://allowed.org@evil.org") is never needed and easily misread.
        return parts.scheme in {"http", "https"} and "@" not in parts.netloc and bool({host, f"{host}:{port}"} & listed)

    return is_allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceSettings:
    """Where models may come from, where they run and which servers may be asked; services fill it from the settings.

    Two are equal when they allow local models the same: a model that stays loaded is found by them.
    """

    device: str = "cpu"
    model_roots: tuple[Path, ...] | None = None  # folders local models may live in; None is anywhere
    allow_hub: bool = True
    base_folder: Path | None = None  # relative folders and descriptions are looked up here
    dtype: Dtype = "fp32"
    threads: int | None = None
    token_budget: int = 1024
    max_length: int = 512
    allow_url: Callable[[str], bool] = field(default=refuse_every_url, compare=False)
    environment: Mapping[str, str] = field(default_factory=dict, compare=False)  # where secrets are looked up by name
    quota: QuotaStore | None = field(default=None, compare=False)
    longest_wait: float = 60.0  # seconds one request may wait for a busy server before the run is put off
