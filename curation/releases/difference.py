"""What changed from one release to another, and why."""

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from django.utils import translation

from core.batches import in_batches
from core.text import _
from curation.cases.models import CaseState, ExclusionReason
from curation.models import Exclusion, Release, ReleaseCase, ReleaseExclusion, TestCase
from curation.publishing.difference import Difference, changelog_draft, compare
from curation.publishing.values import FrozenCase
from curation.releases.frozen import blocks_of, release_head

AT_ONCE = 500
KINDS = {
    "added": _("Added"),
    "removed": _("Removed"),
    "changed_text": _("Changed text"),
    "changed_verdict": _("Changed verdict"),
    "changed_otherwise": _("Changed otherwise"),
}
GONE = _("No longer a case of the suite")
NOT_HELD = _("A case of the suite, but not of the release")


class Why(NamedTuple):
    """Why a case was added or removed: the kind of reason, which is counted, and all that is known."""

    kind: str
    text: str


def difference_between(old: Release, new: Release) -> Difference:
    """Added, removed and changed cases with reasons. Only cases whose checksums differ are read as a whole."""
    before = dict(ReleaseCase.objects.filter(release=old).values_list("key", "sha256"))
    after = dict(ReleaseCase.objects.filter(release=new).values_list("key", "sha256"))
    gone = [key for key, sha256 in before.items() if after.get(key) != sha256]
    come = [key for key, sha256 in after.items() if before.get(key) != sha256]
    removed = [key for key in gone if key not in after]
    added = [key for key in come if key not in before]
    reasons = _why_removed(new, removed) | _why_added(old, added)
    said = {key: why.text for key, why in reasons.items()}
    difference = compare(_cases(old, gone), _cases(new, come), reasons=said)
    difference.unchanged += len(after) - len(come)
    return difference


def changelog_between(old: Release, new: Release, difference: Difference | None = None, *, language: str = "en") -> str:
    """Return a draft of the changelog in Markdown, for a person to edit, in an interface language."""
    found = difference or difference_between(old, new)
    # Which case was the culprit is for the page; counted are the kinds of reasons.
    reasons = _why_removed(new, [case.key for case in found.removed])
    reasons |= _why_added(old, [case.key for case in found.added])
    kinds = {key: why.kind for key, why in reasons.items()}
    with translation.override(language):
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


def _why_removed(new: Release, keys: Collection[str]) -> dict[str, Why]:
    excluded = {
        key: _excluded(_title(reason), because_of if because_of != key else "")
        for key, reason, because_of in ReleaseExclusion.objects.filter(release=new).values_list(
            "key", "reason", "because_of"
        )
    }
    in_use = set(
        TestCase.objects.of(new.suite).exclude(state=CaseState.RETIRED).values_list("key", flat=True)
    ) if any(key not in excluded for key in keys) else set()  # fmt: skip
    return {key: excluded.get(key) or (Why(NOT_HELD, NOT_HELD) if key in in_use else Why(GONE, GONE)) for key in keys}


def _excluded(reason: str, because_of: str) -> Why:
    if not because_of:
        return Why(reason, reason)
    return Why(reason, _("%(reason)s (because of %(cause)s)", reason=reason, cause=because_of))


def _why_added(old: Release, keys: Collection[str]) -> dict[str, Why]:
    was_out = dict(ReleaseExclusion.objects.filter(release=old).values_list("key", "reason"))
    lifted = dict(
        Exclusion.objects.filter(case__suite=old.suite)
        .exclude(lifted_at=None)
        .order_by("lifted_at")
        .values_list("case__key", "lifted_because")
    )
    return {key: _restored(_title(was_out[key]), lifted.get(key, "")) for key in keys if key in was_out}


def _restored(reason: str, why: str) -> Why:
    said = (
        _("Excluded before: %(reason)s. Restored because: %(why)s", reason=reason, why=why)
        if why
        else _("Excluded before: %(reason)s.", reason=reason)
    )
    return Why(said, said)


def _title(reason: str) -> str:
    return ExclusionReason(reason).label if reason in ExclusionReason.values else reason
