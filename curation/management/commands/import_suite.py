"""Import a suite from a published format."""

from typing import Any

from core.commands import DomainCommand, describe_problem
from curation.importing.files import import_suite_file
from curation.importing.options import ImportOptions


class Command(DomainCommand):
    help = "Import a suite: everything or nothing, and importing twice changes nothing."
    options = ImportOptions

    def perform(self, options: ImportOptions) -> dict[str, Any]:
        return import_suite_file(options.path, **options.plain()).as_json()

    def describe(self, result: dict[str, Any]) -> str:
        lines = [describe_problem(problem) for problem in result["problems"]]
        for part in result["parts"]:
            if part["conflicts"]:
                done = "replaced" if part["replaced"] else "kept as they are here"
                named = ", ".join(part["examples"][:5])
                lines.append(f"{part['title']}: {part['conflicts']} differ, {done}: {named}.")
        verb = "Would import" if result["dry_run"] else "Imported"
        new = ", ".join(f"{count} {what}" for what, count in result["new"].items() if count) or "nothing new"
        changed = ", ".join(f"{count} {what}" for what, count in result["changed"].items() if count)
        lines.append(
            f"{verb} into '{result['suite']}' ({', '.join(result['languages'])}): {new}"
            + (f"; changed {changed}" if changed else "")
            + f". The files hold {result['templates']} templates, {result['forms']} forms, {result['cases']} cases."
        )
        return "\n".join(lines)
