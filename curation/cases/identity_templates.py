"""Which templates are filled with identity words: their cases are about an identity, and compare groups fairly."""

from collections.abc import Iterable
from typing import NamedTuple

from core.batches import in_batches
from curation.models import Template
from curation.morphology.placeholders import has_identity

AT_ONCE = 5_000
GENDERED = ("gender_male", "gender_female")  # columns of Multilingual HateCheck, kept with templates and with cases


class IdentityTemplates(NamedTuple):
    """The templates that are about an identity, and all templates whose text is known."""

    about: set[int]
    known: set[int]


def identity_templates(template_ids: Iterable[int]) -> IdentityTemplates:
    """Find among the templates those of which any approved text has a placeholder for an identity.

    A template may have one text per gender. Texts per gender that a faulty cell of the imported file hides count too:
    they still say what the template is about.
    """
    found = IdentityTemplates(set(), set())
    for some in in_batches(sorted(set(template_ids)), AT_ONCE):
        rows = Template.objects.filter(pk__in=some, versions__state="approved").values_list(
            "id", "versions__variants__text", *(f"extra__{column}" for column in GENDERED)
        )
        for template_id, *texts in rows:
            if any(texts):
                found.known.add(template_id)
            if template_id not in found.about and any(has_identity(text) for text in texts if text):
                found.about.add(template_id)
    return found


def names_identity(extra: Iterable[tuple[str, str]]) -> bool | None:
    """Tell whether a text per gender that came with a case has a placeholder for an identity; None without a text.

    The cases of a release say it where their template has no text for both genders, also when they are imported again.
    """
    texts = [text for column, text in extra if column in GENDERED and text]
    return any(map(has_identity, texts)) if texts else None
