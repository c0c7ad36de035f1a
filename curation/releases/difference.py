"""What changed from one release to another, and why."""

from collections.abc import Collection
from dataclasses import replace

from core.batches import in_batches
from curation.cases.models import CaseState, ExclusionReason
from curation.models import Exclusion, Release, ReleaseCase, ReleaseExclusion, TestCase
from curation.publishing.difference import Difference, changelog_draft, compare
from curation.publishing.values import FrozenCase
from curation.releases.frozen import blocks_of, release_head

AT_ONCE = 500
KINDS = {
    "added": "Added",
    "removed": "Removed",
    "changed_text": "Changed text",
    "changed_verdict": "Changed verdict",
    "changed_otherwise": "Changed otherwise",
}
GONE = "no longer a case of the suite"
BACK = "left out before"


def difference_between(old: Release, new: Release) -> Difference:
    """Added, removed and changed cases with reasons. Only cases whose checksums differ are read as a whole."""
    before = dict(ReleaseCase.objects.filter(release=old).values_list("key", "sha256"))
    after = dict(ReleaseCase.objects.filter(release=new).values_list("key", "sha256"))
    gone = [key for key, sha256 in before.items() if after.get(key) != sha256]
    come = [key for key, sha256 in after.items() if before.get(key) != sha256]
    removed = [key for key in gone if key not in after]
    added = [key for key in come if key not in before]
    reasons = _why_removed(new, removed) | _why_added(old, added)
    difference = compare(_cases(old, gone), _cases(new, come), reasons=reasons)
    difference.unchanged += len(after) - len(come)
    return difference


def changelog_between(old: Release, new: Release, difference: Difference | None = None) -> str:
    """A draft of the changelog in Markdown, for a person to edit."""
    found = difference or difference_between(old, new)
    # Which case was the culprit is for the page; counted are the kinds of reasons.
    kinds = {key: reason.partition(" (")[0] for key, reason in found.reasons.items()}
    return changelog_draft(replace(found, reasons=kinds), old=release_head(old), new=release_head(new))


def release_before(release: Release) -> Release | None:
    """Return the newest published release of the suite that is older than this one."""
    older = release.suite.releases.published().exclude(pk=release.pk)
    if release.published_at:
        older = older.filter(published_at__lt=release.published_at)
    return older.select_related("suite").order_by("-published_at").first()


def _cases(release: Release, keys: list[str]) -> list[FrozenCase]:
    rows = ReleaseCase.objects.filter(release=release)
    return [
        case
        for some in in_batches(keys, AT_ONCE)  # databases bound how many values a query may name
        for block in blocks_of(rows.filter(key__in=some))
        for case in block.cases()
    ]


def _why_removed(new: Release, keys: Collection[str]) -> dict[str, str]:
    left_out = {
        key: f"{_title(reason)} ({because_of})" if because_of and because_of != key else _title(reason)
        for key, reason, because_of in ReleaseExclusion.objects.filter(release=new).values_list(
            "key", "reason", "because_of"
        )
    }
    in_use = set(
        TestCase.objects.of(new.suite).exclude(state=CaseState.RETIRED).values_list("key", flat=True)
    ) if any(key not in left_out for key in keys) else set()  # fmt: skip
    return {key: left_out.get(key) or ("not frozen" if key in in_use else GONE) for key in keys}


def _why_added(old: Release, keys: Collection[str]) -> dict[str, str]:
    was_out = dict(ReleaseExclusion.objects.filter(release=old).values_list("key", "reason"))
    lifted = dict(
        Exclusion.objects.filter(case__suite=old.suite)
        .exclude(lifted_at=None)
        .order_by("lifted_at")
        .values_list("case__key", "lifted_because")
    )
    return {
        key: f"{BACK}: {_title(was_out[key])}" + (f"; back because: {lifted[key]}" if lifted.get(key) else "")
        for key in keys
        if key in was_out
    }


def _title(reason: str) -> str:
    return str(ExclusionReason(reason).label).lower() if reason in ExclusionReason.values else reason
