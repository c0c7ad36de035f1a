"""What an installation allows its runners and how they use the machine."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.inference.settings import InferenceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerSettings(InferenceSettings):
    """Everything a runner may know about the installation; a run that is to be repeatable stores its `hash`."""

    labels: tuple[str, ...] = ("hateful", "non-hateful")  # the positive label first
    allowed_callables: frozenset[str] = frozenset()  # "module:callable"
    allowed_commands: Mapping[str, Sequence[str]] = field(default_factory=dict, compare=False)  # name -> argument list
    command_timeout: float = 3600.0
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
