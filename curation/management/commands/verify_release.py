"""Check that a release is what was published."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand, find_release
from curation.errors import BadInput, DomainError
from curation.publishing.errors import PublishingError
from curation.publishing.verify import verify_folder
from curation.services.release_verifying import verify_release


class Tampered(DomainError):
    """Something is not what it was."""

    code, status = "tampered", 409


def _read_key(given: str) -> str:
    """The public key: the path of its file, or the one line of the key itself."""
    try:
        return Path(given).read_text(encoding="utf-8") if given and Path(given).is_file() else given
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The public key {given} cannot be read: {error}.") from error


class Command(DomainCommand):
    help = "Check a release in the database (SUITE@VERSION) or an exported folder; names the first difference."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("subject", metavar="SUITE@VERSION | DIR")
        parser.add_argument(
            "--public-key", default="", metavar="FILE", help="also check the detached signature of an exported folder"
        )

    def perform(self, **options: Any) -> dict[str, Any]:
        subject: str = options["subject"]
        if Path(subject).is_dir():
            return self._verify_folder(Path(subject), _read_key(options["public_key"]))
        found = verify_release(find_release(subject))
        if not found.is_intact:
            raise Tampered(
                f"{subject} is not intact: {found.difference}.",
                difference=found.difference,
                case=found.case,
                field=found.field,
            )
        return {"subject": subject, "intact": True, "cases": found.cases, "sha256": found.sha256}

    def _verify_folder(self, folder: Path, public_key: str) -> dict[str, Any]:
        try:
            found = verify_folder(folder, public_key=public_key)
        except PublishingError as error:
            raise Tampered(f"{folder} is not intact: {error}", difference=str(error)) from error
        if not found.is_intact:
            raise Tampered(f"{folder} is not intact: {found.first}", difference=str(found.first))
        return {"subject": str(folder), "intact": True, "cases": found.cases, "sha256": found.sha256}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['subject']} is intact: {result['cases']} cases, sha256 {result['sha256']}"
