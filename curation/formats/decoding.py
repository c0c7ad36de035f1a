"""From bytes to text: which encoding a file has, and a clear sentence where it is no text at all."""

from __future__ import annotations

import codecs
from pathlib import Path

MAX_FILE_BYTES = 500_000_000

BINARY_SIGNATURES = (
    (b"PK\x03\x04", "an Excel workbook or a zip archive", "open it, choose the sheet and save that as CSV UTF-8"),
    (b"PK\x05\x06", "an empty zip archive", "unpack it and choose the CSV file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", "open it and save the sheet as CSV UTF-8"),
    (b"\x1f\x8b", "a gzip archive", "unpack it and choose the CSV file"),
    (b"BZh", "a bzip2 archive", "unpack it and choose the CSV file"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it and choose the CSV file"),
    (b"\x89PNG", "a PNG picture", "choose the CSV file instead"),
    (b"\xff\xd8\xff", "a JPEG picture", "choose the CSV file instead"),
    (b"GIF8", "a GIF picture", "choose the CSV file instead"),
    (b"%PDF", "a PDF document", "choose the CSV file instead"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"PAR1", "a Parquet file", "export the table as CSV"),
    (b"\x80\x04\x95", "a Python pickle", "export the table as CSV"),
)

# UTF-32 first: its little-endian mark begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Undecodable(Exception):
    """The bytes are no text that can be read; `problem` says what they are and `fix` what to do."""

    def __init__(self, problem: str, fix: str, row: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fix = fix
        self.row = row


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Refuses what is missing, unreadable, or too large to hold in memory."""
    try:
        if path.is_dir():
            raise Undecodable(f"'{path.name}' is a folder, a file is needed", "name the CSV file itself")
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            raise Undecodable(
                f"the file has {size:,} bytes; the most that is read is {MAX_FILE_BYTES:,}",
                "split it into several files",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise Undecodable("there is no such file", "check the name and the folder") from None
    except (OSError, ValueError) as error:
        raise Undecodable(f"the file cannot be opened ({error})", "check its name and its permissions") from None


def decode(data: bytes) -> str:
    """The text of a file in UTF-8 or UTF-16 or UTF-32. Refuses binary files and other encodings."""
    for signature, what, fix in BINARY_SIGNATURES:
        if data.startswith(signature):
            raise Undecodable(f"this is {what}, not a CSV file", fix)
    encoding = _encoding_of(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _refusal(data, encoding, error) from None


def _encoding_of(data: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return encoding
    # UTF-16 without a mark: in a header of Latin letters every second byte is zero.
    head = data[:200]
    if len(head) >= 8 and len(head) % 2 == 0:
        half = len(head) // 2
        if head[1::2].count(0) > 0.8 * half and head[0::2].count(0) == 0:
            return "utf-16-le"
        if head[0::2].count(0) > 0.8 * half and head[1::2].count(0) == 0:
            return "utf-16-be"
    return "utf-8"


def _refusal(data: bytes, encoding: str, error: UnicodeDecodeError) -> Undecodable:
    if encoding not in ("utf-8", "utf-8-sig"):
        return Undecodable(
            f"the file says it is {encoding.upper()}, but its bytes are not", "save it again as CSV UTF-8"
        )
    line = data.count(b"\n", 0, error.start) + 1
    sample = data[:100_000]
    control = sum(byte < 9 or 13 < byte < 32 for byte in sample)
    if control > 0.02 * len(sample):
        return Undecodable("this is a binary file, not a CSV file", "choose the CSV file instead", row=line)
    seen = bytes([data[error.start]]).decode("cp1252", errors="replace")
    return Undecodable(
        f"the file is not UTF-8 from line {line} on; it looks like Windows-1252 or Latin-1 (that byte is '{seen}')",
        "save it as CSV UTF-8 (in Excel: Save as, 'CSV UTF-8'; in LibreOffice: character set 'Unicode (UTF-8)')",
        row=line,
    )
