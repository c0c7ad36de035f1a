"""Writing a release into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from curation.errors import BadInput, WrongState
from curation.models import Release
from curation.publishing import annexes
from curation.publishing.errors import PublishingError
from curation.publishing.export import export_blocks
from curation.publishing.manifest import Manifest
from curation.services.frozen import frozen_blocks, release_head
from curation.services.release_records import records_of
from curation.services.release_signing import sign_export


def export_release(release: Release, out: Path, *, formats: Sequence[str]) -> Manifest:
    """Write a built release with its documents, signed if there is a key.

    Refuses one that is not built, and a folder that is not empty.
    """
    if not release.is_built:
        raise WrongState(release, now=release.state, wanted="exported")
    head = release_head(release)
    try:
        manifest = export_blocks(
            head,
            frozen_blocks(release),
            out,
            formats=formats,
            annexes=annexes.collect(head),
            records=records_of(release),
            generator=f"Touchstone {settings.VERSION}",
        )
    except PublishingError as error:
        raise BadInput(str(error)) from error
    sign_export(out, comment=f"{release.key} sha256:{manifest.sha256}")
    return manifest
