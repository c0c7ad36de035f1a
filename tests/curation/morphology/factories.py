"""A lexicon from what a reader of a format hands over."""

from collections.abc import Iterable

from curation.formats.values import EntryValue, FormValue
from curation.morphology.features import parse_features
from curation.morphology.lexicon import Entry, Form, Lexicon


def make_lexicon(entries: Iterable[EntryValue], forms: Iterable[FormValue]) -> Lexicon:
    """Return the lexicon that values of one language make."""
    return Lexicon(
        (
            Entry(
                value.key,
                value.kind,
                value.target,
                value.lemma,
                value.position,
                parse_features(value.inherent),
                dict(value.properties),
            )
            for value in entries
        ),
        (
            Form(value.entry, parse_features(value.features), value.perturbation, value.text, value.position)
            for value in forms
        ),
    )
