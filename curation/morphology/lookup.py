"""Which form of a word a placeholder takes, and what happens when there is none. Nothing is replaced silently."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.text import _, ngettext
from curation.morphology.features import Features
from curation.morphology.lexicon import Entry, Form, Lexicon

AMBIGUOUS = "is ambiguous"  # stands in the English warning about a word


@dataclass(frozen=True, slots=True)
class Fallback:
    """A declared way out: where no form has `wanted`, look for `instead` (no features: leave them open)."""

    wanted: Features
    instead: Features

    def apply(self, features: Features) -> Features | None:
        """Return the features to look for instead, None where this fallback does not apply."""
        if not self.wanted.is_subset(features):
            return None
        return features.without(*(name for name, _ in self.wanted)).merge(self.instead)


class Found(NamedTuple):
    """The form a word takes, and what has to be said about it."""

    form: Form
    warnings: tuple[str, ...]


def find_form(
    lexicon: Lexicon,
    entry: Entry,
    wanted: Features,
    perturbation: str = "",
    fallbacks: Sequence[Fallback] = (),
    *,
    exactly: bool = False,
) -> Found | None:
    """Return the form that has all wanted features, its own or inherent in the word; None where there is none.

    The form with exactly the wanted features comes first, then the one with the fewest others (none, if `exactly`). Two
    that fit equally well give a warning, and so does a fallback.
    """
    found = _best(lexicon, entry, wanted, perturbation, exactly)
    if found is not None:
        return found
    asked = wanted
    for fallback in fallbacks:
        instead = fallback.apply(asked)
        if instead is None:
            continue
        asked = instead
        found = _best(lexicon, entry, asked, perturbation, exactly)
        if found is not None:
            # Kept with the case and its releases, hence in the notation.
            message = _(
                "'%(word)s' has no form for %(wanted)s; '%(form)s' (%(features)s) is used instead",
                word=entry.lemma or entry.key,
                wanted=str(wanted),
                form=found.form.text,
                features=str(asked) or "any",
            )
            return Found(found.form, (message, *found.warnings))
    return None


def _best(lexicon: Lexicon, entry: Entry, wanted: Features, perturbation: str, exactly: bool) -> Found | None:
    best = best_forms(lexicon, entry, wanted, perturbation, exactly=exactly)
    if len({form.text for form in best}) < 2:
        return Found(best[0], ()) if best else None
    word, forms = entry.lemma or entry.key, [f"'{form.text}' ({form.features})" for form in best]
    message = ngettext(
        "'%(word)s' is ambiguous: %(count)s form fits. %(used)s is used, not %(others)s. Add features to choose one.",
        "'%(word)s' is ambiguous: %(count)s forms fit. %(used)s is used, not %(others)s. Add features to choose one.",
        len(best),
        word=word,
        used=forms[0],
        others=forms[1:],
    )
    return Found(best[0], (message,))


def best_forms(
    lexicon: Lexicon, entry: Entry, wanted: Features, perturbation: str = "", *, exactly: bool = False
) -> list[Form]:
    """Return the forms that fit equally well: the exact one, or else those with the fewest further features."""
    exact = lexicon.column(wanted, perturbation).get(entry.key)
    if exact is not None:
        return [exact]
    asked = frozenset(wanted)
    fitting = [
        (len(cell.own - asked), cell.form)
        for cell in lexicon.forms_of(entry.key, perturbation)
        if asked <= cell.all and not (exactly and not cell.own <= asked)
    ]
    fewest = min((others for others, _ in fitting), default=0)
    return [form for others, form in fitting if others == fewest]
