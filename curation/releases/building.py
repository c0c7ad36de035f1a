"""Build a release: copy the cases it holds, record those it leaves out, count and hash everything on the way.

Cases are copied some thousand at a time, each lot in a transaction of its own: others can write in between, progress
is seen, and a stop takes effect. Until the last step the release is "being built", which cannot be read or published.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.batches import in_batches
from core.bulk import insert_rows
from core.errors import BadInput, ChangedMeanwhile, sentence_of
from core.jobs.running import JobCancelled, JobLost
from core.states import move
from core.text import _, keep, ngettext
from curation.cases.models import ExclusionReason
from curation.catalogue.group_names import GROUPS, group_names
from curation.fields import NAMES
from curation.models import Language, Release, ReleaseAnnex, ReleaseCase, ReleaseExclusion, TestCase
from curation.morphology.identity import text_hash
from curation.publishing.blocks import Block, values_of
from curation.publishing.canonical import ReleaseChecksum, block_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.statistics import Statistics
from curation.releases.annexes import freeze_annexes
from curation.releases.extensions import collect_facts
from curation.releases.following import follow_decision
from curation.releases.frozen import stored_columns
from curation.releases.functionalities import functionalities_of
from curation.releases.models import ReleaseState
from curation.releases.planning import FreezePlan, PlannedCase, plan_freeze
from curation.releases.rules import decision_values, rule_warnings, rules_of, standing_rules
from curation.releases.sealing import ABOUT_IDENTITY, SEAL, annex_digests, identity_digest
from curation.releases.sources import ids_about_identity, source_cases
from curation.states import RELEASE_MOVES

Progress = Callable[[int, int | None, str], None]
AT_ONCE = 5_000
CASE_FIELDS = ("release", "position", *NAMES, "text_hash", "sha256", "is_about_identity")
EXCLUSION_FIELDS = ("release", "key", "language", "functionality", "text", "reason", "because_of", "labels_given")


def build_release(release: Release, *, by: User | None = None, progress: Progress | None = None) -> Release:
    """Copy what goes in, note what stays out, and compute the checksum: draft becomes candidate.

    Building again after a crash starts over: nothing of a half-built release survives. A build that fails or is
    stopped leaves a draft that says why.
    """
    build = _Build(release, progress or (lambda done, total, message: None))
    try:
        build.copy()
        build.finish(by)
    except JobLost:  # another worker builds it now
        raise
    except (Exception, KeyboardInterrupt) as error:
        build.give_up(_reason(error))
        raise
    return release


def _reason(error: BaseException) -> str:
    """Return why a build failed, as a text where it is one."""
    if isinstance(error, JobCancelled):
        return _("The build was stopped.")
    return sentence_of(error) or type(error).__name__


class _Build:
    """One attempt. It owns the release until another one begins, which is told by the time in `built_at`."""

    def __init__(self, release: Release, progress: Progress) -> None:
        self.release, self.progress = release, progress
        self.checksum = ReleaseChecksum()
        self.groups = group_names(release.suite)
        self.statistics = Statistics(groups=self.groups)
        with transaction.atomic():
            if release.state != ReleaseState.BUILDING:
                move(release, ReleaseState.BUILDING, RELEASE_MOVES)
            self.began_at = timezone.now()
            Release.objects.filter(pk=release.pk).update(built_at=self.began_at)
            drop_contents(release)
        progress(0, None, _("Deciding what goes in"))
        suite, rules = release.suite, rules_of(release)
        with transaction.atomic():
            if rules == standing_rules(suite):
                follow_decision(suite)  # so that lists show what this release holds
            self.plan = plan_freeze(suite, rules)
            self.decided = {
                "decision": decision_values(suite, rules, release.decision),
                "warnings": keep(rule_warnings(suite, self.plan)),
            }

    def _is_ours(self) -> bool:
        """Locks the row until the end of the transaction, so that no other attempt can begin meanwhile."""
        mine = Release.objects.filter(pk=self.release.pk, state=ReleaseState.BUILDING, built_at=self.began_at)
        return bool(mine.update(built_at=self.began_at))

    def _require_ours(self) -> None:
        if not self._is_ours():
            raise ChangedMeanwhile(self.release)

    def copy(self) -> None:
        """Copy all cases, a lot at a time. Refuses an empty release and texts that cannot be published."""
        plan, copied, noted = self.plan, 0, 0
        if not plan.included:
            waiting = plan.excluded_by_reason.get(ExclusionReason.UNLABELLED, 0)
            raise BadInput(
                ngettext(
                    "%(release)s would be empty: %(count)s case was never labelled. Have it labelled in a campaign, or "
                    "include it (freeze --include-unlabelled).",
                    "%(release)s would be empty: %(count)s cases were never labelled. Have them labelled in a "
                    "campaign, or include them (freeze --include-unlabelled).",
                    waiting,
                    release=self.release.key,
                )
                if waiting
                else _(
                    "%(release)s would be empty. Generate or import cases, or lower the minimum agreement.",
                    release=self.release.key,
                )
            )
        for lot in in_batches(plan.going_in(), AT_ONCE):
            self._write(ReleaseCase, CASE_FIELDS, self._case_rows(copied, lot))
            copied += len(lot)
            self.progress(copied, len(plan.cases), _("Copying cases"))
        for lot in in_batches(plan.staying_out(), AT_ONCE):
            self._write(ReleaseExclusion, EXCLUSION_FIELDS, self._exclusion_rows(lot))
            noted += len(lot)
            self.progress(copied + noted, len(plan.cases), _("Recording excluded cases"))

    def _write(self, model: type[Any], fields: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
        with transaction.atomic():
            self._require_ours()
            insert_rows(model, fields, rows)

    def _case_rows(self, start: int, lot: list[PlannedCase]) -> Iterator[tuple[Any, ...]]:
        cases = source_cases(lot, self.plan)
        block = Block.of_rows(map(values_of, cases))
        try:
            checksums = block_sha256(block)
        except PublishingError as error:
            raise BadInput(
                _("%(release)s cannot be built: %(why)s", release=self.release.key, why=error.sentence)
            ) from error
        self.checksum.add_block(block, checksums)
        self.statistics.add(block)
        hashes = map(text_hash, block["text"])
        releases, positions = [self.release.pk] * len(lot), range(start, start + len(lot))
        about_identity = ids_about_identity(lot)
        flags = [case.id in about_identity for case in lot]
        return zip(releases, positions, *stored_columns(block), hashes, checksums, flags, strict=True)

    def _exclusion_rows(self, lot: list[PlannedCase]) -> Iterator[tuple[Any, ...]]:
        for planned, case in zip(lot, source_cases(lot, self.plan), strict=True):
            out = self.plan.left_out[planned.id]
            yield (
                self.release.pk, case.key, case.language, case.functionality, case.text, out.reason, out.because_of,
                list(case.labels_given),
            )  # fmt: skip

    def finish(self, by: User | None) -> None:
        """Add annexes and facts: the draft is a candidate now. Refuses if a text changed while it was copied."""
        release = self.release
        self.progress(self.plan.included, None, _("Measuring agreement"))
        facts = {
            **facts_of(self.plan, self.statistics),
            GROUPS: self.groups,
            **self.decided,
            **collect_facts(release.suite),
        }
        with transaction.atomic():
            self._require_ours()
            freeze_annexes(release)
            # Annexes follow what the release says about itself, so it has to say it before they are sealed.
            Release.objects.filter(pk=release.pk).update(facts=facts)
        self.progress(self.plan.included, None, _("Computing checksums"))
        facts[SEAL] = {"annexes": annex_digests(release), ABOUT_IDENTITY: identity_digest(release)}
        with transaction.atomic():
            self._require_ours()
            self._require_unmoved()
            sha256 = self.checksum.hexdigest()
            # Labels count as they stood when the build began, which is when it was decided what goes in.
            move(release, ReleaseState.CANDIDATE, RELEASE_MOVES, sha256=sha256, built_at=self.began_at, facts=facts)
            audit.record(by, Action.RELEASE_BUILT, release, sha256=sha256, cases=self.plan.included)

    def _require_unmoved(self) -> None:
        same = TestCase.objects.of(self.release.suite).in_use().filter(
            key=OuterRef("key"), text=OuterRef("text")
        )  # fmt: skip
        moved = ReleaseCase.objects.filter(~Exists(same), release=self.release).order_by("position")
        if key := moved.values_list("key", flat=True).first():
            raise BadInput(
                _(
                    "Case '%(case)s' changed while %(release)s was built. Build it again.",
                    case=key,
                    release=self.release.key,
                )
            )

    @transaction.atomic
    def give_up(self, why: str) -> None:
        """Leave a draft that says why, unless another attempt has begun."""
        if self._is_ours():
            drop_contents(self.release)
            self.release.refresh_from_db()
            move(self.release, ReleaseState.DRAFT, RELEASE_MOVES, facts={"failure": keep(why)}, built_at=None)


@transaction.atomic
def drop_contents(release: Release) -> None:
    """Delete what was copied into a release that is not published. Refuses when results hang on its cases."""
    try:
        with transaction.atomic():
            for model in (ReleaseCase, ReleaseExclusion, ReleaseAnnex):
                # Without reading the rows first: there may be a million, and the database checks what hangs on them.
                rows = model._default_manager.filter(release=release)
                rows._raw_delete(rows.db)
    except IntegrityError as error:
        raise BadInput(
            _("The cases of %(release)s cannot be removed: %(error)s.", release=release.key, error=str(error))
        ) from error


def facts_of(plan: FreezePlan, statistics: Statistics) -> dict[str, Any]:
    """Return what a release says about itself, as plain JSON values."""
    languages = Language.objects.filter(code__in=statistics.by_language)
    labelling = plan.labelling()
    return {
        "included": plan.included,
        "excluded": len(plan.left_out),
        "excluded_by_reason": plan.excluded_by_reason,
        "unlabelled": labelling.never_labelled,
        "labelling": asdict(labelling),
        "languages": {language.code: f"{language.name}, {language.bcp47}" for language in languages},
        "functionalities": functionalities_of(statistics.by_functionality),
        "statistics": statistics.as_json(),
    }
