"""From bytes to text: which encoding a file has, and a clear sentence where it holds no text at all."""

import codecs
import gzip
import io
import zlib
from pathlib import Path

from core.tables.problems import Problem

MAX_FILE_BYTES = 500_000_000
GZIP = b"\x1f\x8b"

BINARY_SIGNATURES = (
    (b"PK\x03\x04", "an Excel workbook of another kind or a zip archive", "save the sheet as XLSX or CSV UTF-8"),
    (b"PK\x05\x06", "an empty zip archive", "unpack it and choose the CSV file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", "open it and save it as XLSX or CSV UTF-8"),
    (GZIP, "a gzip archive in a gzip archive", "unpack it and choose the CSV file"),
    (b"BZh", "a bzip2 archive", "unpack it and choose the CSV file"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "unpack it and choose the CSV file"),
    (b"\x89PNG", "a PNG picture", "choose the CSV file instead"),
    (b"\xff\xd8\xff", "a JPEG picture", "choose the CSV file instead"),
    (b"GIF8", "a GIF picture", "choose the CSV file instead"),
    (b"%PDF", "a PDF document", "choose the CSV file instead"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"\x80\x04\x95", "a Python pickle", "export the table as CSV"),
)
TAR, TAR_STARTS_AT = b"ustar", 257

# UTF-32 first: its little-endian mark begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Unreadable(Exception):
    """Bytes that hold no table; `problem` says what they are and `fix` what to do."""

    def __init__(self, problem: str, fix: str, row: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fix = fix
        self.row = row

    def located(self, file: str) -> Problem:
        """Return it as a problem of the file of that name."""
        return Problem(file, self.row, None, self.problem, self.fix)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, unpacked where it is a gzip archive.

    Refuses what is missing, unreadable, or too large to hold in memory.
    """
    try:
        if path.is_dir():
            raise Unreadable(f"'{path.name}' is a folder, a file is needed", "name the CSV file itself")
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            raise Unreadable(
                f"the file has {size:,} bytes; the most that is read is {MAX_FILE_BYTES:,}",
                "split it into several files",
            )
        return unpack(path.read_bytes())
    except FileNotFoundError:
        raise Unreadable("there is no such file", "check the name and the folder") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"the file cannot be opened ({error})", "check its name and its permissions") from None


def unpack(data: bytes) -> bytes:
    """Return what a gzip archive holds, and anything else as it is. Refuses a damaged or an enormous one."""
    if not data.startswith(GZIP):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as archive:
            found = archive.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise Unreadable("this is a damaged gzip archive", "pack the file again, or choose it unpacked") from None
    if len(found) > MAX_FILE_BYTES:
        raise Unreadable(
            f"the gzip archive holds more than {MAX_FILE_BYTES:,} bytes, the most that is read",
            "split the file in it into several",
        )
    return found


def read_text(path: Path) -> str:
    """Return the text of a file. Refuses what `read_bytes` and `decode` refuse."""
    return decode(read_bytes(path))


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 or UTF-32. Refuses binary files and other encodings."""
    for signature, what, fix in BINARY_SIGNATURES:
        if data.startswith(signature):
            raise Unreadable(f"this is {what}, not a CSV file", fix)
    if data.startswith(TAR, TAR_STARTS_AT):
        raise Unreadable("this is a tar archive, not a CSV file", "unpack it and choose the CSV file")
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


def _refusal(data: bytes, encoding: str, error: UnicodeDecodeError) -> Unreadable:
    if encoding not in ("utf-8", "utf-8-sig"):
        return Unreadable(
            f"the file says it is {encoding.upper()}, but its bytes are not", "save it again as CSV UTF-8"
        )
    line = data.count(b"\n", 0, error.start) + 1
    sample = data[:100_000]
    control = sum(byte < 9 or 13 < byte < 32 for byte in sample)
    if control > 0.02 * len(sample):
        return Unreadable("this is a binary file, not a CSV file", "choose the CSV file instead", row=line)
    seen = bytes([data[error.start]]).decode("cp1252", errors="replace")
    return Unreadable(
        f"the file is not UTF-8 from line {line} on; it looks like Windows-1252 or Latin-1 (that byte is '{seen}')",
        "save it as CSV UTF-8 (in Excel: Save as, 'CSV UTF-8'; in LibreOffice: character set 'Unicode (UTF-8)')",
        row=line,
    )
