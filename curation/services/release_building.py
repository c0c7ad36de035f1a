"""Building a release: what goes in is copied, what stays out is noted, everything is counted and hashed on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from curation.bulk import insert_rows
from curation.errors import BadInput
from curation.models import Language, Release, ReleaseCase, ReleaseExclusion, TestCase
from curation.models.releases import ReleaseState
from curation.morphology.identity import text_hash
from curation.publishing.canonical import ReleaseChecksum, case_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.statistics import Statistics
from curation.publishing.values import FrozenCase
from curation.release_facts import collect_facts
from curation.services.freeze_plan import FreezePlan, plan_freeze
from curation.services.frozen import ROW_FIELDS, RowMaker, extra_columns, provenance_text, target_names
from curation.services.release_annexes import freeze_annexes
from curation.services.release_contents import drop_contents
from curation.states import RELEASE_MOVES, move
from curation.work import JobLost

Progress = Callable[[int, int | None, str], None]
CASE_FIELDS = ("release", "position", *ROW_FIELDS, "text_hash", "sha256")
EXCLUSION_FIELDS = ("release", "key", "language", "functionality", "text", "reason", "because_of", "labels_given")
SOURCE_FIELDS = (
    "id", "key", "language__code", "functionality__key", "functionality__functionality_class__key", "text",
    "functionality__gold_label", "target__name", "direction", "focus_words", "focus_lemma", "refers_to",
    "template__key", "template__refers_to", "variant__text", "origin", "provenance", "extra", "template_id",
)  # fmt: skip


def build_release(release: Release, *, by: User | None = None, progress: Progress | None = None) -> Release:
    """Copy what goes in, note what stays out, and compute the checksum: draft becomes candidate.

    Building again after a crash starts over: nothing of a half-built release survives. A build that fails leaves a
    draft that says why.
    """
    if release.state != ReleaseState.BUILDING:
        move(release, ReleaseState.BUILDING, RELEASE_MOVES)
    try:
        with transaction.atomic():
            _build(release, by=by, progress=progress)
    except JobLost:  # another worker builds it now
        raise
    except Exception as error:
        release.refresh_from_db()
        move(release, ReleaseState.DRAFT, RELEASE_MOVES, facts={"failure": str(error) or type(error).__name__})
        raise
    return release


def _build(release: Release, *, by: User | None, progress: Progress | None) -> None:
    drop_contents(release)
    plan = plan_freeze(release.suite, policy=release.policy, min_agree=release.min_agree, cascade=release.cascade)
    if not plan.included:
        raise BadInput(f"Nothing would be in {release}. Generate or import cases, or lower the threshold.")
    builder = _Builder(release, plan, progress)
    try:
        insert_rows(ReleaseCase, CASE_FIELDS, builder.case_rows())
    except PublishingError as error:
        raise BadInput(f"{release} cannot be built: {error}") from error
    insert_rows(ReleaseExclusion, EXCLUSION_FIELDS, builder.exclusions)
    freeze_annexes(release)
    facts = {
        "included": len(plan.included),
        "excluded": len(plan.left_out),
        "excluded_by_reason": plan.excluded_by_reason,
        "unlabelled": plan.unlabelled,
        "languages": {
            language.code: f"{language.name}, {language.bcp47}"
            for language in Language.objects.filter(code__in=builder.statistics.by_language)
        },
        "statistics": builder.statistics.as_json(),
        **collect_facts(release.suite),
    }
    sha256 = builder.checksum.hexdigest()
    move(release, ReleaseState.CANDIDATE, RELEASE_MOVES, sha256=sha256, built_at=timezone.now(), facts=facts)
    audit.record(by, Action.RELEASE_BUILT, release, sha256=sha256, cases=len(plan.included))


def source_case(row: tuple[Any, ...], plan: FreezePlan) -> FrozenCase:
    """The case a row of `SOURCE_FIELDS` becomes under a plan."""
    (case_id, key, language, functionality, functionality_class, text, label, target, direction, words, lemma,
     refers_to, template, refers_to_template, template_text, origin, provenance, extra, template_id) = row  # fmt: skip
    verdict = plan.verdicts.get(case_id)
    return FrozenCase(
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
        disagreement_in_case=plan.disagreement_in_case(case_id),
        disagreement_in_template=plan.disagreement_in_template(case_id, template_id),
        provenance=provenance_text(provenance),
        extra=extra_columns(extra),
    )


class _Builder:
    """Streams cases into the release while counting and hashing them; cases that stay out are collected."""

    def __init__(self, release: Release, plan: FreezePlan, progress: Progress | None) -> None:
        self.release, self.plan, self.progress = release, plan, progress
        self.checksum = ReleaseChecksum()
        self.statistics = Statistics()
        self.exclusions: list[tuple[Any, ...]] = []

    def case_rows(self) -> Iterator[list[Any]]:
        included, row_of, release_id = set(self.plan.included), RowMaker(), self.release.pk
        rows = TestCase.objects.of(self.release.suite).in_use().in_order().values_list(*SOURCE_FIELDS)
        position = 0
        for row in rows.iterator(chunk_size=2000):
            case_id = row[0]
            if case_id not in included:
                self._leave_out(case_id, row)
                continue
            case = source_case(row, self.plan)
            sha256 = case_sha256(case)
            self.checksum.add(case.key, sha256)
            self.statistics.add(case)
            yield [release_id, position, *row_of(case), text_hash(case.text), sha256]
            position += 1
            if self.progress and position % 2000 == 0:
                self.progress(position, len(included), "copying cases")

    def _leave_out(self, case_id: int, row: tuple[Any, ...]) -> None:
        out = self.plan.left_out.get(case_id)
        if out:  # otherwise it is a draft, which was never a case of the suite
            case = source_case(row, self.plan)
            self.exclusions.append(
                (self.release.pk, case.key, case.language, case.functionality, case.text, out.reason, out.because_of,
                 list(case.labels_given))
            )  # fmt: skip
