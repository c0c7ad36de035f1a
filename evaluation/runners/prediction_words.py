"""What the cells of an uploaded column mean: labels in many spellings, 1 and 0, severity words, or scores to cut."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import isfinite

from core.inference.errors import LabelsUnclear
from core.text import _
from evaluation.runners.labels import map_labels
from evaluation.runners.settings import RunnerSettings

THRESHOLD = 0.5
YES, NO = ("1", "1.0", "true", "yes"), ("0", "0.0", "false", "no")
# HateCheck's reading of a service that knows four severities: everything but none is hateful.
SEVERITIES = {"no": False, "none": False, "mild": True, "bad": True, "moderate": True, "severe": True}


@dataclass(frozen=True, slots=True)
class Meaning:
    """How a column is read: cells by their words, or numbers cut at `threshold`.

    `notes` say what was guessed, each with the way out.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    threshold: float | None = None
    notes: tuple[tuple[str, str], ...] = ()


def plain(value: object) -> str:
    """A cell without case, outer blanks and the choice between blank, underscore and hyphen."""
    return re.sub(r"[\s_-]+", "-", str(value).strip().lower())


def meaning_of(
    cells: Collection[str],
    *,
    settings: RunnerSettings,
    label_map: Mapping[str, str] | None = None,
    threshold: float | None = None,
) -> Meaning:
    """How to read the different cells of a column.

    An explicit map or threshold is followed. Without one, what is usual is understood and what was guessed is noted;
    cells that remain unknown are simply not in `words`. Refuses numbers that are neither labels nor shares.
    """
    words = {plain(label): label for label in settings.labels}
    mapped = {plain(word): label for word, label in (label_map or {}).items()}
    if not settings.is_binary:  # neither numbers nor "yes" tell more than two labels apart
        return Meaning(words | mapped)
    positive, negative = settings.labels
    words |= dict.fromkeys((f"not-{plain(positive)}", f"non-{plain(positive)}", f"non{plain(positive)}"), negative)
    words |= dict.fromkeys(YES, positive) | dict.fromkeys(NO, negative)
    words |= mapped
    unknown = {cell for cell in map(plain, cells) if cell} - words.keys()
    if threshold is not None:
        return Meaning(threshold=threshold)
    if not unknown or label_map:
        return Meaning(words)
    finite = [number for number in map(_number, cells) if number is None or isfinite(number)]
    if finite and all(number is not None and 0 <= number <= 1 for number in finite):
        return Meaning(
            threshold=THRESHOLD,
            notes=(
                (
                    _(
                        "the numbers were read as scores: %(label)s from %(threshold)s on",
                        label=positive,
                        threshold=THRESHOLD,
                    ),
                    _("Another cut: a threshold."),
                ),
            ),
        )
    numbers = [number for number in finite if number is not None]
    if numbers and len(numbers) == len(finite):
        raise LabelsUnclear(
            _(
                "the column holds numbers from %(lowest)s to %(highest)s. Say by a threshold from which on a text is "
                "%(label)s, or by a label map what each means.",
                lowest=f"{min(numbers):g}",
                highest=f"{max(numbers):g}",
                label=positive,
            )
        )
    guessed = _guess({plain(cell) for cell in cells if cell}, settings)
    shown = [f"{word} = {guessed[word]}" for word in sorted(unknown & guessed.keys())]
    notes = ((_("words were read as: %(words)s", words=shown), _("Another meaning: a label map.")),) if shown else ()
    return Meaning(words | guessed, notes=notes)


def _guess(words: set[str], settings: RunnerSettings) -> dict[str, str]:
    """Severities or usual class names, if all of the words are; else nothing."""
    if words <= SEVERITIES.keys():
        return {word: settings.label_if(SEVERITIES[word]) for word in words}
    try:
        return map_labels(sorted(words), settings=settings)
    except LabelsUnclear:
        return {}


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
