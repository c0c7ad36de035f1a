"""Check that a release is what was published."""

from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput, DomainError, Missing
from curation.finding import find_release
from curation.publishing.errors import PublishingError
from curation.publishing.manifest import SIGNATURE_NAME
from curation.publishing.verify import verify_folder
from curation.releases.moving_options import VerifyReleaseOptions
from curation.releases.verifying import verify_release


class Tampered(DomainError):
    """Something is not what it was."""

    code, status = "tampered", 409


def _read_key(given: str) -> str:
    """Return the public key: the path of its file, or the one line of the key itself."""
    try:
        return Path(given).read_text(encoding="utf-8") if given and Path(given).is_file() else given
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The public key {given} cannot be read: {error}.") from error


class Command(DomainCommand):
    help = "Check a release in the database (SUITE@VERSION) or an exported folder; names the first difference."
    options = VerifyReleaseOptions

    def perform(self, options: VerifyReleaseOptions) -> dict[str, Any]:
        subject, published = options.subject, options.sha256.strip().lower()
        if Path(subject).is_dir():
            return self._verify_folder(Path(subject), _read_key(options.public_key), published)
        if "@" not in subject:
            raise Missing(f"There is no folder '{subject}'. Name one that export_release wrote, or SUITE@VERSION.")
        found = verify_release(find_release(subject))
        if not found.is_intact:
            raise Tampered(
                f"{subject} is not intact: {found.difference}.",
                difference=found.difference,
                case=found.case,
                field=found.field,
            )
        if published not in ("", found.sha256):
            told = f"its checksum is {found.sha256}, but {published} was published"
            raise Tampered(f"{subject} is another release: {told}.", difference=told)
        return {"subject": subject, "intact": True, "cases": found.cases, "sha256": found.sha256}

    def _verify_folder(self, folder: Path, public_key: str, published: str) -> dict[str, Any]:
        try:
            found = verify_folder(folder, public_key=public_key, expected_sha256=published)
        except PublishingError as error:
            raise Tampered(f"{folder} is not intact: {error}", difference=str(error)) from error
        if not found.is_intact:
            differences = [str(finding) for finding in found.findings]
            more = "".join(f"\nalso: {finding}" for finding in differences[1:])
            raise Tampered(
                f"{folder} is not intact: {differences[0]}{more}", difference=differences[0], differences=differences
            )
        is_signed = (folder / SIGNATURE_NAME).exists()
        signature = "valid" if public_key else "not checked, give --public-key" if is_signed else "none"
        return {
            "subject": str(folder),
            "intact": True,
            "cases": found.cases,
            "sha256": found.sha256,
            "signature": signature,
        }

    def describe(self, result: dict[str, Any]) -> str:
        signature = f"\nsignature: {result['signature']}" if result.get("signature", "none") != "none" else ""
        return f"{result['subject']} is intact: {result['cases']} cases, sha256 {result['sha256']}{signature}"
