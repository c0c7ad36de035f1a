"""CITATION.cff: how to cite a release, in the Citation File Format 1.2.0."""

from typing import Any

from curation.publishing.licences import is_address, is_identifier
from curation.publishing.values import Author, ReleaseHead


def _author(author: Author) -> dict[str, str]:
    if not author.family_name:
        return {"name": author.full_name}
    person = {"family-names": author.family_name, "given-names": author.given_names, "affiliation": author.affiliation}
    if author.orcid:
        person["orcid"] = f"https://orcid.org/{author.orcid.removeprefix('https://orcid.org/')}"
    return {name: value for name, value in person.items() if value}


def citation(head: ReleaseHead, *, sha256: str) -> str:
    """Return the text of the file. A release without authors is cited under the name of its suite."""
    import yaml

    content: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this test suite, please cite it with the version and the checksum.",
        "type": "dataset",
        "title": head.title,
        "version": head.version,
        "date-released": head.created[:10],
        "authors": [_author(author) for author in head.authors] or [{"name": head.suite}],
        "identifiers": [
            {
                "type": "other",
                "value": f"sha256:{sha256}",
                "description": "SHA-256 over the canonical bytes of all cases",
            }
        ],
    }
    # the format knows identifiers and addresses; other words stand in the data sheet
    if is_identifier(head.licence):
        content["license"] = head.licence
    elif is_address(head.licence):
        content["license-url"] = head.licence
    if head.description:
        content["abstract"] = head.description
    if head.keywords:
        content["keywords"] = list(head.keywords)
    if head.url:
        content["url"] = head.url
    if head.doi:
        content["doi"] = head.doi
    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120))


LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def _latex(text: str) -> str:
    return "".join(LATEX.get(letter, letter) for letter in text)


def bibtex(head: ReleaseHead, *, sha256: str) -> str:
    """An entry for LaTeX. Names of bodies and titles stand in braces, so that nothing is taken apart."""
    names = [
        f"{_latex(author.family_name)}, {_latex(author.given_names)}".rstrip(", ")
        if author.family_name
        else f"{{{_latex(author.full_name)}}}"
        for author in head.authors
    ] or [f"{{{_latex(head.suite)}}}"]
    fields = {
        "author": " and ".join(names),
        "title": f"{{{_latex(head.title)}}}",
        "version": head.version,
        "year": head.created[:4],
        "note": f"Version {head.version}, SHA-256 {sha256}",
        **({"doi": head.doi} if head.doi else {}),
        **({"url": head.url} if head.url else {}),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{head.suite}-{head.version},", *lines, "}"]) + "\n"


def cite_as(head: ReleaseHead) -> str:
    """Return one line for a list of references."""
    names = ", ".join(author.full_name for author in head.authors) or head.suite
    link = f" https://doi.org/{head.doi}" if head.doi else f" {head.url}" if head.url else ""
    return f"{names} ({head.created[:4]}). {head.title}, version {head.version}.{link}"
