"""Import a file of any kind that holds a suite: a bundle, or a published format."""

from pathlib import Path
from typing import Any

from accounts.models import User
from core.errors import BadInput
from core.text import _
from curation.bundles.options import BUNDLE
from curation.bundles.services import import_bundle
from curation.importing.services import ImportReport, import_file

NOT_FOR_BUNDLES = ("language", "sheet", "labels", "templates_only")


def import_suite_file(
    path: Path, *, suite: str, format: str, on_conflict: str, dry_run: bool = False, by: User | None = None, **rest: Any
) -> ImportReport:
    """Bring what a file or folder holds into a suite. Refuses what the kind of file refuses."""
    if format != BUNDLE:
        return import_file(path, suite=suite, format=format, dry_run=dry_run, by=by, **rest)
    if given := [name for name in NOT_FOR_BUNDLES if rest.get(name)]:
        raise BadInput(_("A bundle is imported whole. Leave out: %(names)s.", names=given), field=given[0])
    return import_bundle(path, suite=suite, on_conflict=on_conflict, dry_run=dry_run, by=by)
