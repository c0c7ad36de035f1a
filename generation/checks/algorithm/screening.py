"""All checks that need no model, on many candidates at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.batches import in_batches
from core.text import Text, _, ngettext
from generation.checks.algorithm.duplicates import DuplicateIndex
from generation.checks.algorithm.languages import find_other_languages
from generation.checks.algorithm.leaks import find_leak, runs_of_words
from generation.checks.algorithm.personal_data import KINDS, find_personal_data
from generation.checks.algorithm.rule_tests import mentions_any
from generation.diversity.algorithm.tokenizing import split_words

CHECKS: dict[str, str] = {
    "duplicate": _("duplicate"),
    "near_duplicate": _("near duplicate"),
    "length": _("wrong length"),
    "leaked_instruction": _("leaked instruction"),
    "personal_data": _("personal data"),
    "missing_target": _("target group not mentioned"),
    "language": _("wrong language"),
}
_PORTION = 500


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message to screen. `terms` are words one of which must occur; none means that no target is asked for.

    Near duplicates are looked for among texts of the same `group`.
    """

    key: str
    text: str
    language: str = "en"
    terms: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in a candidate, in words; `other` is the key of the text it repeats."""

    check: str
    problem: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Screened:
    """A candidate with all that was found; clean when nothing was."""

    candidate: Candidate
    findings: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        return not self.findings


@dataclass(frozen=True, slots=True)
class ScreeningSettings:
    """What to look for. `instructions` are the prompts used, whose words must not come back in a message."""

    checks: frozenset[str] = frozenset(CHECKS)
    fewest_words: int = 3
    most_words: int = 100
    most_characters: int = 1_000  # a model that loops may write one word without end
    near_duplicate_similarity: float = 0.9
    language_confidence: float = 0.75
    instructions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if unknown := self.checks - set(CHECKS):
            raise ValueError(f"no check is called '{min(unknown)}'; known: {', '.join(CHECKS)}")


def screen_candidates(
    candidates: Sequence[Candidate],
    *,
    existing: Mapping[str, Sequence[tuple[str, str]]] | Sequence[tuple[str, str]] = (),
    settings: ScreeningSettings | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Screened]:
    """Screen candidates against each other and against `existing` texts of the suite, as (key, text), or such by group.

    Of several alike the first is kept and the others are marked; one without another fault goes before those with one.
    Stopped early, the list ends where it was stopped.
    """
    settings = settings or ScreeningSettings()
    faults = _all_faults(candidates, settings, on_progress, should_stop)
    index = DuplicateIndex(similarity=settings.near_duplicate_similarity)
    for group, texts in existing.items() if isinstance(existing, Mapping) else [("", existing)]:
        index.add_all(texts, group=group)
    clean_first = sorted(range(len(faults)), key=lambda place: bool(faults[place]))
    repeats = {place: _duplicates(candidates[place], index) for place in clean_first}
    return [
        Screened(candidate, tuple(item for item in (*repeats[place], *found) if item.check in settings.checks))
        for place, (candidate, found) in enumerate(zip(candidates, faults, strict=False))
    ]


def _all_faults(
    candidates: Sequence[Candidate],
    settings: ScreeningSettings,
    on_progress: Callable[[int, int], None],
    should_stop: Callable[[], bool],
) -> list[list[Finding]]:
    """Return what is wrong with each text by itself."""
    prompts = [runs_of_words(text) for text in settings.instructions]
    faults: list[list[Finding]] = []
    for portion in in_batches(candidates, _PORTION):
        if should_stop():
            break
        for candidate, language in zip(portion, _other_languages(portion, settings), strict=True):
            found = _faults(candidate, settings, prompts)
            if language:
                problem = _("reads like '%(found)s' instead of '%(asked)s'", found=language, asked=candidate.language)
                found.append(Finding("language", problem))
            faults.append([finding for finding in found if finding.check in settings.checks])
        on_progress(len(faults), len(candidates))
    return faults


def _other_languages(portion: Sequence[Candidate], settings: ScreeningSettings) -> list[str | None]:
    if "language" not in settings.checks:
        return [None] * len(portion)
    pairs = [(candidate.text, candidate.language) for candidate in portion]
    return find_other_languages(pairs, least_confidence=settings.language_confidence)


def _duplicates(candidate: Candidate, index: DuplicateIndex) -> list[Finding]:
    found = index.look_up(candidate.key, candidate.text, group=candidate.group)
    if found is None:
        return []
    if found.is_exact:
        return [Finding("duplicate", _("the same text as '%(other)s'", other=found.other), found.other)]
    problem = _("%(percent)s%% similar to '%(other)s'", percent=round(100 * found.similarity), other=found.other)
    return [Finding("near_duplicate", problem, found.other)]


def _faults(
    candidate: Candidate, settings: ScreeningSettings, prompts: Sequence[frozenset[tuple[str, ...]]]
) -> list[Finding]:
    findings = []
    words = len(split_words(candidate.text))
    if words < settings.fewest_words:
        findings.append(Finding("length", _too_short(words, settings.fewest_words)))
    elif words > settings.most_words:
        findings.append(Finding("length", _too_long(words, settings.most_words)))
    elif len(candidate.text) > settings.most_characters:
        findings.append(Finding("length", _too_many_characters(len(candidate.text), settings.most_characters)))
    if leak := find_leak(candidate.text, instructions=prompts):
        findings.append(Finding("leaked_instruction", leak))
    findings += [
        Finding("personal_data", _("%(kind)s: %(value)s", kind=KINDS[kind], value=value))
        for kind, value in find_personal_data(candidate.text)
    ]
    if candidate.terms and not mentions_any(candidate.text, candidate.terms):
        terms = list(candidate.terms)
        findings.append(Finding("missing_target", _("contains none of these words: %(terms)s", terms=terms)))
    return findings


def _too_short(words: int, fewest: int) -> Text:
    return ngettext(
        "%(count)s word; at least %(fewest)s are needed",
        "%(count)s words; at least %(fewest)s are needed",
        words,
        fewest=fewest,
    )


def _too_long(words: int, most: int) -> Text:
    return ngettext(
        "%(count)s word; at most %(most)s are allowed",
        "%(count)s words; at most %(most)s are allowed",
        words,
        most=most,
    )


def _too_many_characters(characters: int, most: int) -> Text:
    return ngettext(
        "%(count)s character; at most %(most)s are allowed",
        "%(count)s characters; at most %(most)s are allowed",
        characters,
        most=most,
    )
