"""Proving that a release in the database is what was built, and naming the first difference."""

from dataclasses import dataclass, fields, replace
from itertools import islice

from core.text import _, ngettext
from curation.models import Release, ReleaseCase, TestCase
from curation.morphology.identity import text_hash
from curation.publishing.blocks import SIZE
from curation.publishing.canonical import ReleaseChecksum, block_sha256, case_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase
from curation.releases.errors import NotInThisState
from curation.releases.frozen import frozen_blocks
from curation.releases.planning import PlannedCase, plan_freeze
from curation.releases.rules import rules_of
from curation.releases.sealing import is_identity_moved, moved_annex, moved_record
from curation.releases.sources import source_cases

WAS_CHANGED = {
    "version": _("its version was changed after it was published"),
    "policy": _("its policy was changed after it was published"),
    "min_agree": _("its minimum agreement was changed after it was published"),
    "cascade": _("its cascade was changed after it was published"),
    "without_labels": _("its rule about cases without labels was changed after it was published"),
    "access": _("its access was changed after it was published"),
    "terms": _("its terms were changed after it was published"),
    "title": _("its title was changed after it was published"),
    "notes": _("its release notes were changed after it was published"),
    "prose": _("its written documentation was changed after it was published"),
    "sha256": _("its checksum was changed after it was published"),
    "built_at": _("its time of building was changed after it was published"),
    "published_at": _("its time of publication was changed after it was published"),
    "facts": _("its record of figures and facts was changed after it was published"),
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
        sentence = _("%(release)s is not built yet. Build it before you verify it.", release=release.key)
        raise NotInThisState(sentence, release, wanted="verified")
    checksum = ReleaseChecksum()
    difference, changed, field = "", "", ""
    for block in frozen_blocks(release):
        try:
            found = block_sha256(block)
        except PublishingError as error:
            return DatabaseVerification(release.key, len(checksum), "", error.sentence)
        checksum.add_block(block, found)
        if not difference and found != list(block.sha256):
            place = next(place for place, sha256 in enumerate(found) if sha256 != block.sha256[place])
            case, stored = next(islice(block.cases(), place, None)), block.sha256[place]
            changed, field = case.key, _changed_field(release, case, stored)
            sums = {"case": case.key, "now": found[place], "before": stored}
            difference = (
                _(
                    "case '%(case)s': its %(field)s was changed (its checksum is %(now)s, it was %(before)s)",
                    field=field.replace("_", " "),
                    **sums,
                )
                if field
                else _(
                    "case '%(case)s': it is not what was frozen (its checksum is %(now)s, it was %(before)s)", **sums
                )
            )
    total = checksum.hexdigest()
    said = moved_record(release)
    if not difference and total != release.sha256:
        difference = _("its checksum was changed") if said == "sha256" else _of_sets(release, checksum, total)
    if not difference and (changed := _with_wrong_text_hash(release)):
        difference = _("case '%(case)s': the hash of its text was changed", case=changed)
        field = "text_hash"
    if not difference and is_identity_moved(release):
        difference = _("other cases than when it was built count as being about an identity")
        field = "is_about_identity"
    if not difference and (annex := moved_annex(release)):
        difference = _("annexes/%(file)s is not what was frozen: a row was changed, added or removed", file=annex)
    if not difference and said:
        difference, field = WAS_CHANGED[said], said
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
        sums = {"wanted": wanted, "now": total, "before": release.sha256}
        if cases < wanted:
            return ngettext(
                "%(count)s of %(wanted)s cases was removed (the checksum is %(now)s, it was %(before)s)",
                "%(count)s of %(wanted)s cases were removed (the checksum is %(now)s, it was %(before)s)",
                wanted - cases,
                **sums,
            )
        return ngettext(
            "%(count)s case was added to %(wanted)s cases (the checksum is %(now)s, it was %(before)s)",
            "%(count)s cases were added to %(wanted)s cases (the checksum is %(now)s, it was %(before)s)",
            cases - wanted,
            **sums,
        )
    return _(
        "a case was exchanged together with its checksum (that of the release is %(now)s, it was %(before)s)",
        now=total,
        before=release.sha256,
    )
