"""The works that functionalities go back to, written out as in a list of references."""

from curation.catalogue.loading import known_references


def written_out(reference: str) -> str:
    """Return the whole reference behind a key of the catalogue; what a person wrote stays as it is."""
    row = known_references().get(reference)
    if row is None:
        return reference
    link = f" https://doi.org/{row['doi']}" if row["doi"] else ""
    return f"{row['authors']} ({row['year']}). {row['title']}. {row['venue']}.{link}"
