"""Import a suite from a published format."""

from typing import Any

from core.commands import DomainCommand, describe_problem
from curation.importing.options import ImportOptions
from curation.importing.services import import_file


class Command(DomainCommand):
    help = "Import a suite: everything or nothing, and importing twice changes nothing."
    options = ImportOptions

    def perform(self, options: ImportOptions) -> dict[str, Any]:
        return import_file(options.path, **options.plain()).as_json()

    def describe(self, result: dict[str, Any]) -> str:
        lines = [describe_problem(problem) for problem in result["problems"]]
        verb = "Would import" if result["dry_run"] else "Imported"
        new = ", ".join(f"{count} {what}" for what, count in result["new"].items() if count) or "nothing new"
        changed = ", ".join(f"{count} {what}" for what, count in result["changed"].items() if count)
        lines.append(
            f"{verb} into '{result['suite']}' ({', '.join(result['languages'])}): {new}"
            + (f"; changed {changed}" if changed else "")
            + f". The files hold {result['templates']} templates, {result['forms']} forms, {result['cases']} cases."
        )
        return "\n".join(lines)
