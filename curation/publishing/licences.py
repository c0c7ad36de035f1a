"""How the licence of a release, a free text, is said where others expect an identifier or an address."""

import re

IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")  # as SPDX has them, such as CC-BY-4.0


def is_identifier(licence: str) -> bool:
    return bool(IDENTIFIER.fullmatch(licence))


def is_address(licence: str) -> bool:
    return licence.startswith(("https://", "http://")) and " " not in licence


def as_address(licence: str) -> str:
    """Return the page of a licence that has an identifier; other words as they are."""
    return f"https://spdx.org/licenses/{licence}.html" if is_identifier(licence) else licence


def for_the_hub(licence: str) -> dict[str, str]:
    """Return the members of a dataset card's header. The hub knows identifiers in small letters, and others by name."""
    if not licence:
        return {"license": "unknown"}
    if is_identifier(licence):
        return {"license": licence.lower()}
    if is_address(licence):
        return {"license": "other", "license_name": "see-link", "license_link": licence}
    name = re.sub(r"[^a-z0-9.]+", "-", licence.lower()).strip("-") or "see-card"
    return {"license": "other", "license_name": name}
