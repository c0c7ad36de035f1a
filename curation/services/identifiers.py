"""The identifier under which an archive keeps a release."""

from __future__ import annotations

import re

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput, WrongState
from curation.models import Release, ReleaseIdentifier
from curation.models.releases import ReleaseState
from curation.permissions import require_maintainer

AROUND = re.compile(r"^(https?://(dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)
DOI = re.compile(r"10\.\d{4,9}/[^\s{}\\<>\"]+")
LONGEST = 200


@transaction.atomic
def record_doi(release: Release, doi: str, *, by: User) -> str:
    """Note the DOI of a published release beside it; the release itself does not change.

    A correction is recorded the same way, and the same DOI again changes nothing. Refuses what is no DOI.
    """
    require_maintainer(by)
    if release.state != ReleaseState.PUBLISHED:
        raise WrongState(release, now=release.state, wanted="given a DOI")
    plain = AROUND.sub("", doi.strip())
    if not DOI.fullmatch(plain) or len(plain) > LONGEST:
        raise BadInput(f"'{doi.strip()[:LONGEST]}' is no DOI. Write for example 10.5281/zenodo.1234567.")
    if plain != release.doi:
        ReleaseIdentifier.objects.create(release=release, doi=plain, recorded_by=by)
        audit.record(by, Action.RELEASE_DOCUMENTED, release, doi=plain)
    return plain
