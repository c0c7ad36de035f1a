"""Where an index may be: an instance, a folder on a web server, a dataset of the Hugging Face Hub, a local folder."""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from core.inference.transfers import AllowUrl, TransferFailed, fetch_bytes
from core.text import _
from curation.indexes.values import FILE_NAME, WELL_KNOWN, IndexRefused

LARGEST_INDEX = 20_000_000  # bytes
HUB = "https://huggingface.co"
DATASET = re.compile(r"hf:([\w.-]+/[\w.-]+)(?:@([\w./-]+))?")


def settle(address: str) -> str:
    """Return an address as it is remembered. Refuses what names neither a server, a dataset nor a path."""
    given = address.strip()
    if DATASET.fullmatch(given):
        return given
    if given.startswith(("http://", "https://")):
        parts = urlsplit(given)
        if not parts.hostname or parts.query or "@" in parts.netloc:
            raise IndexRefused(
                _(
                    "'%(address)s' is no address of an index. Write one such as https://suites.example.org.",
                    address=given,
                )
            )
        return given.rstrip("/")
    if given.startswith("file://"):
        given = unquote(urlsplit(given).path)
    if not given or re.match(r"[a-z]+:", given):
        raise IndexRefused(
            _(
                "'%(address)s' is no address of an index. Write https://HOST, hf:OWNER/DATASET or a folder.",
                address=given,
            )
        )
    return str(Path(given).expanduser().resolve())


def is_remote(address: str) -> bool:
    return address.startswith(("http://", "https://", "hf:"))


def read_place(address: str, *, allow_url: AllowUrl) -> tuple[bytes, str]:
    """Return the bytes of the index at an address and where exactly they were.

    Raises IndexRefused where there is none, TransferFailed where its server cannot be reached.
    """
    if not is_remote(address):
        return _read_file(address)
    tried = candidates(address)
    for url in tried:
        try:
            return fetch_bytes(url, allow_url=allow_url, largest=LARGEST_INDEX), url
        except TransferFailed as error:
            if error.status not in (401, 403, 404, 410):
                raise
    raise IndexRefused(
        _(
            "There is no index of releases at %(address)s. Looked at: %(tried)s. Check the address.",
            address=address,
            tried=tried,
        )
    )


def candidates(address: str) -> list[str]:
    """Return the addresses at which the index may be, the likeliest first."""
    if found := DATASET.fullmatch(address):
        hub = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
        return [f"{hub}/datasets/{found[1]}/resolve/{found[2] or 'main'}/{FILE_NAME}"]
    if address.endswith(".json"):
        return [address]
    return [f"{address}/{WELL_KNOWN}", f"{address}/{FILE_NAME}"]


def address_of_download(download: str, *, place: str) -> str:
    """Return where a release is, as a whole address or path. Refuses to leave the web for this machine's files."""
    if is_remote(place):
        found = urljoin(place, download)
        if not found.startswith(("http://", "https://")):
            raise IndexRefused(
                _(
                    "The index at %(place)s names '%(download)s', which is no web address.",
                    place=place,
                    download=download,
                )
            )
        return found
    if download.startswith(("http://", "https://")):
        return download
    folder = Path(place).parent
    found_path = (folder / unquote(download)).resolve()
    if not found_path.is_relative_to(folder.resolve()):
        raise IndexRefused(
            _(
                "The index at %(place)s names '%(download)s', which is outside its folder.",
                place=place,
                download=download,
            )
        )
    return str(found_path)


def _read_file(address: str) -> tuple[bytes, str]:
    path = Path(address)
    tried = [path] if path.is_file() else [path / FILE_NAME, path / WELL_KNOWN]
    for file in tried:
        if file.is_file():
            if file.stat().st_size > LARGEST_INDEX:
                break
            return file.read_bytes(), str(file)
    raise IndexRefused(
        _(
            "There is no %(name)s in '%(folder)s'. Write it with: touchstone index %(folder)s",
            name=FILE_NAME,
            folder=address,
        )
    )
