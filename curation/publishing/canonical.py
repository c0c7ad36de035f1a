"""The one spelling of a case that is hashed, and the checksum of a release.

A case is a JSON object with the columns of `curation.fields`, in that order, without blanks, in UTF-8, escaping only
what JSON must escape; an optional field that is empty is left out. Its SHA-256 is that of these bytes. The checksum of
a release is the SHA-256 of one line per case, `<sha256>  <case id>`, sorted by the bytes of the case id: the order in
which cases arrive does not matter, and `sha256sum` can recompute it. Texts are hashed as they stand. They are NOT
normalised (NFC): two spellings that only look alike are two texts to a tokeniser, and a change from one to the other
must be found.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from json.encoder import encode_basestring
from typing import Any

from core.text import _
from curation.fields import COLUMNS, FIELDS, OPTIONAL, TARGET_SEPARATOR, Kind
from curation.publishing.blocks import Block, Spelling, in_blocks, join_targets
from curation.publishing.errors import PublishingError
from curation.publishing.sorting import SortedRecords
from curation.publishing.values import FrozenCase

HEADER = b"touchstone release 1\n"
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
DIGITS = re.compile("[0-9]+")
FLAGS = {None: "null", True: "true", False: "false"}
quote = encode_basestring  # a JSON string that escapes only what JSON must escape


def json_text(value: object) -> str:
    """JSON with sorted members and no blanks: the same text on every machine and either database."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


# Between a value of a case and a member of the canonical object, for the kinds where the two differ.
TO_JSON: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.GROUPS: TARGET_SEPARATOR.join,
    Kind.LABELS: list,
    Kind.COLUMNS: lambda extra: dict(sorted(extra)),
}
FROM_JSON: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.GROUPS: lambda text: tuple(text.split(TARGET_SEPARATOR)) if text else (),
    Kind.LABELS: tuple,
    Kind.COLUMNS: lambda extra: tuple(sorted(extra.items())),
}
IS_PROPER: Mapping[Kind, Callable[[Any], bool]] = {
    Kind.LABELS: lambda value: isinstance(value, list) and all(isinstance(label, str) for label in value),
    Kind.COLUMNS: lambda value: isinstance(value, dict) and all(isinstance(text, str) for text in value.values()),
    Kind.FLAG: lambda value: value is None or isinstance(value, bool),
}


def _same(value: Any) -> Any:
    return value


def to_record(case: FrozenCase) -> dict[str, Any]:
    """Return the members of the canonical object, in canonical order."""
    said = ((field, getattr(case, field.name)) for field in FIELDS)
    return {
        field.column: TO_JSON.get(field.kind, _same)(value) for field, value in said if value or not field.is_optional
    }


def from_record(record: dict[str, Any]) -> FrozenCase:
    """The case a canonical object stands for. Refuses a record that lacks a member or has the wrong kind of value."""
    values = {}
    for field in FIELDS:
        value = record.get(field.column)
        if value is None and field.is_optional:
            continue
        is_proper = IS_PROPER.get(field.kind, _is_text)(value)
        if field.column not in record or not is_proper:
            raise PublishingError(
                _(
                    "the record of case '%(case)s' has no proper %(field)s",
                    case=str(record.get("case_id", "?")),
                    field=field.column,
                )
            )
        values[field.name] = FROM_JSON.get(field.kind, _same)(value)
    return FrozenCase(**values)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def canonical_bytes(case: FrozenCase) -> bytes:
    """Return the bytes that are hashed.

        Refuses what could not be read back unchanged: an empty key, a control character in a key, an empty or
    ambiguous target, a repeated extra column, half a surrogate pair.
    """
    if not case.key or CONTROL.search(case.key):
        raise PublishingError(
            _("%(case)s cannot be a case id; give it a text without control characters", case=repr(case.key))
        )
    try:
        join_targets(case.targets)
        _require_unique_names(case.extra)
        return json.dumps(to_record(case), ensure_ascii=False, separators=(",", ":")).encode()
    except PublishingError as error:
        raise PublishingError(_("case '%(case)s': %(problem)s", case=case.key, problem=error.sentence)) from None
    except UnicodeEncodeError as error:
        raise PublishingError(
            _(
                "case %(case)s holds half a surrogate pair (%(character)s), which is no text; replace that character",
                case=repr(case.key),
                character=repr(error.object[error.start]),
            )
        ) from None


def _require_unique_names(extra: tuple[tuple[str, str], ...]) -> None:
    if len(dict(extra)) != len(extra):
        raise PublishingError(_("two extra columns have the same name; keep one"))


def _quoted_labels(labels: tuple[str, ...]) -> str:
    return f"[{','.join(map(quote, labels))}]"


def _quoted_extra(extra: tuple[tuple[str, str], ...]) -> str:
    _require_unique_names(extra)
    return "{" + ",".join([f"{quote(name)}:{quote(value)}" for name, value in sorted(extra)]) + "}"


OBJECT = "{" + ",".join(f'"{name}":%s' for name in COLUMNS) + "}"
MEMBERS = Spelling(text=quote, labels=_quoted_labels, flag=FLAGS.__getitem__, extra=_quoted_extra)


def _optional_members(column: str, values: list[str]) -> list[str]:
    return ["" if value == '""' else f',"{column}":{value}' for value in values]


def canonical_lines(block: Block) -> list[bytes]:
    """Return the bytes that are hashed, of each case. Refuses what `canonical_bytes` refuses."""
    keys = block["key"]
    try:
        if not all(keys) or CONTROL.search("".join(keys)):
            raise PublishingError(_("a case id is empty or holds a control character"))
        members = MEMBERS.columns(block)
        optional = [_optional_members(field.column, members.pop(field.column)) for field in OPTIONAL]
        rows = zip(*members.values(), strict=True)
        if not block.has_optional:
            return [(OBJECT % row).encode() for row in rows]
        ends = map("".join, zip(*optional, strict=True))
        return [f"{(OBJECT % row)[:-1]}{end}}}".encode() for row, end in zip(rows, ends, strict=True)]
    except (PublishingError, UnicodeEncodeError):
        return [canonical_bytes(case) for case in block.cases()]  # says which case it is


def case_sha256(case: FrozenCase) -> str:
    """SHA-256 of one case, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_bytes(case)).hexdigest()


def block_sha256(block: Block) -> list[str]:
    """SHA-256 of each case of a block."""
    return [hashlib.sha256(line).hexdigest() for line in canonical_lines(block)]


def natural_order(key: str) -> tuple[str, str]:
    """Sort key that counts numbers as numbers (de-2 before de-10), the same on every machine and database."""
    return DIGITS.sub(lambda digits: digits[0].rjust(20, "0"), key), key


class ReleaseChecksum:
    """Collects the checksums of cases, in any order, and gives that of the release."""

    def __init__(self) -> None:
        self._lines = SortedRecords()

    def add(self, key: str, sha256: str) -> None:
        self._lines.extend([_sortable(key, sha256)])

    def add_block(self, block: Block, checksums: Iterable[str]) -> None:
        self._lines.extend(list(map(_sortable, block["key"], checksums)))

    def __len__(self) -> int:
        return len(self._lines)

    def hexdigest(self) -> str:
        """Return the checksum. Refuses a case id that came twice."""
        whole = hashlib.sha256(HEADER)
        before = b""
        for line in self._lines:
            key, sha256 = line[:-33], line[-32:].hex().encode("ascii")
            if key == before:
                raise PublishingError(
                    _("case id '%(case)s' occurs twice; ids must be unique in a release", case=key.decode())
                )
            whole.update(sha256 + b"  " + key + b"\n")
            before = key
        return whole.hexdigest()


def _sortable(key: str, sha256: str) -> bytes:
    """Sorting these bytes sorts by key: no key holds a character below "\\n"."""
    return key.encode("utf-8") + b"\n" + bytes.fromhex(sha256)


def release_sha256(cases: Iterable[FrozenCase]) -> str:
    """Return the checksum of a whole release; refuses a case id that occurs twice."""
    checksum = ReleaseChecksum()
    for block in in_blocks(cases):
        checksum.add_block(block, block_sha256(block))
    return checksum.hexdigest()
