"""The parts of a template, and how they are printed."""

import re
from dataclasses import dataclass, field

from curation.morphology.features import NONE, Features

SPECIAL_IN_TEXT = re.compile(r"[\\\[\]{}]")
SPECIAL_IN_OPTION = re.compile(r"[\\\[\]{}|:#]")


@dataclass(frozen=True, slots=True)
class Text:
    """Words as they are. `typed` is how the author wrote them, escapes included."""

    value: str
    typed: str | None = field(default=None, compare=False, repr=False)
    position: int = field(default=1, compare=False, repr=False)

    def __str__(self) -> str:
        return self.typed if self.typed is not None else SPECIAL_IN_TEXT.sub(r"\\\g<0>", self.value)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A place for a word: its kind, the features and the perturbation it takes.

    Placeholders with the same `label` stand for the same word. `alias` is the token of a published suite, as typed.
    """

    kind: str
    features: Features = NONE
    perturbation: str = ""
    label: str = ""
    alias: str = ""
    typed: str | None = field(default=None, compare=False, repr=False)
    position: int = field(default=1, compare=False, repr=False)

    def __str__(self) -> str:
        if self.typed is not None:
            return self.typed
        if self.alias:
            return f"[{self.alias}]"
        label = f"#{self.label}" if self.label else ""
        features = ":" + ",".join(f"{name}={value}" for name, value in self.features) if self.features else ""
        perturbation = f"|{self.perturbation}" if self.perturbation else ""
        return f"[{self.kind}{label}{features}{perturbation}]"


@dataclass(frozen=True, slots=True)
class Option:
    """One way a choice may come out. `features` None: by its place in the row, or, beside marked ones, otherwise."""

    text: str
    features: Features | None = None

    def __str__(self) -> str:
        text = SPECIAL_IN_OPTION.sub(r"\\\g<0>", self.text)
        if self.features is None:
            return text
        return ",".join(f"{name}={value}" for name, value in self.features) + ":" + text


@dataclass(frozen=True, slots=True)
class Choice:
    """Words that agree with a placeholder: the one labelled `follows`, several (`1+2`), or else the nearest one."""

    options: tuple[Option, ...]
    follows: str = ""
    typed: str | None = field(default=None, compare=False, repr=False)
    position: int = field(default=1, compare=False, repr=False)

    def __str__(self) -> str:
        if self.typed is not None:
            return self.typed
        follows = "+".join(f"#{label}" for label in self.labels)
        return "{" + (f"{follows}:" if follows else "") + "|".join(str(option) for option in self.options) + "}"

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the words it follows."""
        return tuple(self.follows.split("+")) if self.follows else ()

    @property
    def is_shorthand(self) -> bool:
        """True if no option says its features, so that the language's order of genders decides."""
        return all(option.features is None for option in self.options)


Part = Text | Placeholder | Choice


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template; `str()` prints it."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return "".join(str(part) for part in self.parts)

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        return tuple(part for part in self.parts if isinstance(part, Placeholder))

    @property
    def choices(self) -> tuple[Choice, ...]:
        return tuple(part for part in self.parts if isinstance(part, Choice))
