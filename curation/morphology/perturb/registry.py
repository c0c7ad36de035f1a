"""All perturbations by key, and the one function that applies them."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random

from core.text import _
from curation.morphology.perturb import arabic, arabizi, letters, lookalikes, mandarin, spacing
from curation.morphology.perturb.base import NotApplicable, Passage, Perturbation

LATIN, ARABIC, HAN = frozenset({"Latn"}), frozenset({"Arab"}), frozenset({"Hani"})
# Scripts whose letters can be moved and left out one by one; those of Chinese mean a word each.
ALPHABETS = frozenset(
    {
        "Latn", "Arab", "Cyrl", "Grek", "Hebr", "Armn", "Geor", "Deva", "Beng", "Gujr", "Guru", "Orya", "Telu", "Taml",
        "Knda", "Mlym", "Sinh", "Thai", "Laoo", "Ethi", "Hang", "Kore", "Jpan", "Hira", "Kana",
    }
)  # fmt: skip
# Other codes and names that people give a script.
SAME_SCRIPT = {
    "Hans": "Hani", "Hant": "Hani", "Han": "Hani", "Latin": "Latn", "Arabic": "Arab", "Cyrillic": "Cyrl",
    "Greek": "Grek", "Hebrew": "Hebr", "Devanagari": "Deva", "Bengali": "Beng", "Tamil": "Taml", "Telugu": "Telu",
    "Georgian": "Geor", "Ethiopic": "Ethi", "Hangul": "Hang", "Korean": "Kore", "Japanese": "Jpan",
}  # fmt: skip

PERTURBATIONS: dict[str, Perturbation] = {
    perturbation.key: perturbation
    for perturbation in (
        Perturbation(
            "char_swap", _("Letters swapped"), _("a word of three letters"), letters.swap_characters, scripts=ALPHABETS
        ),
        Perturbation(
            "char_del", _("Letter missing"), _("a word of three letters"), letters.delete_character, scripts=ALPHABETS
        ),
        Perturbation("space_del", _("Space missing"), _("two words with a space between them"), spacing.delete_space),
        Perturbation("space_add", _("Spaces added"), _("a word of three letters"), spacing.add_spaces),
        Perturbation("leet", _("Leet"), _("a Latin letter that looks like a digit"), lookalikes.leet, scripts=LATIN),
        Perturbation(
            "char_repeat",
            _("Letter repeated"),
            _("a word of three letters"),
            letters.repeat_character,
            scripts=ALPHABETS,
        ),
        Perturbation(
            "char_eng_replace",
            _("Digits for Arabic letters"),
            _("an Arabic letter that is typed as a digit"),
            arabic.replace_by_digits,
            scripts=ARABIC,
            languages=frozenset({"ar"}),
        ),
        Perturbation(
            "arabizi", _("Arabizi"), _("Arabic letters"), arabizi.arabizi, scripts=ARABIC, languages=frozenset({"ar"})
        ),
        Perturbation(
            "word_variation",
            _("Alternative spelling"),
            _("a word with another accepted spelling"),
            arabic.vary_word,
            scripts=ARABIC,
            languages=frozenset({"ar"}),
        ),
        Perturbation(
            "homophone",
            _("Homophone"),
            _("a character with a common homophone"),
            mandarin.homophone,
            scripts=HAN,
            languages=frozenset({"zh"}),
        ),
        Perturbation(
            "char_comp",
            _("Character split"),
            _("a character of two halves"),
            mandarin.decompose,
            scripts=HAN,
            languages=frozenset({"zh"}),
        ),
        Perturbation(
            "pinyin", _("Pinyin"), _("a Chinese character"), mandarin.pinyin, scripts=HAN, languages=frozenset({"zh"})
        ),
        Perturbation(
            "homoglyphs",
            _("Look-alike letters"),
            _("a letter with a look-alike in another script"),
            lookalikes.homoglyphs,
            scripts=frozenset({"Latn", "Cyrl", "Grek", "Arab"}),
        ),
        Perturbation("emoji", _("Emoji"), _("a letter that an emoji resembles, or two words"), lookalikes.emoji),
    )
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a perturbation made of a text, or why it made nothing of it."""

    text: str | None
    reason: str = ""


def perturbations_for(*, language: str, script: str) -> list[Perturbation]:
    """Return the perturbations that can act on texts of a language in a script (a code of ISO 15924, such as Latn)."""
    return [item for item in PERTURBATIONS.values() if not why_not(item.key, language=language, script=script)]


def why_not(key: str, *, language: str, script: str) -> str:
    """Return why a perturbation cannot act on texts of a language in a script, or is unknown; "" where it can."""
    if key not in PERTURBATIONS:
        return _("there is no perturbation '%(name)s'", name=key)
    perturbation, written = PERTURBATIONS[key], SAME_SCRIPT.get(script.strip().title(), script.strip().title())
    is_fitting = (perturbation.scripts is None or written in perturbation.scripts) and (
        perturbation.languages is None or language.partition("-")[0] in perturbation.languages
    )
    if is_fitting:
        return ""
    return _(
        "it is made for %(scripts)s, not for %(language)s in %(script)s",
        scripts=perturbation.fits,
        language=language,
        script=script,
    )


def perturb_word(key: str, text: str, *, language: str, script: str) -> Outcome:
    """Return a word of the lexicon in a perturbed spelling, always the same one, or the reason why there is none."""
    if reason := why_not(key, language=language, script=script):
        return Outcome(None, reason)
    return attempt(key, text, seed="lexicon", language=language)


def attempt(key: str, text: str, *, seed: int | str, language: str, focus: Sequence[str] = ()) -> Outcome:
    """Return the text in its perturbed spelling, or the reason why there is none.

    The same key, text, seed, language and focus give the same result on every machine. Refuses an unknown key.
    """
    perturbation = PERTURBATIONS.get(key)
    if perturbation is None:
        close = get_close_matches(key, PERTURBATIONS, n=1)
        raise ValueError(
            _(
                "there is no perturbation '%(name)s'; known: %(names)s; did you mean '%(close)s'?",
                name=key,
                names=list(PERTURBATIONS),
                close=close[0],
            )
            if close
            else _("there is no perturbation '%(name)s'; known: %(names)s", name=key, names=list(PERTURBATIONS))
        )
    if perturbation.languages is not None and language.partition("-")[0] not in perturbation.languages:
        return Outcome(
            None,
            _(
                "'%(perturbation)s' is made for %(languages)s, not for %(language)s",
                perturbation=key,
                languages=sorted(perturbation.languages),
                language=language,
            ),
        )
    # A text as seed is hashed with SHA-512, so it does not depend on the process.
    random = Random(f"{seed}\x1f{key}\x1f{language}\x1f{text}")
    try:
        new = perturbation.act(Passage(text, language, tuple(focus)), random)
    except NotApplicable as error:
        return Outcome(None, error.reason)
    return Outcome(new) if new != text else Outcome(None, _("it needs %(what)s", what=perturbation.needs))


def perturb(key: str, text: str, *, seed: int | str, language: str, focus: Sequence[str] = ()) -> str | None:
    """Return the text in its perturbed spelling, None where the perturbation cannot act on it. Refuses an unknown key.

    `focus` names words that shall be touched rather than others, such as the word that carries the meaning.
    Placeholders, addresses and mentions are never touched.
    """
    return attempt(key, text, seed=seed, language=language, focus=focus).text
