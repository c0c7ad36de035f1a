"""Releases by name: which indexes are asked, and the folder of a release that was fetched and verified."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from core.inference.errors import InferenceError
from core.inference.transfers import TransferFailed
from curation.indexes.reading import REFERENCE
from curation.indexes.resolving import Consulted, Registry, ShowProgress
from curation.publishing.errors import PublishingError
from touchstone.errors import Refused
from touchstone.paths import data_folder

ADDRESSES = "TOUCHSTONE_INDEXES"
Tell = Callable[[str], None]


def registry() -> Registry:
    """Return what this person's data folder knows; on their own machine every web address is permitted."""
    return Registry(data_folder() / "registry", allow_url=lambda url: url.startswith(("http://", "https://")))


def is_reference(path: str | Path) -> bool:
    """Tell whether this is SUITE@VERSION and not a file."""
    return bool(REFERENCE.fullmatch(str(path))) and not Path(path).exists()


def known_addresses(found: Registry) -> list[str]:
    """Return the addresses that the environment names and those that were asked before."""
    return list(dict.fromkeys([*os.environ.get(ADDRESSES, "").split(), *found.indexes.addresses()]))


def consult(found: Registry, addresses: Iterable[str], *, public_key: str = "", tell: Tell) -> list[Consulted]:
    """Read each index. One that cannot be read is told about; refuses where none can."""
    consulted, troubles = [], []
    for address in addresses:
        try:
            consulted.append(found.consult(address, public_key=public_key))
        except (PublishingError, InferenceError) as error:
            troubles.append(str(error.sentence))
    if troubles and not consulted:
        raise Refused(" ".join(troubles))
    for trouble in troubles:
        tell(trouble)
    for one in consulted:
        if one.trouble:
            tell(f"{one.trouble} The copy of its index from {one.fetched_at} is used.")
    return consulted


def fetch_release(
    reference: str,
    *,
    source: str = "",
    public_key: str = "",
    tell: Tell | None = None,
    progress: ShowProgress | None = None,
) -> Path:
    """Return the verified folder of a release, fetched once and kept by its checksum.

    `source` is the address of an index; without one, all known indexes are asked. Raises Refused.
    """
    say = tell or (lambda sentence: None)
    found = registry()
    consulted = consult(found, [source] if source else known_addresses(found), public_key=public_key, tell=say)
    try:
        offer = found.find(reference, consulted)
        if offer.entry.withdrawn:
            say(f"{reference} was withdrawn by its publisher: {offer.entry.withdrawn}")
        return found.get(offer, progress=progress)
    except TransferFailed as error:
        raise Refused(
            f"{error.sentence} {reference} was not fetched before, so it is not in {data_folder()}."
        ) from error
    except (PublishingError, InferenceError) as error:
        raise Refused(str(error.sentence)) from error


def tell_on_stderr(sentence: str) -> None:
    sys.stderr.write(f"touchstone: {sentence}\n")
