"""How a language model came to write a case, in the case's lineage: model, prompt as it was sent, settings, checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.permissions import can_see_workshop
from core.text import _, catalogue_name
from curation.cases.models import Origin
from curation.releases.extensions import Cell, LineageTable
from generation.models import Candidate, Prompt

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from curation.models import ReleaseCase


def how_it_was_written(case: ReleaseCase, *, viewer: User | AnonymousUser) -> Iterator[LineageTable]:
    """Yield one row per fact about a case that a language model wrote; links only for viewers who may follow them."""
    if case.origin != Origin.LLM:
        return
    candidate = (
        Candidate.objects.filter(case__suite_id=case.release.suite_id, case__key=case.key)
        .select_related("request", "run__prompt__functionality", "run__prompt__language")
        .first()
    )
    if candidate is not None:
        yield LineageTable(
            _("Language model"), (_("What"), _("Value")), list(_rows(candidate, can_see_workshop(viewer)))
        )


def _rows(candidate: Candidate, links: bool) -> Iterator[tuple[Cell, Cell]]:
    run, request = candidate.run, candidate.request
    yield Cell(_("Model")), Cell(request.model)
    if name := run.provider.get("name"):
        yield Cell(_("Provider")), Cell(str(name))
    yield Cell(_("Prompt")), Cell(_name_of(run.prompt), url=run.prompt.get_absolute_url() if links else "")
    yield Cell(_("System message")), Cell(request.system, is_text=True)
    yield Cell(_("Prompt as sent")), Cell(request.user, is_text=True)
    yield Cell(_("Parameters")), Cell("; ".join(f"{name} {value}" for name, value in request.parameters.items()))
    yield Cell(_("Seed")), Cell(str(request.seed))
    if candidate.is_edited:
        yield Cell(_("As the model wrote it")), Cell(candidate.original_text, is_text=True)
    yield Cell(_("Run")), Cell(run.key, url=run.get_absolute_url() if links else "")


def _name_of(prompt: Prompt) -> str:
    return _(
        "%(functionality)s, %(language)s, version %(number)s",
        functionality=catalogue_name(prompt.functionality.title),
        language=catalogue_name(prompt.language.name),
        number=prompt.number,
    )
