"""Names of what a release tests, from the catalogue and from its cases."""

from django.db.models import Min

from core.text import catalogue_name, catalogue_names
from curation.models import Functionality, Language, Release, ReleaseCase
from evaluation.reports.names import FunctionalityName, Names


def names_of(release: Release, *, with_examples: bool = False) -> Names:
    """Return the names of functionalities, classes and languages: two queries whatever the size of the release.

    `with_examples` takes the first case of each functionality as its example, in English where the release has it:
    only for readers who may read the cases. Others get the mild example of the catalogue.
    """
    examples = _examples(release) if with_examples else {}
    known = Functionality.objects.select_related("functionality_class").order_by("position", "key")
    functionalities, classes = {}, {}
    for found in known:
        classes[found.functionality_class.key] = catalogue_name(found.functionality_class.title)
        functionalities[found.key] = FunctionalityName(
            catalogue_name(found.title),
            found.number,
            catalogue_name(found.functionality_class.title),
            " ".join(examples.get(found.key, found.example).split()),
        )
    return Names(functionalities, classes, catalogue_names(Language.objects.values_list("code", "name")))


def _examples(release: Release) -> dict[str, str]:
    found: dict[str, str] = {}
    every = ReleaseCase.objects.filter(release=release)
    for cases in (every, every.filter(language="en")):
        first = cases.values("functionality").annotate(first=Min("position")).values("first").order_by()
        found |= dict(every.filter(position__in=first).values_list("functionality", "text"))
    return found
