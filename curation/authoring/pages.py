"""What the pages of authoring share: who is asking, which suite and language, lists and downloads."""

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from core.permissions import can_author
from curation.models import Language, Suite, Template


def find_template(request: HttpRequest, suite: str, language: str, key: str) -> Template:
    """Return a template of a suite the person may see; 404 where there is none."""
    templates = Template.objects.select_related("suite", "language", "functionality", "target", "adapted_from__suite")
    return get_object_or_404(
        templates.filter(suite__in=Suite.objects.visible_to(request.user)),
        suite__key=suite,
        language__code=language,
        key=key,
    )


def chosen_place(
    request: HttpRequest, values: Any = None
) -> tuple[Suite | None, Language | None, list[Suite], list[Language]]:
    """Return the suite and language an address names, or the first the person can write in; and all choices."""
    values = request.GET if values is None else values
    suites = list(Suite.objects.visible_to(request.user).prefetch_related("languages"))
    suite: Suite | None
    if wanted := values.get("suite"):
        suite = get_object_or_404(Suite.objects.visible_to(request.user), key=wanted)
    else:
        suite = suites[0] if suites else None
    languages = list(suite.languages.all()) if suite else []
    if wanted := values.get("language"):
        language: Language | None = get_object_or_404(Language, code=wanted)
    else:
        own = [item for item in languages if can_author(request.user, item.code)]
        language = next(iter(own or languages), None)
    return suite, language, suites, languages
