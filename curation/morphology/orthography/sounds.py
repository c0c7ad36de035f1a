"""How a word begins, as far as the word before it is concerned: one sound class per word, from the language's table."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class SoundClass:
    """A class of beginnings: a pattern, and the words or stems that match it and yet do not belong."""

    name: str
    pattern: re.Pattern[str]
    not_stems: tuple[str, ...] = ()
    not_words: frozenset[str] = frozenset()

    def holds(self, text: str) -> bool:
        match = LETTERS.match(text)
        first = match[0] if match else ""
        if self.pattern.match(text) is None or first in self.not_words:
            return False
        return not first.startswith(self.not_stems) if self.not_stems else True


@dataclass(frozen=True, slots=True)
class Sounds:
    """The sound classes of a language in the order they are tried, and the properties that overrule them."""

    classes: tuple[SoundClass, ...] = ()
    properties: Mapping[tuple[str, str], str] | None = None

    def of_text(self, text: str) -> str:
        """Return the class of a plain text, "" for none."""
        typed = unicodedata.normalize("NFC", text.lstrip(" \"'«“‘(¿¡"))
        folded = typed.casefold()
        for sound in self.classes:
            if sound.holds(typed if sound.name.startswith("spelt") else folded):
                return sound.name
        return ""

    def of_word(self, text: str, *, lemma: str, perturbation: str, properties: Mapping[str, str]) -> str:
        """Return the class of a filled form. What an expert says comes first. A perturbed spelling sounds like the
        word behind it, unless it begins with another letter."""
        for pair, name in (self.properties or {}).items():
            if properties.get(pair[0]) == pair[1]:
                return name
        if perturbation and lemma:
            start = text.lstrip()[:1].casefold()
            if not start.isalpha() or start == lemma.lstrip()[:1].casefold():
                return self.of_text(lemma)
        return self.of_text(text)
