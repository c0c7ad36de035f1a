"""A bundle goes out, the database becomes empty again, and the bundle comes in."""

from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from curation.bundles.services import export_bundle, import_bundle
from curation.models import Suite


def bundle_of_a_lost_suite(make: Callable[[], Suite], out: Path, *, with_labels: bool = False) -> Path:
    """Make a suite, write its bundle, and undo everything but the file."""
    with transaction.atomic():
        export_bundle(make(), out, with_labels=with_labels)
        transaction.set_rollback(True)
    return out


def bytes_there_and_back(make: Callable[[], Suite], folder: Path, *, with_labels: bool = False) -> tuple[bytes, bytes]:
    """Return the bundle of a suite, and the bundle of what an empty instance made of it."""
    first = bundle_of_a_lost_suite(make, folder / "first.zip", with_labels=with_labels)
    with transaction.atomic():
        import_bundle(first, suite="again")
        suite = Suite.objects.get(key="again")
        suite.key = "mild"  # the one thing that may differ: an importer chooses the key
        export_bundle(suite, folder / "second.zip", with_labels=with_labels)
        transaction.set_rollback(True)
    return first.read_bytes(), (folder / "second.zip").read_bytes()
