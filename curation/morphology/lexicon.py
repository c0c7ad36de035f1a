"""A lexicon in memory: words with what they are by themselves, and their forms by features and perturbation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.text import _
from curation.morphology.feature_names import form_name
from curation.morphology.features import NONE, Features


@dataclass(frozen=True, slots=True)
class Entry:
    """A word. `properties` is what an expert says about its spelling, e.g. {"elides": "no"}."""

    key: str
    kind: str
    target: str = ""
    lemma: str = ""
    position: int = 0
    inherent: Features = NONE
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    """One cell of a word's paradigm. `position` orders a column; None takes the entry's position."""

    entry: str
    features: Features
    perturbation: str
    text: str
    position: int | None = None


class Cell(NamedTuple):
    """A form with its features as sets: its own, and those inherent in the word with them."""

    form: Form
    own: frozenset[tuple[str, str]]
    all: frozenset[tuple[str, str]]


class Lexicon:
    """Entries and forms of one language. Order of cases: forms by position in their column, then entries by theirs."""

    def __init__(self, entries: Iterable[Entry], forms: Iterable[Form]) -> None:
        """Refuse a key given twice, a form of no entry, and two forms in one cell."""
        self._entries: dict[str, Entry] = {}
        self._by_kind: dict[str, list[Entry]] = defaultdict(list)
        for entry in sorted(entries, key=lambda entry: entry.position):
            if entry.key in self._entries:
                raise ValueError(_("two entries are called '%(entry)s'; give each its own key", entry=entry.key))
            self._entries[entry.key] = entry
            self._by_kind[entry.kind].append(entry)
        self._forms: dict[tuple[str, str], list[Cell]] = defaultdict(list)
        self._columns: dict[tuple[Features, str], dict[str, Form]] = defaultdict(dict)
        for form in forms:
            if form.entry not in self._entries:
                raise ValueError(
                    _(
                        "the form '%(form)s' belongs to '%(entry)s', which is not an entry",
                        form=form.text,
                        entry=form.entry,
                    )
                )
            column = self._columns[form.features, form.perturbation]
            if form.entry in column:
                raise ValueError(
                    _(
                        "'%(entry)s' has two forms for %(form)s: '%(first)s' and '%(second)s'; keep one",
                        entry=form.entry,
                        form=form_name(form.features, form.perturbation),
                        first=column[form.entry].text,
                        second=form.text,
                    )
                )
            column[form.entry] = form
            inherent = self._entries[form.entry].inherent
            known = Cell(form, frozenset(form.features), frozenset(inherent.merge(form.features)))
            self._forms[form.entry, form.perturbation].append(known)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of word there are entries of."""
        return frozenset(self._by_kind)

    @property
    def perturbations(self) -> frozenset[str]:
        """The perturbations there are forms of."""
        return frozenset(perturbation for _, perturbation in self._forms if perturbation)

    @property
    def features(self) -> dict[str, frozenset[str]]:
        """The values there are of each feature, in forms or inherent in words."""
        values: dict[str, set[str]] = defaultdict(set)
        marked = [features for features, _ in self._columns]
        for features in {*marked, *(entry.inherent for entry in self._entries.values())}:
            for name, value in features:
                values[name].add(value)
        return {name: frozenset(known) for name, known in sorted(values.items())}

    def entries(self, kind: str) -> tuple[Entry, ...]:
        """Return the entries of a kind, in the lexicon's order."""
        return tuple(self._by_kind.get(kind, ()))

    def entry(self, key: str) -> Entry:
        """Return the entry of that key; KeyError if there is none."""
        return self._entries[key]

    def column(self, features: Features, perturbation: str = "") -> Mapping[str, Form]:
        """Return the forms with exactly those features, by the key of their word."""
        return self._columns.get((features, perturbation), {})

    def forms_of(self, entry: str, perturbation: str = "") -> Sequence[Cell]:
        """Return all forms of a word with that perturbation ("" for plain spelling)."""
        return self._forms.get((entry, perturbation), ())
