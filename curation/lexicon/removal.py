"""What removing a word from the lexicon will do to the cases that were made with it."""

from dataclasses import dataclass

from core.text import _, ngettext
from curation.authoring.case_changes import perturbed_cases
from curation.authoring.wording import expander_for
from curation.cases.generating import approved_sources, identity_of, variants_of
from curation.cases.models import Origin
from curation.models import LexiconEntry, TestCase


@dataclass(frozen=True, slots=True)
class Removal:
    """How many cases the next generation retires once the word is gone, their perturbed versions included."""

    retires: int

    @property
    def sentence(self) -> str:
        if not self.retires:
            return _("No case will be retired when cases are next generated.")
        return ngettext(
            "%(count)s case made with this word will be retired when cases are next generated. "
            "Imported cases and released cases stay.",
            "%(count)s cases made with this word will be retired when cases are next generated. "
            "Imported cases and released cases stay.",
            self.retires,
        )


def removal_of(entry: LexiconEntry) -> Removal:
    """Work out what the next generation would retire without the word; nothing is changed.

    Only the templates whose cases name the word are expanded again, without it: a case that another word gives just
    the same stays, and so do the cases of a template that can no longer be read.
    """
    suite, language = entry.suite, entry.language
    with_word: dict[int, dict[str, str]] = {}
    made = TestCase.objects.of(suite).in_use().filter(language=language, origin=Origin.TEMPLATE)
    rows = made.values_list("template_id", "key", "identity_hash", "provenance")
    for template, key, identity, provenance in rows.iterator(chunk_size=2000):
        if template is not None and any(form[0] == entry.key for form in provenance.get("forms", ())):
            with_word.setdefault(template, {})[identity] = key
    if not with_word:
        return Removal(0)
    expander, variants = expander_for(suite, language, without=entry), variants_of(suite, language)
    going: set[str] = set()
    for source in approved_sources(suite, language):
        if source.id in with_word:
            expansion = expander.expand(variants[source.version_id], source.defaults)
            if not expansion.faults:
                given = {identity_of(source, realised) for realised in expansion}
                going |= {key for identity, key in with_word[source.id].items() if identity not in given}
    return Removal(len(going | set(perturbed_cases(suite, language, going, TestCase.objects.in_use()))))
