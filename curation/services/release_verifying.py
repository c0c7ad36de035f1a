"""Proving that a release in the database is what was built, and naming the first difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from curation.models import Release, ReleaseCase, TestCase
from curation.morphology.identity import text_hash
from curation.publishing.canonical import ReleaseChecksum, case_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase
from curation.services.freeze_plan import plan_freeze
from curation.services.frozen import ROW_FIELDS, frozen_case, frozen_cases
from curation.services.release_building import SOURCE_FIELDS, source_case


def stored_checksum(release: Release) -> str:
    """The checksum of what the database holds now."""
    checksum = ReleaseChecksum()
    for case in frozen_cases(release):
        checksum.add(case.key, case_sha256(case))
    return checksum.hexdigest()


@dataclass(frozen=True, slots=True)
class DatabaseVerification:
    """Whether a release in the database is what was built; otherwise the first difference.

    `field` is "" where it cannot be told which field was changed.
    """

    release: str
    cases: int
    sha256: str
    difference: str = ""
    case: str = ""
    field: str = ""

    @property
    def is_intact(self) -> bool:
        return not self.difference


def verify_release(release: Release) -> DatabaseVerification:
    """Recompute every checksum of a release in the database and name the first that differs."""
    checksum = ReleaseChecksum()
    cases, difference, changed, field = 0, "", "", ""
    for case, stored, stored_text_hash in _stored(release):
        cases += 1
        try:
            sha256 = case_sha256(case)
        except PublishingError as error:
            return DatabaseVerification(release.key, cases, "", str(error), case.key)
        checksum.add(case.key, sha256)
        if not difference and sha256 != stored:
            changed, field = case.key, _changed_field(release, case, stored, stored_text_hash)
            what = f"its {field.replace('_', ' ')} was changed" if field else "it is not what was frozen"
            difference = f"case '{case.key}': {what} (its checksum is {sha256}, it was {stored})"
    total = checksum.hexdigest()
    if not difference and total != release.sha256:
        difference = _difference_of_sets(release, cases, total)
    return DatabaseVerification(release.key, cases, total, difference, changed, field)


def _stored(release: Release) -> Iterator[tuple[FrozenCase, str, str]]:
    rows = ReleaseCase.objects.filter(release=release).order_by("position")
    for *values, sha256, stored_text_hash in rows.values_list(*ROW_FIELDS, "sha256", "text_hash").iterator(
        chunk_size=2000
    ):
        yield frozen_case(tuple(values)), sha256, stored_text_hash


def _changed_field(release: Release, case: FrozenCase, stored: str, stored_text_hash: str) -> str:
    """Which one field, put back, gives the checksum that was stored. The workshop still knows what it may have been."""
    if text_hash(case.text) != stored_text_hash:
        return "text"
    row = TestCase.objects.of(release.suite).filter(key=case.key).values_list(*SOURCE_FIELDS).first()
    if row is None:
        return ""
    plan = plan_freeze(release.suite, policy=release.policy, min_agree=release.min_agree, cascade=release.cascade)
    source = source_case(row, plan)
    for name in (field.name for field in fields(FrozenCase) if field.name != "key"):
        if case_sha256(replace(case, **{name: getattr(source, name)})) == stored:
            return name
    return ""


def _difference_of_sets(release: Release, cases: int, total: str) -> str:
    wanted = release.facts.get("included")
    if isinstance(wanted, int) and wanted != cases:
        what = "removed" if cases < wanted else "added"
        return f"{abs(wanted - cases)} of {wanted} cases were {what} (the checksum is {total}, it was {release.sha256})"
    return f"a case was exchanged together with its checksum (the release's is {total}, it was {release.sha256})"
