"""The works that functionalities go back to, written out as in a list of references."""

from functools import cache
from typing import Any

from curation.catalogue.loading import fixture


@cache
def _known() -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in fixture("references")}


def written_out(reference: str) -> str:
    """Return the whole reference behind a key of the catalogue; what a person wrote stays as it is."""
    row = _known().get(reference)
    if row is None:
        return reference
    link = f" https://doi.org/{row['doi']}" if row["doi"] else ""
    return f"{row['authors']} ({row['year']}). {row['title']}. {row['venue']}.{link}"
