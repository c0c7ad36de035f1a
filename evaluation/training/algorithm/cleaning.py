"""Text cleaning before fine-tuning, as the HateCheck paper describes it."""

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import regex

URL = re.compile(r"(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE)
USER = re.compile(r"(?<![\w@])@\w+")
HASHTAG = re.compile(r"(?<![\w&])#(\w+)")
# A whole picture counts once: modifiers, joiners and pairs of regional letters (flags) belong to it.
EMOJI = regex.compile(
    r"(?:\p{Regional_Indicator}{2}|(?:\p{Extended_Pictographic}\p{EMod}?\uFE0F?)(?:\u200D\p{Extended_Pictographic}"
    r"\p{EMod}?\uFE0F?)*|[0-9#*]\uFE0F\u20E3)"
)
CAMEL = regex.compile(r"\p{Lu}{2,}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+|\p{Lu}")
ENTITY = re.compile(r"&(?:amp|lt|gt|quot|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Which steps to take. The defaults are the paper's: lower case, tokens for URL, user and emoji, hashtags split."""

    urls: bool = True
    users: bool = True
    emoji: bool = True
    hashtags: bool = True
    lower_case: bool = True
    entities: bool = True

    def __call__(self, text: str) -> str:
        return clean(text, self)


NOTHING = Cleaning(urls=False, users=False, emoji=False, hashtags=False, lower_case=False, entities=False)


def clean(text: str, steps: Cleaning | None = None) -> str:
    """Return the text on one line with URLs, users and emoji as [URL], [USER] and [EMOJI], and hashtags as words."""
    steps = steps or Cleaning()
    if steps.entities:
        text = ENTITY.sub(lambda match: html.unescape(match.group()), text)
    if steps.urls:
        text = URL.sub(" [URL] ", text)
    if steps.users:
        text = USER.sub(" [USER] ", text)
    if steps.emoji:
        text = EMOJI.sub(" [EMOJI] ", text)
    if steps.hashtags:
        text = HASHTAG.sub(lambda match: split_hashtag(match.group(1)), text)
    if steps.lower_case:
        text = re.sub(r"\[(url|user|emoji)\]", lambda match: match.group().upper(), text.lower())
    return BLANKS.sub(" ", text).strip()


def read_cleaning(folder: Path) -> Cleaning | None:
    """Return the steps a model's folder asks for; None where it says nothing. Unknown steps are ignored."""
    try:
        steps = json.loads((folder / "cleaning.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return Cleaning(**{name: bool(steps.get(name)) for name in Cleaning.__dataclass_fields__})


def split_hashtag(word: str) -> str:
    """Return the words of a hashtag: at capitals and underscores where it has them, else by English word frequencies.

    A word in another script, or one without any known split, stays whole.
    """
    if "_" in word:
        return " ".join(filter(None, word.split("_"))) or word
    parts = CAMEL.findall(word)
    if len(parts) > 1 and "".join(parts) == word and regex.search(r"\p{Ll}\p{Lu}", word):
        return " ".join(parts)
    if not word.isascii():
        return word
    return " ".join(_segment()(word)) or word


@cache
def _segment() -> Callable[[str], list[str]]:
    import wordsegment  # type: ignore[import-untyped]

    # A second of loading, so only when the first hashtag without capitals turns up.
    wordsegment.load()
    segment: Callable[[str], list[str]] = wordsegment.segment
    return segment
