"""List what there is."""

from typing import Any

from config.listing import FILTERS, LISTS
from config.options import ListOptions
from core.commands import DomainCommand
from core.errors import BadInput

WIDEST = 44  # of a column in the terminal


class Command(DomainCommand):
    help = "List suites, releases, models, runs, campaigns, people, shared links and more, the newest first."
    options = ListOptions

    def perform(self, chosen: ListOptions) -> dict[str, Any]:
        filters = {name: getattr(chosen, name) for name in ("suite", "release", "model")}
        known = FILTERS.get(chosen.what, frozenset())
        for name, value in filters.items():
            if value and name not in known:
                raise BadInput(f"{chosen.what} cannot be filtered by --{name}. Leave it out.")
        return {chosen.what: list(LISTS[chosen.what](filters, chosen.limit))}

    def describe(self, result: dict[str, Any]) -> str:
        ((what, rows),) = result.items()
        if not rows:
            return f"There are no {what}."
        cells = [list(rows[0]), *([_shown(value) for value in row.values()] for row in rows)]
        widths = [max(len(line[place]) for line in cells) for place in range(len(cells[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
        return "\n".join(line.rstrip() for line in lines)


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = value.isoformat(sep=" ", timespec="minutes") if hasattr(value, "isoformat") else str(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"
