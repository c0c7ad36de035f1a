"""The one way to move rows between states: compare-and-set against a table of allowed moves."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import models

from core.batches import in_batches
from core.errors import ChangedMeanwhile, WrongState

Moves = Mapping[str, set[str]]
AT_ONCE = 500  # databases bound how many values a statement may name


def move(subject: models.Model, to: str, moves: Moves, **facts: Any) -> None:
    """Move a row to another state if it is still in the state we saw.

    Refuses a move the table does not allow, and one that somebody else made first.
    """
    now: str = subject.state  # type: ignore[attr-defined]
    if to not in moves.get(now, set()):
        raise WrongState(subject, now=now, wanted=to, known=tuple(sorted(moves.get(now, set()))))
    manager = type(subject)._default_manager
    if not manager.filter(pk=subject.pk, state=now).update(state=to, **facts):
        raise ChangedMeanwhile(subject)
    subject.refresh_from_db()


def move_rows(
    rows: models.QuerySet[Any], to: str, moves: Moves, *, come_from: Collection[str] | None = None, **facts: Any
) -> int:
    """Move those of the rows that are in a state from which the table allows it; return how many were moved.

    `come_from` names fewer states to come from. Naming one that the table does not allow is an error of the caller.
    """
    allowed = sorted(state for state, ends in moves.items() if to in ends)
    if come_from is not None and not set(come_from) <= set(allowed):
        raise ValueError(f"no move from {sorted(set(come_from) - set(allowed))} to '{to}'; allowed: {allowed}")
    return rows.filter(state__in=sorted(come_from or allowed)).update(state=to, **facts)


def move_by_id(
    model: type[models.Model], ids: Collection[int], to: str, moves: Moves, *, come_from: Collection[str] | None = None
) -> int:
    """Move the rows with these ids as `move_rows` does, some hundred at a time; there may be very many."""
    return sum(
        move_rows(model._default_manager.filter(pk__in=batch), to, moves, come_from=come_from)
        for batch in in_batches(sorted(ids), AT_ONCE)
    )
