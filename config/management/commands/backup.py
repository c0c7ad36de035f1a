"""Back up the instance while it is in use."""

from pathlib import Path
from typing import Any

from config.backup import back_up
from config.options import BackupOptions
from core.commands import DomainCommand


class Command(DomainCommand):
    help = "Write database and files to one archive with checksums, also while people work. `restore` reads it."
    options = BackupOptions

    def perform(self, chosen: BackupOptions) -> dict[str, Any]:
        return back_up(Path(chosen.out).expanduser().absolute(), tell=self.show_progress)

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"{result['file']}: {result['rows']:,} rows and {result['files']:,} files in {result['bytes']:,} bytes, "
            f"sha256 {result['sha256']}. It holds addresses of people and the secret key: keep it private."
        )
