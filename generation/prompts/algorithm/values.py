"""Prompts as plain values: a skeleton per language, an instruction per functionality, and the two filled in."""

import hashlib
import json
from dataclasses import asdict, dataclass, field


class PromptError(ValueError):
    """A prompt cannot be read or filled; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What all prompts of a language share. Placeholders: {count}, {instruction}, {demonstration}, {slurs}."""

    language: str
    system: str
    task: str
    demonstration: str
    slurs: str
    answer: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """What the messages of one functionality shall do. Placeholders: {group}."""

    functionality: str
    text: str
    demonstration: str = ""
    uses_slurs: bool = False
    origin: str = field(default="", compare=False)  # how the text was drafted, where it needs a look by a speaker

    @property
    def needs_group(self) -> bool:
        return "{group}" in self.text or "{group}" in self.demonstration


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """A skeleton and an instruction that belong together. Two versions with one `sha256` are the same prompt."""

    skeleton: Skeleton
    instruction: Instruction

    @property
    def sha256(self) -> str:
        content = asdict(self)
        del content["instruction"]["origin"]
        return _hash(content)


@dataclass(frozen=True, slots=True)
class FilledPrompt:
    """The two messages that go to a model."""

    system: str
    user: str

    @property
    def sha256(self) -> str:
        return _hash({"system": self.system, "user": self.user})


def _hash(content: object) -> str:
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
