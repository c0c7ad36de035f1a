"""Proving that a release in the database is what was built, and naming the first difference."""

from dataclasses import dataclass, fields, replace
from itertools import islice

from core.errors import WrongState
from curation.models import Release, ReleaseCase, TestCase
from curation.morphology.identity import text_hash
from curation.publishing.blocks import SIZE
from curation.publishing.canonical import ReleaseChecksum, block_sha256, case_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase
from curation.releases.frozen import frozen_blocks
from curation.releases.planning import PlannedCase, plan_freeze
from curation.releases.rules import rules_of
from curation.releases.sealing import is_identity_moved, moved_annex, moved_record
from curation.releases.sources import source_cases

SAID = {
    "min_agree": "minimum agreement",
    "without_labels": "rule about cases without labels",
    "sha256": "checksum",
    "prose": "written documentation",
    "facts": "record of figures and facts",
    "built_at": "time of building",
    "published_at": "time of publication",
    "notes": "text on what is new",
}


def stored_checksum(release: Release) -> str:
    """Return the checksum of what the database holds now."""
    checksum = ReleaseChecksum()
    for block in frozen_blocks(release):
        checksum.add_block(block, block_sha256(block))
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
    """Recompute every checksum of a release in the database and name the first that differs.

    Refuses one that is not built.
    """
    if not release.is_built:
        raise WrongState(release, now=release.state, wanted="verified")
    checksum = ReleaseChecksum()
    difference, changed, field = "", "", ""
    for block in frozen_blocks(release):
        try:
            found = block_sha256(block)
        except PublishingError as error:
            return DatabaseVerification(release.key, len(checksum), "", str(error))
        checksum.add_block(block, found)
        if not difference and found != list(block.sha256):
            place = next(place for place, sha256 in enumerate(found) if sha256 != block.sha256[place])
            case, stored = next(islice(block.cases(), place, None)), block.sha256[place]
            changed, field = case.key, _changed_field(release, case, stored)
            what = f"its {field.replace('_', ' ')} was changed" if field else "it is not what was frozen"
            difference = f"case '{case.key}': {what} (its checksum is {found[place]}, it was {stored})"
    total = checksum.hexdigest()
    said = moved_record(release)
    if not difference and total != release.sha256:
        difference = f"its {SAID['sha256']} was changed" if said == "sha256" else _of_sets(release, checksum, total)
    if not difference and (changed := _with_wrong_text_hash(release)):
        difference, field = f"case '{changed}': the hash of its text was changed", "text_hash"
    if not difference and is_identity_moved(release):
        difference, field = "which of its cases are about an identity was changed", "is_about_identity"
    if not difference and (annex := moved_annex(release)):
        difference = f"annexes/{annex} is not what was frozen: a row was changed, added or removed"
    if not difference and said:
        difference, field = f"its {SAID.get(said, said)} was changed after it was published", said
    return DatabaseVerification(release.key, len(checksum), total, difference, changed, field)


def _changed_field(release: Release, case: FrozenCase, stored: str) -> str:
    """Which one field, put back, gives the checksum that was stored. The workshop still knows what it may have been."""
    if not ReleaseCase.objects.filter(release=release, key=case.key, text_hash=text_hash(case.text)).exists():
        return "text"
    case_id = TestCase.objects.of(release.suite).in_use().filter(key=case.key).values_list("id", flat=True).first()
    if case_id is None:
        return ""
    plan = plan_freeze(release.suite, rules_of(release))
    planned = next((one for one in plan.planned() if one.id == case_id), PlannedCase(case_id, 0))
    (source,) = source_cases([planned], plan)
    for name in (field.name for field in fields(FrozenCase) if field.name != "key"):
        if case_sha256(replace(case, **{name: getattr(source, name)})) == stored:
            return name
    return ""


def _with_wrong_text_hash(release: Release) -> str:
    """Return the first case whose hash does not fit its text: models' answers are found by it."""
    rows = ReleaseCase.objects.filter(release=release).order_by("position").values_list("key", "text", "text_hash")
    return next((key for key, text, stored in rows.iterator(chunk_size=SIZE) if text_hash(text) != stored), "")


def _of_sets(release: Release, checksum: ReleaseChecksum, total: str) -> str:
    wanted, cases = release.facts.get("included"), len(checksum)
    if isinstance(wanted, int) and wanted != cases:
        what = "removed" if cases < wanted else "added"
        return f"{abs(wanted - cases)} of {wanted} cases were {what} (the checksum is {total}, it was {release.sha256})"
    return f"a case was exchanged together with its checksum (the release's is {total}, it was {release.sha256})"
