"""Who may do what: experts write prompts and decide in their languages, maintainers start runs and spend money."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.errors import NotAllowed
from core.permissions import can_author, can_maintain
from core.text import _, catalogue_name
from generation.models import GenerationRun

if TYPE_CHECKING:
    from core.permissions import Person


def can_decide(user: Person, run: GenerationRun) -> bool:
    """Return whether a person decides: experts in the run's language, and maintainers."""
    return can_author(user, run.language.code)


def require_decider(user: Person, run: GenerationRun) -> None:
    if not can_decide(user, run):
        raise NotAllowed(
            _(
                "Only experts for %(language)s can decide about these candidates. Ask a maintainer for the role.",
                language=catalogue_name(run.language.name),
            )
        )


def can_start(user: Person) -> bool:
    """Return whether a person starts runs: maintainers, because runs may cost money."""
    return can_maintain(user)
