"""Cases, and on request what annotators said about them and what was decided, in a bundle."""

from collections.abc import Iterator, Sequence

from core.bulk import insert_rows
from core.text import _
from curation.bundles.parts import Part, Place, Scope, read_moment, written_moment
from curation.bundles.rows import CaseRow, DecisionRow, ExclusionRow, VerdictRow
from curation.cases.models import CaseState
from curation.cases.rows import FIELDS
from curation.fields import DETAILS
from curation.models import CaseVerdict, Decision, Exclusion, Template, TemplateVariant, TestCase
from curation.morphology.identity import text_hash

SAME = (
    "key", "text", "gold_label", "origin", "is_about_identity", "refers_to", *DETAILS, "contrast_set",
    "perturbation_set", "provenance", "extra", "position",
)  # fmt: skip
LOOKUPS = (
    *SAME, "state", "identity_hash", "language__code", "functionality__key", "target__name", "template__key",
    "variant__version__number", "variant__features",
)  # fmt: skip
# What follows from labels and decisions is not said without them.
FOLLOWS_FROM_LABELS = (CaseState.VALIDATED, CaseState.EXCLUDED)
VERDICT = ("source", "labels", "raters", "agreeing", "majority", "flagged_unrealistic", "adjudicated", "reason")
DECISION = ("policy", "min_agree", "cascade", "without_labels")


def cases(scope: Scope) -> Iterator[CaseRow]:
    if scope.suite is None:
        return
    found = TestCase.objects.of(scope.suite).order_by("language__code", "position", "key")
    for values in found.values(*LOOKUPS).iterator(chunk_size=2000):
        state = values["state"]
        hidden = not scope.with_labels and state in FOLLOWS_FROM_LABELS
        yield CaseRow.model_construct(
            **{name: values[name] for name in SAME},
            state=CaseState.READY.value if hidden else state,
            identity=values["identity_hash"],
            language=values["language__code"],
            functionality=values["functionality__key"],
            target=values["target__name"] or "",
            template=values["template__key"] or "",
            version=values["variant__version__number"] or 0,
            variant=values["variant__features"] or "",
        )


def add_cases(place: Place, rows: Sequence[CaseRow]) -> None:
    suite = place.suite
    templates = {
        (code, key): pk for code, key, pk in Template.objects.of(suite).values_list("language__code", "key", "pk")
    }
    variants = {
        (template, number, features): pk
        for template, number, features, pk in TemplateVariant.objects.filter(
            version__template__suite=suite
        ).values_list("version__template_id", "version__number", "features", "pk")
    }

    def ready(row: CaseRow) -> tuple[object, ...]:
        template = templates.get((row.language, row.template))
        target = place.targets.get((row.language, row.target))
        values = {
            **{name: getattr(row, name) for name in SAME},
            "suite": suite.pk,
            "language": place.languages[row.language].pk,
            "functionality": place.functionalities[row.functionality].pk,
            "state": row.state,
            "target": target.pk if target else None,
            "template": template,
            "variant": variants.get((template or 0, row.version, row.variant)),
            "text_hash": text_hash(row.text),
            "identity_hash": row.identity,
            "author": None,
            "created_at": place.at,
        }
        return tuple(values[name] for name in FIELDS)

    insert_rows(TestCase, FIELDS, (ready(row) for row in rows))


def verdicts(scope: Scope) -> Iterator[VerdictRow]:
    if scope.suite is None:
        return
    found = CaseVerdict.objects.filter(case__suite=scope.suite).order_by("case__key", "decided_at", "pk")
    for values in found.values(*VERDICT, "case__key", "decided_at").iterator(chunk_size=2000):
        same = {name: values[name] for name in VERDICT}
        yield VerdictRow(case=values["case__key"], decided_at=written_moment(values["decided_at"]), **same)


def add_verdicts(place: Place, rows: Sequence[VerdictRow]) -> None:
    ids = _case_ids(place)
    fields = ("case", "decided_at", *VERDICT)
    insert_rows(
        CaseVerdict,
        fields,
        (
            (ids[row.case], read_moment(row.decided_at) or place.at, *(getattr(row, name) for name in VERDICT))
            for row in rows
        ),
    )


def exclusions(scope: Scope) -> Iterator[ExclusionRow]:
    if scope.suite is None:
        return
    found = Exclusion.objects.filter(case__suite=scope.suite).select_related("case")
    for item in found.order_by("case__key", "created_at", "pk"):
        yield ExclusionRow(
            case=item.case.key,
            reason=item.reason,
            because_of=item.because_of,
            note=item.note,
            created_at=written_moment(item.created_at),
            lifted_at=written_moment(item.lifted_at),
            lifted_because=item.lifted_because,
        )


def add_exclusions(place: Place, rows: Sequence[ExclusionRow]) -> None:
    ids = _case_ids(place)
    Exclusion.objects.bulk_create(
        (
            Exclusion(
                case_id=ids[row.case],
                reason=row.reason,
                because_of=row.because_of,
                note=row.note,
                created_at=read_moment(row.created_at) or place.at,
                lifted_at=read_moment(row.lifted_at),
                lifted_because=row.lifted_because,
            )
            for row in rows
        ),
        batch_size=1000,
    )


def decisions(scope: Scope) -> Iterator[DecisionRow]:
    """Yield the decisions about the suite; those of single releases stay with the releases."""
    if scope.suite is None:
        return
    for item in scope.suite.decisions.filter(release="").order_by("pk"):
        same = {name: getattr(item, name) for name in DECISION}
        yield DecisionRow(decided_at=written_moment(item.decided_at), **same)


def add_decisions(place: Place, rows: Sequence[DecisionRow]) -> None:
    for row in rows:
        same = {name: getattr(row, name) for name in DECISION}
        Decision.objects.create(suite=place.suite, decided_at=read_moment(row.decided_at) or place.at, **same)


def _case_ids(place: Place) -> dict[str, int]:
    return dict(TestCase.objects.of(place.suite).values_list("key", "pk"))


PARTS = (
    Part(name="cases", title=_("Cases"), row=CaseRow, key=("key",), rows=cases, add=add_cases),
    Part(
        name="verdicts", title=_("Verdicts"), row=VerdictRow, key=("case", "source", "decided_at"),
        rows=verdicts, add=add_verdicts, holds_labels=True,
    ),
    Part(
        name="exclusions", title=_("Exclusions"), row=ExclusionRow, key=("case", "created_at"),
        rows=exclusions, add=add_exclusions, holds_labels=True,
    ),
    Part(
        name="decisions", title=_("Decisions"), row=DecisionRow, key=("decided_at",),
        rows=decisions, add=add_decisions, holds_labels=True,
    ),
)  # fmt: skip
