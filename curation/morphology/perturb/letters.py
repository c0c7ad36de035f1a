"""Letters swapped, left out and repeated, in any alphabet."""

from random import Random

from core.text import _
from curation.morphology.perturb.base import Passage, Span, first_change, graphemes, in_script, same_letters, shuffled

SHORTEST_FOR_SWAP = 3
SHORTEST_FOR_DELETION = 3
REPEATS = (4, 8)
NEVER_DRAWN_OUT = frozenset("ةىءأإؤئآ")  # Arabic letters that stand for an ending or a stop


def swap_characters(passage: Passage, random: Random) -> str:
    """Swap two neighbouring letters of a word; in longer words the first stays where it is."""

    def change(span: Span) -> str | None:
        letters = graphemes(span.text)
        if len(letters) < SHORTEST_FOR_SWAP or _is_chinese(span, passage):
            return None
        first = 1 if len(letters) > SHORTEST_FOR_SWAP else 0
        places = [place for place in range(first, len(letters) - 1) if letters[place] != letters[place + 1]]
        places = [place for place in places if not in_script(letters[place] + letters[place + 1], "Han")]
        random.shuffle(places)
        for place in places:
            swapped = [*letters[:place], letters[place + 1], letters[place], *letters[place + 2 :]]
            if same_letters(swapped, "".join(swapped)):
                return "".join(swapped)
        return None

    return first_change(
        shuffled(passage.words(), passage, random), passage, change, missing=_("no word has two letters to swap")
    )


def delete_character(passage: Passage, random: Random) -> str:
    """Leave out one letter inside a word: without its last letter it might be another form of the word."""

    def change(span: Span) -> str | None:
        letters = graphemes(span.text)
        if len(letters) < SHORTEST_FOR_DELETION or _is_chinese(span, passage):
            return None
        places = [place for place in range(1, len(letters) - 1) if not in_script(letters[place], "Han")]
        random.shuffle(places)
        for place in places:
            rest = letters[:place] + letters[place + 1 :]
            if same_letters(rest, "".join(rest)):
                return "".join(rest)
        return None

    return first_change(
        shuffled(passage.words(), passage, random), passage, change, missing=_("no word has three letters or more")
    )


def repeat_character(passage: Passage, random: Random) -> str:
    """Repeat one letter of a word: 'nooooo'."""

    def change(span: Span) -> str | None:
        letters = graphemes(span.text)
        if len(letters) < SHORTEST_FOR_DELETION or _is_chinese(span, passage):
            return None
        places = [place for place in range(1, len(letters)) if letters[place][0].isalpha()]
        places = [place for place in places if not _stands_alone(letters[place])]
        random.shuffle(places)
        times = random.randint(*REPEATS)
        for place in places:
            drawn = letters[:place] + [letters[place]] * times + letters[place + 1 :]
            if same_letters(drawn, "".join(drawn)):
                return "".join(drawn)
        return None

    return first_change(
        shuffled(passage.words(), passage, random), passage, change, missing=_("no word has three letters or more")
    )


def _is_chinese(span: Span, passage: Passage) -> bool:
    """Tell whether the word is written in Chinese characters; Japanese words may mix them with letters."""
    return in_script(span.text, "Han") and not passage.language.startswith("ja")


def _stands_alone(letter: str) -> bool:
    return letter[0] in NEVER_DRAWN_OUT or in_script(letter, "Han")
