"""What an installation allows its runners and how they use the machine."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from curation.inference.settings import InferenceSettings

if TYPE_CHECKING:
    from evaluation.runners.quota import QuotaStore

Dtype = Literal["fp32", "bf16", "int8"]
DTYPES: tuple[Dtype, ...] = ("fp32", "bf16", "int8")


def refuse_every_url(url: str) -> bool:
    """The default: nothing leaves this machine until an administrator lists where to."""
    return False


def allow_hosts(hosts: Iterable[str]) -> Callable[[str], bool]:
    """A predicate that permits http(s) addresses on the listed hosts (`host` for any port, or `host:port`)."""
    listed = {host.lower().strip() for host in hosts}

    def is_allowed(url: str) -> bool:
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return False
        return parts.scheme in {"http", "https"} and "@" not in parts.netloc and bool({host, f"{host}:{port}"} & listed)

    return is_allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerSettings(InferenceSettings):
    """Everything a runner may know about the installation; a run that is to be repeatable stores its `hash`."""

    labels: tuple[str, ...] = ("hateful", "non-hateful")  # the positive label first
    dtype: Dtype = "fp32"
    threads: int | None = None
    token_budget: int = 1024
    max_length: int = 512
    allow_url: Callable[[str], bool] = refuse_every_url
    allowed_callables: frozenset[str] = frozenset()  # "module:callable"
    allowed_commands: Mapping[str, Sequence[str]] = field(default_factory=dict)  # name -> argument list
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)  # where secrets are looked up by name
    quota: QuotaStore | None = None
    command_timeout: float = 3600.0
    longest_wait: float = 60.0  # seconds one request may wait for a busy service before the run is put off
    code_version: str = ""  # commit or version of this software, for the record

    @property
    def positive(self) -> str:
        return self.labels[0]

    @property
    def is_binary(self) -> bool:
        """Two labels: one score tells which; with more only a label does."""
        return len(self.labels) == 2

    def label_if(self, is_positive: bool) -> str:
        """The positive label or the other one; only where there are two."""
        positive, negative = self.labels
        return positive if is_positive else negative

    def cut(self, score: float, threshold: float) -> str:
        """The label that a score for the positive one stands for; only where there are two."""
        return self.label_if(score >= threshold)

    @property
    def hash(self) -> str:
        """Over what can change an answer; permissions and secrets are left out on purpose."""
        facts = [self.labels, self.device, self.dtype, self.token_budget, self.max_length]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
