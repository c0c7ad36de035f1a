"""Bring a labelled data set into the platform: one file, a file per part, or a file with lists of ids."""

from typing import Any

from accounts.models import User
from core.commands import DomainCommand
from core.errors import Missing
from evaluation.datasets.options import DatasetOptions
from evaluation.datasets.uploads import import_labelled


class Command(DomainCommand):
    help = "Import labelled posts for attacks, splits and training. They stay private."
    options = DatasetOptions

    def perform(self, chosen: DatasetOptions) -> dict[str, Any]:
        dataset = import_labelled(chosen, by=_owner(chosen.owner))
        return {
            "dataset": dataset.key,
            "title": dataset.title,
            "labels": dataset.labels,
            "counts": dataset.counts,
            "rows": sum(sum(found.values()) for found in dataset.counts.values()),
            "columns": dataset.mapping["columns"],
            "sha256": dataset.sha256,
            "notes": dataset.notes,
        }

    def describe(self, result: dict[str, Any]) -> str:
        lines = [f"{result['title']} ({result['dataset']}): {result['rows']:,} rows"]
        for part, found in result["counts"].items():
            lines.append(f"  {part}: " + ", ".join(f"{label} {count:,}" for label, count in found.items()))
        return "\n".join([*lines, *result["notes"]])


def _owner(email: str) -> User | None:
    if not email:
        return None
    found: User | None = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise Missing(f"No account has the address '{email}'. Invite the person first, or leave --owner out.")
    return found
