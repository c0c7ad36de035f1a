"""What a perturbation is, and the words of a text that it may touch."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

import regex

from core.text import _, ngettext

# Placeholders and agreement choices of a template, addresses and mentions are never perturbed.
PROTECTED = regex.compile(r"\[[^\[\]\n]*\]|\{[^{}\n]*\}|https?://\S+|[@#]\w+")
# The joiners belong to words: Persian and the scripts of India write them inside.
WORD = regex.compile(r"[\p{L}\p{M}\p{Nd}\u200c\u200d]+(?:['’][\p{L}\p{M}\p{Nd}\u200c\u200d]+)*")
# A consonant without its vowel joins the next one into one sign (rule GB9c of Unicode 15.1), which \X does not know.
SILENCER = r"[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0ccd\u0d4d]"
# Thai and Lao write some vowels before the consonant they follow in speech; Japanese writes small and long signs after
# the sign they belong to. A reader takes each for one letter with its neighbour.
LEADING_VOWEL = r"[\u0e40-\u0e44](?=[\u0e01-\u0e2e])|[\u0ec0-\u0ec4](?=[\u0e81-\u0eae])"
SMALL_KANA = r"(?<=[\p{Hiragana}\p{Katakana}ー])[ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー]"
GRAPHEME = regex.compile(rf"(?:\p{{Lo}}\p{{M}}*{SILENCER}\u200d?(?=\p{{Lo}}))*(?:{LEADING_VOWEL})?\X(?:{SMALL_KANA})*")


MANY_SCRIPTS = 10
SCRIPT_NAMES = {
    "Arab": _("Arabic"),
    "Cyrl": _("Cyrillic"),
    "Grek": _("Greek"),
    "Hani": _("Chinese characters"),
    "Latn": _("Latin"),
}


class NotApplicable(Exception):
    """The perturbation cannot act on this text; `reason` says what is missing."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Span:
    """A word and where it stands."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to perturb. `focus` are words that shall be touched rather than others."""

    text: str
    language: str
    focus: tuple[str, ...] = ()

    def words(self) -> list[Span]:
        """Return the words outside placeholders, addresses and mentions."""
        closed = [match.span() for match in PROTECTED.finditer(self.text)]
        edges = {0, *(match.end() for match in GRAPHEME.finditer(self.text))}
        return [
            Span(match.start(), match.end(), match[0])
            for match in WORD.finditer(self.text)
            if not match[0].isdigit()
            and {match.start(), match.end()} <= edges
            and not any(start < match.end() and match.start() < end for start, end in closed)
        ]

    def open_runs(self) -> list[Span]:
        """Return the stretches of text between placeholders, addresses and mentions."""
        runs, place = [], 0
        for match in PROTECTED.finditer(self.text):
            runs.append(Span(place, match.start(), self.text[place : match.start()]))
            place = match.end()
        runs.append(Span(place, len(self.text), self.text[place:]))
        return [run for run in runs if run.text]

    def replace(self, span: Span, new: str) -> str:
        """Return the text with one stretch replaced."""
        return self.text[: span.start] + new + self.text[span.end :]

    def is_focus(self, span: Span) -> bool:
        """Tell whether the stretch is, or lies in, one of the focus words."""
        lowered = self.text.casefold()
        if len(lowered) != len(self.text):
            return any(span.text.casefold() in word.casefold() for word in self.focus)
        for word in self.focus:
            place = lowered.find(word.casefold())
            while place >= 0 and word:
                if place <= span.start and span.end <= place + len(word):
                    return True
                place = lowered.find(word.casefold(), place + 1)
        return False


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A way to spell a text differently. `scripts` and `languages` are None where any will do."""

    key: str
    title: str
    needs: str
    act: Callable[[Passage, Random], str]
    scripts: frozenset[str] | None = None
    languages: frozenset[str] | None = None

    @property
    def fits(self) -> str:
        """The scripts, or the languages, it is made for, in words."""
        if self.languages is not None:
            names = sorted(self.languages)
            return ngettext("the language %(names)s", "the languages %(names)s", len(names), names=names)
        if self.scripts is None:
            return _("every script")
        if len(self.scripts) >= MANY_SCRIPTS:
            return _("every alphabet and syllabary")
        names = [SCRIPT_NAMES.get(code, code) for code in sorted(self.scripts)]
        return ngettext("the script %(names)s", "the scripts %(names)s", len(names), names=names)


def graphemes(text: str) -> list[str]:
    """Return the letters as a reader sees them, each with its marks."""
    return list(GRAPHEME.findall(text))


def in_script(text: str, script: str) -> bool:
    """Tell whether the text has a letter of that script (a name that Unicode knows, such as Latin or Han)."""
    return regex.search(rf"\p{{Script={script}}}", text) is not None


def shuffled(items: Iterable[Span], passage: Passage, random: Random, *, long: int = 4) -> list[Span]:
    """Return words in random order, but those of the focus first, and short ones (often function words) last."""
    spans = list(items)
    random.shuffle(spans)
    return sorted(spans, key=lambda span: (not passage.is_focus(span), len(graphemes(span.text)) < long))


def first_change(spans: Sequence[Span], passage: Passage, change: Callable[[Span], str | None], *, missing: str) -> str:
    """Return the text with the first word changed that can be; refuses with `missing` where none can."""
    for span in spans:
        new = change(span)
        if new is not None and new != span.text:
            return passage.replace(span, new)
    raise NotApplicable(missing)


def same_letters(before: Sequence[str], after: str) -> bool:
    """Tell whether `after` consists of exactly these graphemes in this order: none was split, none merged."""
    return graphemes(after) == list(before)
