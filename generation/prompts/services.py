"""Prompts: those that come with Touchstone, new versions by experts, and what a model will read."""

import hashlib
import json
from functools import cache
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.permissions import require_author
from core.text import _, catalogue_name
from curation.models import Functionality, Language, Suite, TargetGroup
from generation.models import Prompt
from generation.prompts.algorithm.filling import fill_prompt, require_places
from generation.prompts.algorithm.library import PromptLibrary, read_prompt_folder
from generation.prompts.algorithm.values import FilledPrompt, PromptError, PromptVersion
from generation.prompts.algorithm.versions import VersionComparison, compare_versions
from generation.prompts.options import PromptOptions
from generation.runs.groups import example_group, name_in_prompts, slurs_for
from generation.sentences import sentence_of

SHIPPED = _("Comes with Touchstone.")
# Notes that Touchstone writes itself; they are kept in English and shown in the reader's language.
OUR_NOTES = (SHIPPED, _("Drafted by a machine, not yet checked by a speaker."))
PARTS = ("task", "demonstration", "slurs", "answer")


@cache
def _libraries() -> dict[str, PromptLibrary]:
    return read_prompt_folder(settings.FIXTURES / "prompts")


@transaction.atomic
def load_prompts() -> int:
    """Load the prompts that come with Touchstone as first versions, and return how many are new. Idempotent."""
    languages = {language.code: language for language in Language.objects.all()}
    functionalities = {item.key: item for item in Functionality.objects.all()}
    known = set(Prompt.objects.values_list("language__code", "functionality__key").distinct())
    rows = [
        _row(version, languages[code], functionalities[key], number=1, note=version.instruction.origin or SHIPPED)
        for code, library in _libraries().items()
        if code in languages
        for key, version in ((key, library.version_for(key)) for key in library.instructions)
        if key in functionalities and (code, key) not in known
    ]
    Prompt.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def current_prompt(functionality: Functionality, language: Language) -> Prompt:
    """Return the newest version. Refuses a functionality that has no prompt in the language."""
    prompt = Prompt.objects.about(functionality, language).select_related("language", "functionality").first()
    if prompt is None:
        keys = Prompt.objects.filter(language=language).order_by("functionality__position")
        raise Missing(
            _(
                "There is no prompt for '%(functionality)s' in %(language)s. There are prompts for: %(known)s.",
                functionality=functionality.key,
                language=catalogue_name(language.name),
                known=list(dict.fromkeys(keys.values_list("functionality__key", flat=True))) or _("none"),
            )
        )
    return prompt


def versions_of(language: str, functionality: str) -> list[Prompt]:
    """Return all versions of a prompt, newest first. Refuses where there is none."""
    load_prompts()
    found = Prompt.objects.filter(language__code=language, functionality__key=functionality)
    versions = list(found.select_related("language", "functionality", "author").order_by("-number"))
    if not versions:
        raise Missing(
            _(
                "There is no prompt for '%(functionality)s' in '%(language)s'.",
                functionality=functionality,
                language=language,
            )
        )
    return versions


def starting_point(functionality: Functionality, language: Language) -> dict[str, Any]:
    """Return the wording a new version starts from: the newest one, or what all prompts of the language share.

    A first version in a language starts from the English instruction.
    """
    own = Prompt.objects.about(functionality, language).first()
    english = Prompt.objects.filter(functionality=functionality, language__code="en").order_by("-number").first()
    shared = own or Prompt.objects.filter(language=language).order_by("-number").first() or english
    if shared is None:
        return {}
    parts = {part if part in ("task", "answer") else f"{part}_part": shared.skeleton[part] for part in PARTS}
    texts = ("instruction", "uses_slurs", "demonstration", "slurs") if own else ("instruction", "uses_slurs")
    start = own or english
    return {"system": shared.system, **parts} | ({name: getattr(start, name) for name in texts} if start else {})


def complete(functionality: Functionality, language: Language, wording: PromptOptions) -> PromptOptions:
    """Return the wording with the shared parts it leaves out. Refuses where there is no prompt to take them from."""
    start = starting_point(functionality, language)
    shared = ("system", "task", "demonstration_part", "slurs_part", "answer")
    found = {name: getattr(wording, name) or start.get(name, "") for name in shared}
    if missing := [name for name, text in found.items() if not text.strip()]:
        raise Missing(
            _(
                "There is no prompt in %(language)s to take the missing parts from. Give these as well: %(missing)s.",
                language=catalogue_name(language.name),
                missing=missing,
            )
        )
    return wording.model_copy(update=found)


@transaction.atomic
def add_version(functionality: Functionality, language: Language, wording: PromptOptions, *, by: User) -> Prompt:
    """Make a new version of a prompt; the old ones stay.

    Refuses people without the role in the language, placeholders that are not known, and a wording there is already.
    """
    require_author(by, language.code)
    draft = complete(functionality, language, wording)
    version = draft.as_version(language.code, functionality.key)
    if not draft.instruction.strip():
        raise BadInput(_("The instruction is empty."))
    try:
        _check_parts(draft)
        fill_prompt(version, count=1, group="x", slurs=("x",))
    except PromptError as error:
        raise BadInput(sentence_of(error)) from error
    last = Prompt.objects.about(functionality, language).aggregate(last=Max("number"))["last"] or 0
    row = _row(version, language, functionality, number=last + 1, note=draft.note, slurs=draft.slurs)
    row.author = by
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise BadInput(_("A version with exactly this wording exists already. Use that one.")) from error
    audit.record(by, Action.PROMPT_CHANGED, row, functionality=functionality.key, language=language.code)
    return row


def _check_parts(draft: PromptOptions) -> None:
    parts = {"task": draft.task, "demonstration": draft.demonstration_part, "slurs": draft.slurs_part}
    names = {
        "task": _("The task"),
        "demonstration": _("The text around the demonstration"),
        "slurs": _("The text around the slurs"),
    }
    for part, text in parts.items():
        require_places(part, text, where=names[part])


def preview_wording(functionality: Functionality, language: Language, wording: PromptOptions) -> FilledPrompt:
    """Return a wording as a model would read it, for an example group. Refuses unknown placeholders."""
    draft = complete(functionality, language, wording)
    version = draft.as_version(language.code, functionality.key)
    try:
        _check_parts(draft)
        return fill_prompt(version, count=10, group=example_group(language), slurs=draft.slurs or ("…",))
    except PromptError as error:
        raise BadInput(sentence_of(error)) from error


def fill(prompt: Prompt, *, suite: Suite, target: TargetGroup | None, count: int) -> FilledPrompt:
    """Return the prompt as the model reads it. Refuses one that needs a group or slurs that are not there."""
    known = list(prompt.slurs) or slurs_for(suite, target)
    try:
        return fill_prompt(
            prompt.as_version(), count=count, group=name_in_prompts(target) if target else "", slurs=known
        )
    except PromptError as error:
        raise BadInput(sentence_of(error)) from error


def note_of(prompt: Prompt) -> str:
    """Return the note of a version: ours in the reader's language, those of people as they wrote them."""
    return next((ours for ours in OUR_NOTES if ours == prompt.note), prompt.note)


def compare(before: Prompt, after: Prompt) -> VersionComparison:
    """Return two versions side by side, word by word."""
    return compare_versions(before.as_version(), after.as_version())


def _row(
    version: PromptVersion,
    language: Language,
    functionality: Functionality,
    *,
    number: int,
    note: str,
    slurs: tuple[str, ...] = (),
) -> Prompt:
    sha256 = version.sha256
    if slurs:
        sha256 = hashlib.sha256(json.dumps([sha256, *slurs], ensure_ascii=False).encode()).hexdigest()
    return Prompt(
        language=language,
        functionality=functionality,
        number=number,
        system=version.skeleton.system,
        skeleton={part: getattr(version.skeleton, part) for part in PARTS},
        instruction=version.instruction.text,
        demonstration=version.instruction.demonstration,
        uses_slurs=version.instruction.uses_slurs,
        slurs=list(slurs),
        sha256=sha256,
        note=note[:300],
    )
