"""The words of a post: small letters, without addresses, mentions, numbers and punctuation."""

import html
import re

import regex

from evaluation.attacks.algorithm.parameters import Punctuation

ADDRESS = regex.compile(r"(?:https?://|www\.)\S+")
MENTION = regex.compile(r"@[\p{L}\p{M}\p{N}_]+")
HASHTAG = regex.compile(r"[#＃][\p{L}\p{M}\p{N}_]+")
PUNCTUATION = regex.compile(r"[\p{P}\p{S}]+")
REPEATED = regex.compile(r"(\p{L})\1{2,}")
# Han is written without blanks: pairs of characters stand in for words there.
WORD = regex.compile(r"\p{Han}+|[[\p{L}\p{M}]--\p{Han}]{2,}", regex.VERSION1)
HAN = regex.compile(r"\p{Han}")
# Most posts are plain ASCII, where the standard library says the same in a third of the time.
PLAIN_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.ASCII)
PLAIN_MENTION = re.compile(r"@[a-z0-9_]+")
PLAIN_HASHTAG = re.compile(r"#[a-z0-9_]+")
PLAIN_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]+")
PLAIN_REPEATED = re.compile(r"([a-z])\1{2,}")
PLAIN_WORD = re.compile(r"[a-z]{2,}")


def words_of(post: str, *, hashtags: bool = True, punctuation: Punctuation = "blank") -> list[str]:
    """Return the words of a post in order; without `hashtags`, words behind a # do not count."""
    text = html.unescape(post).lower()
    if text.isascii():
        return _plain_words(text, hashtags=hashtags, punctuation=punctuation)
    if "http" in text or "www." in text:
        text = ADDRESS.sub(" ", text)
    if "@" in text:
        text = MENTION.sub(" ", text)
    if not hashtags and has_hashtag(text):
        text = HASHTAG.sub(" ", text)
    if punctuation == "delete":
        text = PUNCTUATION.sub("", text)
    text = REPEATED.sub(r"\1\1\1", text)
    if not HAN.search(text):
        return list(WORD.findall(text))
    found: list[str] = []
    for piece in WORD.findall(text):
        if HAN.match(piece):
            found.extend(piece[start : start + 2] for start in range(len(piece) - 1))
        else:
            found.append(piece)
    return found


def _plain_words(text: str, *, hashtags: bool, punctuation: Punctuation) -> list[str]:
    if "http" in text or "www." in text:
        text = PLAIN_ADDRESS.sub(" ", text)
    if "@" in text:
        text = PLAIN_MENTION.sub(" ", text)
    if not hashtags and "#" in text:
        text = PLAIN_HASHTAG.sub(" ", text)
    if punctuation == "delete":
        text = PLAIN_PUNCTUATION.sub("", text)
    return PLAIN_WORD.findall(PLAIN_REPEATED.sub(r"\1\1\1", text))


def has_hashtag(post: str) -> bool:
    """Return whether a hashtag may stand in the post: cheap, and never wrong about a post that has one."""
    return "#" in post or "＃" in post
