"""The rows a release owns, which go when it is built again or deleted."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from curation.errors import BadInput
from curation.models import Release, ReleaseAnnex, ReleaseCase, ReleaseExclusion


@transaction.atomic
def drop_contents(release: Release) -> None:
    """Delete what was copied into a release that is not published. Refuses when results hang on its cases."""
    try:
        with transaction.atomic():
            for model in (ReleaseCase, ReleaseExclusion, ReleaseAnnex):
                # Without reading the rows first: there may be a million, and the database checks what hangs on them.
                rows = model._default_manager.filter(release=release)
                rows._raw_delete(rows.db)
    except IntegrityError as error:
        raise BadInput(f"The cases of {release} cannot be taken away: {error}.") from error
