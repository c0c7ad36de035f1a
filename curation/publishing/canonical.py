"""The one spelling of a case that is hashed, and the checksum of a release.

A case is a JSON object with the members of `FIELDS`, in that order, without blanks, in UTF-8, escaping only what JSON
must escape. Its SHA-256 is that of these bytes. The checksum of a release is the SHA-256 of one line per case,
`<sha256>  <case id>`, sorted by the bytes of the case id: the order in which cases arrive does not matter, and
`sha256sum` can recompute it. Texts are hashed as they stand. They are NOT normalised (NFC): two spellings that only
look alike are two texts to a tokeniser, and a change from one to the other must be found.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any

from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase

FIELDS: tuple[str, ...] = (
    "case_id",
    "functionality",
    "test_case",
    "label_gold",
    "target_ident",
    "direction",
    "focus_words",
    "focus_lemma",
    "ref_case_id",
    "ref_templ_id",
    "templ_id",
    "case_templ",
    "language",
    "functionality_class",
    "origin",
    "label_annotated",
    "label_annotated_maj",
    "disagreement_in_case",
    "disagreement_in_template",
    "provenance",
    "extra",
)
TARGET_SEPARATOR = "; "
HEADER = b"touchstone release 1\n"
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
DIGITS = re.compile("[0-9]+")
FLAGS = {None: "null", True: "true", False: "false"}
quote = encode_basestring  # a JSON string that escapes only what JSON must escape


def json_text(value: object) -> str:
    """JSON with sorted members and no blanks: the same text on every machine and either database."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def to_record(case: FrozenCase) -> dict[str, Any]:
    """The members of the canonical object, in canonical order."""
    return {
        "case_id": case.key,
        "functionality": case.functionality,
        "test_case": case.text,
        "label_gold": case.label,
        "target_ident": TARGET_SEPARATOR.join(case.targets),
        "direction": case.direction,
        "focus_words": case.focus_words,
        "focus_lemma": case.focus_lemma,
        "ref_case_id": case.refers_to,
        "ref_templ_id": case.refers_to_template,
        "templ_id": case.template,
        "case_templ": case.template_text,
        "language": case.language,
        "functionality_class": case.functionality_class,
        "origin": case.origin,
        "label_annotated": list(case.labels_given),
        "label_annotated_maj": case.majority,
        "disagreement_in_case": case.disagreement_in_case,
        "disagreement_in_template": case.disagreement_in_template,
        "provenance": case.provenance,
        "extra": dict(sorted(case.extra)),
    }


def _require_types(record: dict[str, Any]) -> None:
    """Refuse a record that lacks a member or holds something else than a release does there."""
    for name in FIELDS:
        value = record.get(name)
        if name == "label_annotated":
            fits = isinstance(value, list) and all(isinstance(label, str) for label in value)
        elif name == "extra":
            fits = isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
        elif name.startswith("disagreement_"):
            fits = name in record and (value is None or isinstance(value, bool))
        else:
            fits = isinstance(value, str)
        if not fits:
            raise PublishingError(f"the record of case '{record.get('case_id', '?')}' has no proper {name}")


def from_record(record: dict[str, Any]) -> FrozenCase:
    """The case a canonical object stands for. Refuses a record that lacks a member or has the wrong kind of value."""
    _require_types(record)
    return FrozenCase(
        key=record["case_id"],
        functionality=record["functionality"],
        text=record["test_case"],
        label=record["label_gold"],
        targets=tuple(record["target_ident"].split(TARGET_SEPARATOR)) if record["target_ident"] else (),
        direction=record["direction"],
        focus_words=record["focus_words"],
        focus_lemma=record["focus_lemma"],
        refers_to=record["ref_case_id"],
        refers_to_template=record["ref_templ_id"],
        template=record["templ_id"],
        template_text=record["case_templ"],
        language=record["language"],
        functionality_class=record["functionality_class"],
        origin=record["origin"],
        labels_given=tuple(record["label_annotated"]),
        majority=record["label_annotated_maj"],
        disagreement_in_case=record["disagreement_in_case"],
        disagreement_in_template=record["disagreement_in_template"],
        provenance=record["provenance"],
        extra=tuple(sorted(record["extra"].items())),
    )


def canonical_bytes(case: FrozenCase) -> bytes:
    """The bytes that are hashed.

        Refuses what could not be read back unchanged: an empty key, a control character in a key, an empty or
    ambiguous target, a repeated extra column, half a surrogate pair.
    """
    if not case.key or CONTROL.search(case.key):
        raise PublishingError(f"{case.key!r} cannot be a case id; give it a text without control characters")
    if any(not target or ";" in target for target in case.targets):
        raise PublishingError(f"case '{case.key}': a target group must have a name without ';', got {case.targets}")
    if len(dict(case.extra)) != len(case.extra):
        raise PublishingError(f"case '{case.key}': two extra columns have the same name; keep one")
    # written out, because this is most of the time an export takes: four times as fast as json.dumps(to_record(case))
    labels = ",".join([quote(label) for label in case.labels_given])
    extra = ",".join([f"{quote(name)}:{quote(value)}" for name, value in sorted(case.extra)])
    try:
        return (
            f'{{"case_id":{quote(case.key)},"functionality":{quote(case.functionality)},"test_case":{quote(case.text)}'
            f',"label_gold":{quote(case.label)},"target_ident":{quote(TARGET_SEPARATOR.join(case.targets))}'
            f',"direction":{quote(case.direction)},"focus_words":{quote(case.focus_words)}'
            f',"focus_lemma":{quote(case.focus_lemma)},"ref_case_id":{quote(case.refers_to)}'
            f',"ref_templ_id":{quote(case.refers_to_template)},"templ_id":{quote(case.template)}'
            f',"case_templ":{quote(case.template_text)},"language":{quote(case.language)}'
            f',"functionality_class":{quote(case.functionality_class)},"origin":{quote(case.origin)}'
            f',"label_annotated":[{labels}],"label_annotated_maj":{quote(case.majority)}'
            f',"disagreement_in_case":{FLAGS[case.disagreement_in_case]}'
            f',"disagreement_in_template":{FLAGS[case.disagreement_in_template]}'
            f',"provenance":{quote(case.provenance)},"extra":{{{extra}}}}}'
        ).encode()
    except UnicodeEncodeError as error:
        problem = (
            f"holds half a surrogate pair ({error.object[error.start]!r}), which is no text; replace that character"
        )
        raise PublishingError(f"case {case.key!r} {problem}") from None


def case_sha256(case: FrozenCase) -> str:
    """SHA-256 of one case, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_bytes(case)).hexdigest()


def natural_order(key: str) -> tuple[str, str]:
    """Sort key that counts numbers as numbers (de-2 before de-10), the same on every machine and database."""
    return DIGITS.sub(lambda digits: digits[0].rjust(20, "0"), key), key


class ReleaseChecksum:
    """Collects the checksums of cases, in any order, and gives that of the release."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def add(self, key: str, sha256: str) -> None:
        # sorting these bytes sorts by key: no key holds a character below "\n"
        self._lines.append(key.encode("utf-8") + b"\n" + sha256.encode("ascii"))

    def __len__(self) -> int:
        return len(self._lines)

    def hexdigest(self) -> str:
        """The checksum. Refuses a case id that came twice."""
        whole = hashlib.sha256(HEADER)
        before = b""
        self._lines.sort()
        for line in self._lines:
            key, _, sha256 = line.rpartition(b"\n")
            if key == before:
                raise PublishingError(f"case id '{key.decode()}' occurs twice; ids must be unique in a release")
            whole.update(sha256 + b"  " + key + b"\n")
            before = key
        return whole.hexdigest()


def release_sha256(cases: Iterable[FrozenCase]) -> str:
    """The checksum of a whole release; refuses a case id that occurs twice."""
    checksum = ReleaseChecksum()
    for case in cases:
        checksum.add(case.key, case_sha256(case))
    return checksum.hexdigest()
