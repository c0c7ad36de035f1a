"""Imported cases whose texts their templates do not give: each stands where the template's own text would."""

from collections import defaultdict, deque
from collections.abc import Container, Iterable

from curation.cases.models import Origin
from curation.lexicon.models import FormSource
from curation.models import Form, Language, Suite, TestCase
from curation.morphology.realised import target_name
from curation.morphology.words import FormUsed


class ImportedPlaces:
    """Published suites hold texts that were changed by hand after filling. They stay, and get no twin beside them.

    `given` is what makes each case the same, for all the templates give. A word that was changed here since the import
    is another matter: what it gives is new.
    """

    def __init__(self, suite: Suite, language: Language, given: Container[str]) -> None:
        cases = TestCase.objects.of(suite).in_use().filter(language=language, origin=Origin.IMPORT).in_order()
        self._keys: dict[tuple[int | None, str], deque[str]] = defaultdict(deque)
        for template_id, target, identity, key in cases.values_list(
            "template_id", "target__name", "identity_hash", "key"
        ):
            if identity not in given:
                self._keys[template_id, target or ""].append(key)
        changed = Form.objects.filter(entry__suite=suite, entry__language=language).exclude(source=FormSource.IMPORT)
        self._changed = set(changed.values_list("entry__key", "features", "perturbation"))

    def take(self, template_id: int, target: str, forms: Iterable[FormUsed]) -> str:
        """Return the key of the imported case in that place, each once; "" where there is none."""
        keys = self._keys.get((template_id, target_name([target])))
        if not keys or any((form.entry, form.features, form.perturbation) in self._changed for form in forms):
            return ""
        return keys.popleft()
