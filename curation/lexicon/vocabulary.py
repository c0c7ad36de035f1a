"""The words of a suite in a language, kept ready between two key strokes and made anew when the lexicon changed."""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from curation.authoring.wording import expander_for
from curation.models import Form, Language, LexiconEntry, Suite
from curation.morphology.expand import Expander
from curation.morphology.perturb import perturbations_for

MOST_KEPT = 24


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """An expander with what is known about its entries, by their key."""

    expander: Expander
    kinds: dict[str, str]
    targets: dict[str, str]
    lemmas: dict[str, str]
    cells: dict[str, tuple[str, ...]]
    perturbations: tuple[str, ...]


_State = tuple[tuple[Any, ...], ...]
_kept: OrderedDict[tuple[int, int], tuple[_State, _State, str, Vocabulary]] = OrderedDict()
_lock = Lock()


def vocabulary_of(suite: Suite, language: Language) -> Vocabulary:
    """Return the words as they are now; two queries while nothing changed, so that a preview costs no new expander."""
    entries: _State = tuple(
        LexiconEntry.objects.of(suite, language)
        .order_by("id")
        .values_list("id", "key", "kind", "target__name", "lemma", "inherent", "properties", "position")
    )
    forms: _State = tuple(
        Form.objects.usable()
        .filter(entry__suite=suite, entry__language=language)
        .order_by("id")
        .values_list("id", "entry__key", "features", "perturbation", "text", "position")
    )
    place = (suite.pk, language.pk)
    schema = language.features or {}
    spelling = f"{language.orthography or language.code} {schema}"
    with _lock:
        kept = _kept.get(place)
        if kept is not None and kept[:3] == (entries, forms, spelling):
            _kept.move_to_end(place)
            return kept[3]
    made = _make(suite, language, entries, forms)
    with _lock:
        _kept[place] = (entries, forms, spelling, made)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


def _make(suite: Suite, language: Language, entries: _State, forms: _State) -> Vocabulary:
    kinds = {row[1]: row[2] for row in entries}
    cells: dict[str, dict[str, None]] = defaultdict(dict)
    for _, entry, features, perturbation, *_ in forms:
        if not perturbation and features:
            cells[kinds[entry]].setdefault(features)
    return Vocabulary(
        expander=expander_for(suite, language),
        kinds=kinds,
        targets={row[1]: row[3] or "" for row in entries},
        lemmas={row[1]: row[4] for row in entries},
        cells={kind: tuple(found) for kind, found in cells.items()},
        perturbations=tuple(sorted({row[3] for row in forms if row[3]})),
    )


def completions_for(suite: Suite, language: Language) -> dict[str, Any]:
    """Return what can stand in a placeholder, for completing it: kinds, feature values by kind, perturbations."""
    words = vocabulary_of(suite, language)
    schema = language.features.get("features", []) if isinstance(language.features, dict) else []
    declared = [f"{feature['name']}={value}" for feature in schema for value in feature["values"]]
    by_kind = {}
    for kind in sorted(words.expander.kinds):
        used = dict.fromkeys(pair for cell in words.cells.get(kind, ()) for pair in cell.split("|"))
        by_kind[kind] = [*used, *(pair for pair in declared if pair not in used)]
    return {"kinds": by_kind, "perturbations": perturbations_in(words, language)}


def perturbations_in(words: Vocabulary, language: Language) -> list[str]:
    """Return the perturbations that words have forms of, then the others there are for the language."""
    possible = [item.key for item in perturbations_for(language=language.code, script=language.script)]
    return [*words.perturbations, *(key for key in possible if key not in words.perturbations)]
