"""The life of a release: request, build, publish, withdraw, verify."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from curation.bulk import insert_rows
from curation.errors import BadInput, DomainError, NotAllowed, WrongState
from curation.models import Release, ReleaseCase, ReleaseExclusion, ReleaseWithdrawal, Suite, TestCase
from curation.models.releases import Cascade, ReleaseState
from curation.models.suites import Policy
from curation.morphology.identity import text_hash
from curation.permissions import require_maintainer
from curation.publishing.canonical import ReleaseChecksum, case_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.statistics import Statistics
from curation.publishing.values import FrozenCase
from curation.release_facts import collect_facts
from curation.services.freeze_plan import FreezePlan, plan_freeze
from curation.services.frozen import (
    ROW_FIELDS,
    extra_columns,
    frozen_cases,
    provenance_text,
    row_values,
    target_names,
)
from curation.states import RELEASE_MOVES, move

SEMANTIC_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)(\.(0|[1-9]\d*))?(-[0-9A-Za-z.-]+)?")
Progress = Callable[[int, int | None, str], None]


class ReleaseMoved(DomainError):
    """What is stored is no longer what was built."""

    code, status = "release_moved", 409


@transaction.atomic
def request_release(
    suite: Suite,
    version: str,
    *,
    policy: str | None = None,
    min_agree: int | None = None,
    cascade: str = Cascade.CLOSURE,
    by: User | None,
    **facts: Any,
) -> Release:
    """Set down what shall be frozen. Refuses a version that is taken or not semantic, and an impossible threshold."""
    if by is not None:
        require_maintainer(by)
    if not SEMANTIC_VERSION.fullmatch(version):
        raise BadInput(f"'{version}' is not a version. Write numbers with dots, e.g. 1.0.0 or 1.1.0-beta.")
    if Release.objects.filter(suite=suite, version=version).exists():
        raise BadInput(f"{suite.key}@{version} exists already. A release never changes: choose the next version.")
    policy = policy or suite.policy
    if policy not in Policy.values or cascade not in Cascade.values:
        raise BadInput(f"Unknown policy '{policy}' or cascade '{cascade}'. Known: {Policy.values}, {Cascade.values}.")
    threshold = suite.threshold if min_agree is None else min_agree
    if threshold < 0 or threshold > max(suite.raters, 1):
        raise BadInput(f"At most {suite.raters} raters label a case of '{suite.key}', so {threshold} cannot have to agree.")
    release = Release.objects.create(
        suite=suite, version=version, policy=policy, min_agree=threshold, cascade=cascade, created_by=by, **facts
    )
    audit.record(by, Action.RELEASE_REQUESTED, release, policy=policy, min_agree=threshold, cascade=cascade)
    return release


def build_release(release: Release, *, by: User | None = None, progress: Progress | None = None) -> Release:
    """Copy what goes in, note what stays out, and compute the checksum: draft becomes candidate.

    Building again after a crash starts over: nothing of a half-built release survives.
    """
    if release.state != ReleaseState.BUILDING:
        move(release, ReleaseState.BUILDING, RELEASE_MOVES)
    with transaction.atomic():
        ReleaseCase.objects.filter(release=release).delete()
        ReleaseExclusion.objects.filter(release=release).delete()
        plan = plan_freeze(
            release.suite, policy=release.policy, min_agree=release.min_agree, cascade=release.cascade
        )
        if not plan.included:
            raise BadInput(f"Nothing would be in {release}. Generate or import cases, or lower the threshold.")
        builder = _Builder(release, plan, progress)
        try:
            insert_rows(ReleaseCase, builder.FIELDS, builder.case_rows())
        except PublishingError as error:
            raise BadInput(f"{release} cannot be built: {error}") from error
        insert_rows(ReleaseExclusion, builder.EXCLUSION_FIELDS, builder.exclusion_rows())
        facts = {
            "included": len(plan.included),
            "excluded": len(plan.left_out),
            "excluded_by_reason": plan.excluded_by_reason,
            "unlabelled": plan.unlabelled,
            "statistics": builder.statistics.as_json(),
            **collect_facts(release.suite),
        }
        move(
            release,
            ReleaseState.CANDIDATE,
            RELEASE_MOVES,
            sha256=builder.checksum.hexdigest(),
            built_at=timezone.now(),
            facts=facts,
        )
        audit.record(by, Action.RELEASE_BUILT, release, sha256=release.sha256, cases=len(plan.included))
    return release


class _Builder:
    """Streams cases into the release while counting and hashing them."""

    FIELDS = ("release", "position", *ROW_FIELDS, "text_hash", "sha256")
    EXCLUSION_FIELDS = ("release", "key", "language", "functionality", "text", "reason", "because_of", "labels_given")

    def __init__(self, release: Release, plan: FreezePlan, progress: Progress | None) -> None:
        self.release, self.plan, self.progress = release, plan, progress
        self.checksum = ReleaseChecksum()
        self.statistics = Statistics()

    def case_rows(self) -> Iterator[tuple[Any, ...]]:
        position = 0
        for case_id, case in self._cases():
            if case_id in self.plan.left_out:
                continue
            sha256 = case_sha256(case)
            self.checksum.add(case.key, sha256)
            self.statistics.add(case)
            yield (self.release.pk, position, *row_values(case), text_hash(case.text), sha256)
            position += 1
            if self.progress and position % 2000 == 0:
                self.progress(position, len(self.plan.included), "copying cases")

    def exclusion_rows(self) -> Iterator[tuple[Any, ...]]:
        for case_id, case in self._cases():
            out = self.plan.left_out.get(case_id)
            if out:
                yield (
                    self.release.pk, case.key, case.language, case.functionality, case.text, out.reason, out.because_of,
                    list(case.labels_given),
                )  # fmt: skip

    def _cases(self) -> Iterator[tuple[int, FrozenCase]]:
        wanted = set(self.plan.included) | set(self.plan.left_out)
        rows = TestCase.objects.of(self.release.suite).in_use().in_order().values_list(
            "id", "key", "language__code", "functionality__key", "functionality__functionality_class__key", "text",
            "functionality__gold_label", "target__name", "direction", "focus_words", "focus_lemma", "refers_to", "template__key",
            "template__refers_to", "variant__text", "origin", "provenance", "extra", "template_id",
        )  # fmt: skip
        for row in rows.iterator(chunk_size=2000):
            (case_id, key, language, functionality, functionality_class, text, label, target, direction, words, lemma,
             refers_to, template, refers_to_template, template_text, origin, provenance, extra, template_id) = row  # fmt: skip
            if case_id not in wanted:
                continue
            verdict = self.plan.verdicts.get(case_id)
            yield (
                case_id,
                FrozenCase(
                    key=key,
                    language=language,
                    functionality=functionality,
                    functionality_class=functionality_class,
                    text=text,
                    label=label,
                    targets=target_names(target),
                    direction=direction,
                    focus_words=words,
                    focus_lemma=lemma,
                    refers_to=refers_to,
                    template=template or "",
                    refers_to_template=refers_to_template or "",
                    template_text=template_text or "",
                    origin=origin,
                    labels_given=tuple(verdict.labels) if verdict else (),
                    majority=verdict.majority if verdict else "",
                    disagreement_in_case=self.plan.disagreement_in_case(case_id),
                    disagreement_in_template=self.plan.disagreement_in_template(case_id, template_id),
                    provenance=provenance_text(provenance),
                    extra=extra_columns(extra),
                ),
            )


def stored_checksum(release: Release) -> str:
    """The checksum of what the database holds now."""
    checksum = ReleaseChecksum()
    for case in frozen_cases(release):
        checksum.add(case.key, case_sha256(case))
    return checksum.hexdigest()


@transaction.atomic
def publish_release(release: Release, *, by: User | None, notes: str | None = None) -> Release:
    """Make a candidate public and unchangeable.

    Refuses when anything moved since it was built, and, where the setting asks for it, the person who built it.
    """
    if by is not None:
        require_maintainer(by)
    if settings.SECOND_MAINTAINER_PUBLISHES and (by is None or by.pk == release.created_by_id):
        raise NotAllowed("Here a second maintainer publishes what the first one built. Ask another maintainer.")
    if release.state == ReleaseState.CANDIDATE and stored_checksum(release) != release.sha256:
        raise ReleaseMoved(f"The cases of {release} changed after it was built. Build it again, then publish.")
    facts: dict[str, Any] = {} if notes is None else {"notes": notes}
    move(
        release, ReleaseState.PUBLISHED, RELEASE_MOVES, published_at=timezone.now(), published_by=by, **facts
    )
    audit.record(by, Action.RELEASE_PUBLISHED, release, sha256=release.sha256)
    return release


@transaction.atomic
def withdraw_release(release: Release, *, reason: str, by: User) -> ReleaseWithdrawal:
    """Mark a published release as not to be used any more. It stays readable. Refuses an empty reason."""
    require_maintainer(by)
    if release.state != ReleaseState.PUBLISHED:
        raise WrongState(release, now=release.state, wanted="withdrawn")
    if not reason.strip():
        raise BadInput("Say why the release is withdrawn: people who cite it will read it.")
    withdrawal, is_new = ReleaseWithdrawal.objects.get_or_create(
        release=release, defaults={"reason": reason.strip(), "withdrawn_by": by}
    )
    if not is_new:
        raise BadInput(f"{release} was withdrawn before: {withdrawal.reason}")
    audit.record(by, Action.RELEASE_WITHDRAWN, release, reason=reason)
    return withdrawal


@dataclass(frozen=True, slots=True)
class DatabaseVerification:
    """Whether a release in the database is what was built; otherwise the first difference."""

    release: str
    cases: int
    sha256: str
    difference: str = ""

    @property
    def is_intact(self) -> bool:
        return not self.difference


def verify_release(release: Release) -> DatabaseVerification:
    """Recompute every checksum of a release in the database and name the first that differs."""
    checksum = ReleaseChecksum()
    difference = ""
    stored = dict(ReleaseCase.objects.filter(release=release).values_list("key", "sha256"))
    for case in frozen_cases(release):
        sha256 = case_sha256(case)
        checksum.add(case.key, sha256)
        if not difference and sha256 != stored[case.key]:
            difference = f"case '{case.key}' is not what was frozen: its checksum is {sha256}, not {stored[case.key]}"
    total = checksum.hexdigest()
    if not difference and total != release.sha256:
        difference = f"the release's checksum is {total}, not {release.sha256}: a case was added, removed or exchanged"
    return DatabaseVerification(release.key, len(stored), total, difference)
