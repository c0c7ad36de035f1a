"""Which cases of a release are about an identity, told from what the release holds. Pure."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from curation.morphology.placeholders import has_identity
from curation.publishing.values import FrozenCase

GENDERED = ("gender_male", "gender_female")  # columns of Multilingual HateCheck: the text of the template per gender
TemplateTexts = Mapping[tuple[str, str], Iterable[str]]  # by language and key of the template


def about_identity(cases: Iterable[FrozenCase], templates: TemplateTexts) -> set[str]:
    """Return the keys of the cases about an identity: any wording of their template has a place for one.

    A case without a template is about one where it has a target group.
    """
    found = list(cases)
    texts: dict[tuple[str, str], set[str]] = {key: set(known) for key, known in templates.items()}
    for case in found:
        if case.template:
            known = texts.setdefault((case.language, case.template), set())
            known.update(text for text in (case.template_text, *gendered_texts(case)) if text)
    is_about = {key: any(map(_has_identity, known)) for key, known in texts.items()}
    by_template = {case.key for case in found if case.template and is_about[case.language, case.template]}
    alone = {case.key for case in found if not case.template and case.targets}
    return by_template | alone | {case.key for case in found if any(map(_has_identity, gendered_texts(case)))}


def gendered_texts(case: FrozenCase) -> list[str]:
    """Return the texts per gender that came with an imported case."""
    return [text for column, text in case.extra if column in GENDERED]


@lru_cache(maxsize=100_000)
def _has_identity(text: str) -> bool:
    return has_identity(text)
