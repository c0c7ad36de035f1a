"""Checks an exported folder and names the first difference in each file: which case, which field."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.batches import in_batches
from core.text import _
from curation.publishing.blocks import SIZE, Block, values_of
from curation.publishing.canonical import ReleaseChecksum, block_sha256, case_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.integrity import FILE_NAME as INTEGRITY_NAME
from curation.publishing.integrity import IntegrityLine, changed_fields, field_checksums, read_integrity
from curation.publishing.manifest import (
    FILE_NAME,
    SIGNATURE_NAME,
    SUMS_NAME,
    Manifest,
    file_entry,
    list_files,
    read_manifest,
    sums,
)
from curation.publishing.readers import READERS
from curation.publishing.signature import SignatureRejected, verify_file
from curation.publishing.values import FrozenCase


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference. `case` and `field` are "" where the difference is not in a single case or field."""

    file: str
    problem: str
    case: str = ""
    field: str = ""

    @property
    def sentence(self) -> str:
        """The difference with its place, as a text."""
        said = {"file": self.file, "case": self.case, "field": self.field, "problem": self.problem}
        if self.case and self.field:
            return _("%(file)s, case %(case)s, field %(field)s: %(problem)s", **said)
        if self.case:
            return _("%(file)s, case %(case)s: %(problem)s", **said)
        return _("%(file)s: %(problem)s", **said)

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found. `is_intact` means: every file is the published one and the cases give the published checksum."""

    reference: str
    sha256: str
    cases: int
    files: int
    findings: tuple[Finding, ...]
    signed_by: str = ""  # the trusted comment of the signature, if one was checked

    @property
    def is_intact(self) -> bool:
        return not self.findings

    @property
    def first(self) -> Finding | None:
        return self.findings[0] if self.findings else None


def verify_folder(folder: Path, *, expected_sha256: str = "", public_key: str = "") -> Verification:
    """Check everything in the folder against its manifest, and the manifest against what the caller knows.

        A manifest alone proves only that nothing was damaged by accident: give the checksum that was published
    elsewhere, or the public key, to prove that the whole folder was not rewritten. Refuses a folder without a readable
    manifest.
    """
    manifest = read_manifest(folder)
    findings: list[Finding] = []
    comment = ""
    if public_key:
        comment = _check_signature(folder, public_key, findings)
    if expected_sha256 and expected_sha256 != manifest.sha256:
        problem = _(
            "the checksum is %(found)s, but %(published)s was published",
            found=manifest.sha256,
            published=expected_sha256,
        )
        findings.append(Finding(FILE_NAME, problem))
    _check_sums(folder, manifest, findings)
    changed = _check_files(folder, manifest, findings)
    if INTEGRITY_NAME not in changed:
        for name in READERS:
            if name in changed:
                # the case that differs tells more than the digest of the file
                findings[:] = [finding for finding in findings if finding.file != name]
                findings.append(_first_difference(folder, name))
    if not changed & {"cases.csv", INTEGRITY_NAME}:
        _check_checksum(folder, manifest, findings)
    return Verification(
        manifest.reference, manifest.sha256, manifest.cases, len(manifest.files), tuple(findings), comment
    )


def _check_signature(folder: Path, public_key: str, findings: list[Finding]) -> str:
    path = folder / SIGNATURE_NAME
    if not path.exists():
        findings.append(Finding(SIGNATURE_NAME, _("the signature is missing; ask the publisher for it")))
        return ""
    try:
        signature = path.read_text(encoding="utf-8", errors="replace")
        return verify_file(folder / FILE_NAME, signature=signature, public=public_key)
    except SignatureRejected as error:
        findings.append(Finding(SIGNATURE_NAME, error.sentence))
        return ""


def _check_sums(folder: Path, manifest: Manifest, findings: list[Finding]) -> None:
    """The manifest against the file that vouches for it, so that a changed setting in it is found without a key."""
    path = folder / SUMS_NAME
    if not path.is_file():
        findings.append(Finding(SUMS_NAME, _("the file is missing")))
        return
    found, wanted = path.read_bytes().split(b"\n"), sums(manifest, folder).split(b"\n")
    own = next(line for line in wanted if line.endswith(b"  " + FILE_NAME.encode()))
    if own not in found:  # also where the manifest now names another digest of a file
        findings.append(Finding(FILE_NAME, _("does not fit %(file)s: one of the two was changed", file=SUMS_NAME)))
    elif found != wanted:
        findings.append(Finding(SUMS_NAME, _("does not fit %(file)s", file=FILE_NAME)))


def _check_files(folder: Path, manifest: Manifest, findings: list[Finding]) -> set[str]:
    """Return names of the files that exist and differ. Missing and unknown ones are only reported."""
    changed: set[str] = set()
    for entry in manifest.files:
        path = folder / entry.path
        if not path.is_file():
            findings.append(Finding(entry.path, _("the file is missing")))
        elif file_entry(path, folder) != entry:
            changed.add(entry.path)
            findings.append(Finding(entry.path, _("the file is not the published one")))
    known = {entry.path for entry in manifest.files}
    for path in list_files(folder):
        name = path.relative_to(folder).as_posix()
        if name not in known:
            findings.append(Finding(name, _("the file does not belong to the release")))
    return changed


def _first_difference(folder: Path, name: str) -> Finding:
    try:
        expected = read_integrity(folder / INTEGRITY_NAME)
        return _compare(name, expected, READERS[name](folder / name))
    except (PublishingError, UnicodeDecodeError, csv.Error) as error:
        return Finding(name, _said(error))


def _said(error: Exception) -> str:
    return error.sentence if isinstance(error, PublishingError) else str(error)


def _compare(name: str, expected: Iterator[IntegrityLine], found: Iterator[tuple[FrozenCase, str]]) -> Finding:
    for line in expected:
        pair = next(found, None)
        if pair is None:
            return Finding(name, _("the case is missing, and all after it"), case=line.key)
        case, claimed = pair
        (checksums,) = field_checksums(Block.of_rows([values_of(case)]))
        fields = changed_fields(line.fields, checksums)
        if case.key != line.key and fields != ["case_id"]:
            return _misplaced(name, line, case, following=next(expected, None))
        if fields:
            return Finding(name, _("was changed"), case=line.key, field=", ".join(fields))
        if case_sha256(case) != line.sha256:
            # checksums of fields are short: two different texts may, very rarely, share one
            return Finding(name, _("was changed, but it cannot be told which field"), case=line.key)
        if claimed != line.sha256:
            return Finding(name, _("was changed"), case=line.key, field="sha256")
    surplus = next(found, None)
    if surplus is not None:
        return Finding(name, _("the case was added"), case=surplus[0].key)
    return Finding(
        name, _("the bytes are not the published ones, though all cases are (line ends, quotes or columns differ)")
    )


def _misplaced(name: str, line: IntegrityLine, case: FrozenCase, *, following: IntegrityLine | None) -> Finding:
    if following is not None and following.key == case.key:
        return Finding(name, _("the case is missing"), case=line.key)
    problem = _("the case is where %(case)s should be; it was added or moved", case=line.key)
    return Finding(name, problem, case=case.key)


def _check_checksum(folder: Path, manifest: Manifest, findings: list[Finding]) -> None:
    """Recompute the checksum of the release from its cases: file digests alone could have been rewritten."""
    checksum = ReleaseChecksum()
    try:
        pairs = READERS["cases.csv"](folder / "cases.csv")
        for some in in_batches(pairs, SIZE):
            block = Block.of_rows(values_of(case) for case, _ in some)
            for (case, claimed), sha256 in zip(some, block_sha256(block), strict=True):
                if sha256 != claimed:
                    findings.append(Finding("cases.csv", _("does not fit its sha256"), case=case.key))
                    return
                checksum.add(case.key, sha256)
        if checksum.hexdigest() != manifest.sha256:
            problem = _("the cases give another checksum than %(file)s names", file=FILE_NAME)
            findings.append(Finding("cases.csv", problem))
        elif len(checksum) != manifest.cases:
            problem = _("names %(named)s cases, there are %(found)s", named=manifest.cases, found=len(checksum))
            findings.append(Finding(FILE_NAME, problem))
    except FileNotFoundError:
        return  # reported already
    except (PublishingError, UnicodeDecodeError, csv.Error) as error:
        findings.append(Finding("cases.csv", _said(error)))
