"""Guidelines: the ones that come with the platform, and new versions of them."""

import re

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from accounts.models import User
from annotation.models import Guideline
from core.errors import BadInput
from core.permissions import require_author
from core.text import _
from curation.models import Language

LONGEST = 100_000


def load_guidelines() -> int:
    """Make version 1 of every language's guideline from the fixtures. Returns how many were new."""
    languages = {language.code: language for language in Language.objects.all()}
    having = set(Guideline.objects.values_list("language__code", flat=True))
    fresh = []
    for file in sorted((settings.FIXTURES / "guidelines").glob("*.md")):
        if file.stem in languages and file.stem not in having:
            text = file.read_text(encoding="utf-8")
            fresh.append(Guideline(language=languages[file.stem], version=1, title=_title_of(text), text=text))
    return len(Guideline.objects.bulk_create(fresh, ignore_conflicts=True))


@transaction.atomic
def write_guideline(language: Language, *, title: str, text: str, by: User) -> Guideline:
    """Add a version. Earlier ones stay: they are what earlier labels mean.

    Refuses people without the role in the language, and an empty text.
    """
    require_author(by, language.code)
    if not text.strip():
        raise BadInput(_("The guideline is empty. Write what annotators have to decide and how."), field="text")
    Language.objects.select_for_update().get(pk=language.pk)  # two authors at once get two numbers
    newest = Guideline.objects.filter(language=language).aggregate(newest=Max("version"))["newest"] or 0
    return Guideline.objects.create(
        language=language, version=newest + 1, title=title.strip() or _title_of(text), text=text, created_by=by
    )


def newest_guideline(language: Language | None) -> Guideline | None:
    return Guideline.objects.filter(language=language).order_by("-version").first() if language else None


def guideline_of(language: Language | None, key: str) -> Guideline:
    """Return a guideline by language and version, such as `de:2`; a version alone is one of `language`.

    Refuses what there is not, and names what there is.
    """
    code, _colon, version = key.rpartition(":")
    guidelines = Guideline.objects.filter(language__code=code or (language.code if language else ""))
    found = guidelines.filter(version=version).first() if version.isdecimal() else None
    if found is None:
        known = [one.key for one in guidelines.select_related("language").order_by("version")]
        raise BadInput(
            _("There is no version %(version)s of this guideline. Known: %(known)s.", version=version, known=known)
            if known
            else _("There is no guideline in this language. Write one first."),
            field="guideline",
        )
    return found


def _title_of(text: str) -> str:
    heading = re.search(r"^#\s+(.+)$", text, re.M)
    return (heading[1] if heading else "Guidelines")[:160]
