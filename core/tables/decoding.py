"""From bytes to text: which encoding a file has, and a clear sentence where it holds no text at all."""

import codecs
import gzip
import io
import zlib
from pathlib import Path

from core.tables.problems import Problem
from core.text import _

MAX_FILE_BYTES = 500_000_000
GZIP = b"\x1f\x8b"

UNPACK_IT = _("unpack it and choose the CSV file")
CHOOSE_CSV = _("choose the CSV file instead")
EXPORT_IT = _("export the table as CSV")
BINARY_SIGNATURES = (
    (
        b"PK\x03\x04",
        _("this is an Excel workbook of another kind or a zip archive, not a CSV file"),
        _("save the sheet as XLSX or CSV UTF-8"),
    ),
    (b"PK\x05\x06", _("this is an empty zip archive, not a CSV file"), UNPACK_IT),
    (
        b"\xd0\xcf\x11\xe0",
        _("this is an old Excel workbook (.xls), not a CSV file"),
        _("open it and save it as XLSX or CSV UTF-8"),
    ),
    (GZIP, _("this is a gzip archive in a gzip archive, not a CSV file"), UNPACK_IT),
    (b"BZh", _("this is a bzip2 archive, not a CSV file"), UNPACK_IT),
    (b"7z\xbc\xaf", _("this is a 7-Zip archive, not a CSV file"), UNPACK_IT),
    (b"\x89PNG", _("this is a PNG picture, not a CSV file"), CHOOSE_CSV),
    (b"\xff\xd8\xff", _("this is a JPEG picture, not a CSV file"), CHOOSE_CSV),
    (b"GIF8", _("this is a GIF picture, not a CSV file"), CHOOSE_CSV),
    (b"%PDF", _("this is a PDF document, not a CSV file"), CHOOSE_CSV),
    (b"SQLite format 3", _("this is an SQLite database, not a CSV file"), EXPORT_IT),
    (b"\x80\x04\x95", _("this is a Python pickle, not a CSV file"), EXPORT_IT),
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
            raise Unreadable(
                _("'%(name)s' is a folder, a file is needed", name=path.name), _("name the CSV file itself")
            )
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            raise Unreadable(
                _("the file has %(size)s bytes; at most %(most)s are read", size=size, most=MAX_FILE_BYTES),
                _("split it into several files"),
            )
        return unpack(path.read_bytes())
    except FileNotFoundError:
        raise Unreadable(_("there is no such file"), _("check the name and the folder")) from None
    except (OSError, ValueError) as error:
        problem = _("the file cannot be opened (%(error)s)", error=str(error))
        raise Unreadable(problem, _("check its name and its permissions")) from None


def unpack(data: bytes) -> bytes:
    """Return what a gzip archive holds, and anything else as it is. Refuses a damaged or an enormous one."""
    if not data.startswith(GZIP):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as archive:
            found = archive.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        fix = _("pack the file again, or choose it unpacked")
        raise Unreadable(_("this is a damaged gzip archive"), fix) from None
    if len(found) > MAX_FILE_BYTES:
        raise Unreadable(
            _("the gzip archive holds more than %(most)s bytes, the most that is read", most=MAX_FILE_BYTES),
            _("split the file in it into several"),
        )
    return found


def read_text(path: Path) -> str:
    """Return the text of a file. Refuses what `read_bytes` and `decode` refuse."""
    return decode(read_bytes(path))


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 or UTF-32. Refuses binary files and other encodings."""
    for signature, what, fix in BINARY_SIGNATURES:
        if data.startswith(signature):
            raise Unreadable(what, fix)
    if data.startswith(TAR, TAR_STARTS_AT):
        raise Unreadable(_("this is a tar archive, not a CSV file"), UNPACK_IT)
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
            _("the file says it is %(encoding)s, but its bytes are not", encoding=encoding.upper()),
            _("save it again as CSV UTF-8"),
        )
    line = data.count(b"\n", 0, error.start) + 1
    sample = data[:100_000]
    control = sum(byte < 9 or 13 < byte < 32 for byte in sample)
    if control > 0.02 * len(sample):
        return Unreadable(_("this is a binary file, not a CSV file"), CHOOSE_CSV, row=line)
    seen = bytes([data[error.start]]).decode("cp1252", errors="replace")
    return Unreadable(
        _(
            "the file is not UTF-8 from line %(line)s on; it looks like Windows-1252 or Latin-1 "
            "(that byte is '%(seen)s')",
            line=line,
            seen=seen,
        ),
        _("save it as CSV UTF-8 (in Excel: Save as, 'CSV UTF-8'; in LibreOffice: character set 'Unicode (UTF-8)')"),
        row=line,
    )
