"""The rules of a language at work: neighbours joined, and pieces put together into a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from curation.morphology.orthography.sounds import Sounds

FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’]|(?=\s|\Z))")
SENTENCE_END = re.compile(r"[.!?…][\"'»”’)]*\s+[¿¡]*\Z")
NO_BLANK_BEFORE = re.compile(r"[.,;:!?…)\]»”]|\Z")
BLANK = " "
OPENING = "\"'«“‘„‚(*\u00a0\u202f"  # may stand between a word and the one it gives way to: an "old" friend
# A last word that hangs on something is no word of its own: suis-je, donne-le, @la, m*rde.
HANGING = re.compile(r"(?:[\w@#‐‑-]|\w\*)\Z")
SHOUTED = re.compile(r"[^\W\d_]{2,}\W*\Z")  # what the word before a one-letter word looks like
HAN = re.compile(
    r"[\u2014\u2018-\u201d\u2026\u2e80-\u2fdf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
WITH_DOTTED_I = frozenset({"tr", "az", "crh", "tt", "gag"})  # Turkic languages in Latin letters
DOTTED_I = {"i": "İ", "ı": "I"}
PLURAL = " plural"  # ends the sound of a plural, for the few words that heed only singulars

Capitals = Literal["no", "start", "sentences"]
SETTINGS: dict[str, Callable[[Any], bool]] = {
    "capitalise": lambda value: value in ("no", "start", "sentences"),
    "articles": lambda value: isinstance(value, bool),
    "tidy_spaces": lambda value: isinstance(value, bool),
    "genders": lambda value: isinstance(value, tuple) and all(isinstance(gender, str) for gender in value),
}


class Piece(NamedTuple):
    """A stretch of a realised template. A `word` comes from the lexicon and is never changed itself."""

    text: str
    is_word: bool = False
    sound: str | None = None  # None: to be found from the text


@dataclass(frozen=True, slots=True)
class Orthography:
    """The rules of a language. They act only where a filled piece meets its neighbour, and at the start of the text."""

    language: str = ""
    genders: tuple[str, ...] = ("Masc", "Fem")  # the order of {tous|toutes}
    capitalise: Capitals = "start"
    articles: bool = True  # elision, choice of article, contraction
    tidy_spaces: bool = False  # strip the outer blanks of forms; off, because published forms are kept as typed
    sounds: Sounds = field(default_factory=Sounds)
    before: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # word -> sound of the next -> replacement
    only_before_words: frozenset[str] = frozenset()  # those of `before` that heed only words of the lexicon
    merges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # word -> next word -> both as one
    attached: frozenset[str] = frozenset()  # words written together with the next one
    attached_merges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what changes where they touch
    han_without_blanks: bool = False
    capital_digraphs: tuple[str, ...] = ()
    before_capital: tuple[str, ...] = ()  # what a text may begin with that leaves the capital to the next letter
    _heeding: frozenset[str] = field(init=False, repr=False, compare=False)
    _melting: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        words = {*self.before, *self.merges, *self.attached, *self.attached_merges}
        object.__setattr__(self, "_heeding", frozenset(words))
        articles = {article for articles in self.merges.values() for article in articles}
        object.__setattr__(self, "_melting", frozenset(articles))

    def heeding_word(self, text: str) -> str:
        """Return the last word of a text in small letters if what comes after it can change it, "" if nothing can."""
        head, word, _ = last_word(text)
        folded = word.casefold()
        return folded if folded in self._heeding or (folded in self._melting and self._melts_after(head)) else ""

    def may_melt(self, text: str, word: str) -> bool:
        """Tell whether the last word of a text may become one with the word before it: de le."""
        return word in self._melting and self._melts_after(last_word(text)[0])

    def _melts_after(self, head: str) -> bool:
        return head[-1:].isspace() and last_word(head)[1].casefold() in self.merges

    def with_settings(self, settings: Mapping[str, object]) -> Orthography:
        """Return the same rules with other settings: articles, capitalise, genders, tidy_spaces.

        Refuses any other name, and a value that makes no sense.
        """
        checked: dict[str, Any] = {}
        for name, value in settings.items():
            if name not in SETTINGS:
                raise ValueError(f"no setting is called '{name}'; known: {', '.join(sorted(SETTINGS))}")
            checked[name] = tuple(value) if name == "genders" and isinstance(value, list) else value
            if not SETTINGS[name](checked[name]):
                raise ValueError(f"{name} cannot be {value!r}; see the table of settings")
        return replace(self, **checked)

    def yields_to(self, word: str, sounds: frozenset[str]) -> list[str]:
        """Return those of the sounds that change this word before them."""
        return [sound for sound in self.before.get(word, ()) if sound in sounds] if self.articles else []

    def depends_on_spelling(self, word: str, firsts: frozenset[str]) -> bool:
        """Tell whether one of the first words that may follow is more to this word than its sound."""
        if word in self.attached or word in self.attached_merges or BLANK in firsts:
            return True
        return self.articles and not firsts.isdisjoint(self.merges.get(word, ()))

    def before_sound(self, text: str, sound: str) -> str:
        """Return a text as it has to be before a word of the lexicon that begins with that sound ("" for any other)."""
        head, word, blanks = last_word(text)
        if not blanks or not self.articles:
            return text
        changed = self._yield(head, word, blanks, "", sound)
        return text if changed is None else changed

    def join(self, left: str, right: str, sound: str | None = None) -> str:
        """Join two neighbours. `left` gives way to `right`; `sound` is that of a word from the lexicon."""
        if self.han_without_blanks:
            return _without_blanks(left, right, is_word=sound is not None)
        head, word, blanks = last_word(left)
        rest = right.lstrip(BLANK)
        if not word or not rest:
            return left + right
        blanks += right[: len(right) - len(rest)]
        folded = word.casefold()
        if folded in self.attached or (not blanks and folded in self.attached_merges):
            joined = self._attach(word, blanks.strip(BLANK) + rest)
            further, before, between = last_word(head)
            melts = any(joined.startswith(start) for start in self.attached_merges.get(before, ()))
            return further + self._attach(before, joined) if between and melts else head + joined  # li al-: lil-
        if not self.articles or not blanks:
            return left + right
        changed = (self._merge(head, word, rest) if blanks.isspace() else None) or self._yield(
            head, word, blanks, rest, sound
        )
        return left + right if changed is None else changed

    def _merge(self, head: str, word: str, rest: str) -> str | None:
        """Merge two words: de + le chat = du chat."""
        first = first_word(rest)
        asked = first.casefold() if word.isupper() and first.isupper() else first
        merged = self.merges.get(word.casefold(), {}).get(asked.replace("’", "'"))
        if merged is None:
            return None
        is_shouted = word.isupper() and first.isupper() and first[1:2].isalpha()
        return head + (merged.upper() if is_shouted else _in_case_of(word, merged, head)) + rest[len(first) :]

    def _yield(self, head: str, word: str, blanks: str, rest: str, sound: str | None) -> str | None:
        """Elide a word: le + homme = l'homme. The result may melt with the word before: de la + agua = del agua."""
        folded = word.casefold()
        replacement = None
        if folded in self.before and not (sound is None and folded in self.only_before_words):
            replacement = self.before[folded].get(self.sounds.of_text(rest) if sound is None else sound)
        if replacement is not None:
            gap = blanks.lstrip(BLANK) if replacement.endswith("'") else blanks
            changed = _in_case_of(word, replacement, head) + gap + rest
        elif sound is None:
            return None
        else:  # before a word of the lexicon an article that stays may still melt: de le + voisin = du voisin
            changed = word + blanks + rest
        if not self.merges:
            return None if replacement is None else head + changed
        further, preposition, between = last_word(head)
        melted = self._merge(further, preposition, changed) if between and between.isspace() else None
        if melted is None and replacement is None:
            return None
        return head + changed if melted is None else melted

    def _attach(self, word: str, rest: str) -> str:
        """Attach a word: li + al-bayt = lil-bayt."""
        for start, merged in self.attached_merges.get(word, {}).items():
            if rest.startswith(start):
                return merged + rest[len(start) :]
        return word + rest

    def assemble(self, pieces: Sequence[Piece]) -> str:
        """Return all pieces as one text, from right to left, because a contraction may hang on an elision after it."""
        right, sound = "", None
        for piece in reversed(_settle_empty(pieces)):
            if not right or piece.text.isspace():
                right = piece.text + right
                sound = sound if piece.text.isspace() else piece.sound
                continue
            if self.capitalise == "sentences" and SENTENCE_END.search(piece.text):
                right = self.capital(right)
            right = self._next_to_word(piece.text, right) if piece.is_word else self.join(piece.text, right, sound)
            sound = piece.sound
        return right if self.capitalise == "no" else self.capital(right)

    def capital(self, text: str) -> str:
        """Return the text with a capital, after what stands before the first letter: ¿Mujeres?"""
        for start in self.before_capital:
            if text.startswith(start):
                return start + self.capital(text[len(start) :])
        if text[:1].isupper():
            return text
        for digraph in self.capital_digraphs:
            if text.startswith(digraph):
                return digraph.upper() + text[len(digraph) :]
        first = text[:1]
        # Title case, not upper case: Georgian has capitals for shouting only.
        return (DOTTED_I if self.language in WITH_DOTTED_I else {}).get(first, first.title()) + text[1:]

    def leaves_capital(self, text: str) -> bool:
        """Tell whether the capital of a text that begins like this falls on what comes next."""
        return bool(self.before_capital) and not self.capital(text + "x").endswith("x")

    def _next_to_word(self, word: str, right: str) -> str:
        """Return a word of the lexicon and what follows it: the word stays as it is, a blank may go."""
        rest = right.lstrip(" ")
        if self.han_without_blanks and HAN.match(word[-1:]) and HAN.match(rest[:1]):
            return word + rest
        return word + right


def last_word(text: str) -> tuple[str, str, str]:
    """Return what comes before a text's last word, that word ("" if there is none), and the blanks after it.

    An opening quotation mark or bracket counts with the blanks before it.
    """
    if text[-1:] == BLANK:
        head, blank, word = text[:-1].rpartition(BLANK)
        if word.isalpha():  # nearly always
            return head + blank, word, BLANK
    end = len(text.rstrip(BLANK + OPENING))
    if text[end : end + 1] != BLANK:
        end = len(text.rstrip(BLANK))
    start = end
    while start and text[start - 1].isalpha():
        start -= 1
    if start and HANGING.search(text, max(0, start - 2), start):
        start = end
    return text[:start], text[start:end], text[end:]


def first_word(text: str) -> str:
    """Return the first word of a text with its apostrophe; a blank where it begins with one, "" for anything else."""
    if text[:1] == BLANK:
        return BLANK
    match = FIRST_WORD.match(text)
    return match[0] if match else ""


def _settle_empty(pieces: Sequence[Piece]) -> list[Piece]:
    """Drop the empty pieces, and the blank that an empty one leaves doubled or before a stop."""
    settled: list[Piece] = []
    was_empty = False
    for piece in pieces:
        text = piece.text
        if not text:
            was_empty = True
            continue
        if was_empty and not piece.is_word and (not settled or settled[-1].text.endswith(" ")):
            text = text.lstrip(" ")
            if not text:
                continue
            if settled and not settled[-1].is_word and NO_BLANK_BEFORE.match(text):
                settled[-1] = settled[-1]._replace(text=settled[-1].text.rstrip(" "))
        was_empty = False
        settled.append(piece._replace(text=text))
    if was_empty and settled and not settled[-1].is_word:
        settled[-1] = settled[-1]._replace(text=settled[-1].text.rstrip(" "))
    return settled


def _without_blanks(left: str, right: str, *, is_word: bool) -> str:
    ending, rest = left.rstrip(" "), right if is_word else right.lstrip(" ")
    return ending + rest if HAN.match(ending[-1:]) and HAN.match(rest[:1]) else left + right


def _in_case_of(word: str, replacement: str, head: str) -> str:
    """Return the replacement in capitals as the word was. One capital letter is shouted if the word before it is."""
    if not word[:1].isupper():
        return replacement
    shouted = len(word) > 1 or ((before := SHOUTED.search(head)) is not None and before[0].isupper())
    return replacement.upper() if word.isupper() and shouted else replacement[:1].upper() + replacement[1:]
