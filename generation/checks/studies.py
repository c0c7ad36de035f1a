"""Validation studies: people label candidates, kept and rejected ones, and the validator is held against them."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.permissions import require_maintainer
from core.tables.reading import read_table
from core.text import _
from curation.cases.adding import add_case
from curation.cases.keys import KeyMaker
from curation.models import CaseVerdict, Suite
from generation.candidates.keeping import provenance_of
from generation.checks.algorithm.validity import Validity, majority_says, validity_of
from generation.checks.options import LabelFileOptions, StudyOptions
from generation.checks.validating import verdict_of
from generation.models import Candidate, GenerationRun

SUFFIX = "-study"


@dataclass(frozen=True, slots=True)
class Study:
    """A suite of its own whose cases are candidates, so that none of them enters a release by mistake."""

    suite: Suite
    added: int
    kept: int
    rejected: int


@transaction.atomic
def start_study(runs: Iterable[GenerationRun], options: StudyOptions, *, by: User) -> Study:
    """Draw checked candidates at random, whether they pass or not, and make cases of them in a suite for labelling.

    Candidates of an earlier study are not drawn again. Refuses everyone but maintainers, and nothing to draw from.
    """
    require_maintainer(by)
    runs = list(runs)
    rows = Candidate.objects.filter(run__in=runs, study_case=None).for_deciding().order_by("run", "number")
    checked = [(row, passed) for row in rows if (passed := verdict_of(row.checks, row.run).passed) is not None]
    if not checked:
        raise BadInput(_("No candidate has been checked by an inference model. Check the candidates first."))
    drawn = random.Random(options.seed).sample(checked, min(options.size, len(checked)))
    suite = _suite_for(runs[0].suite)
    suite.languages.add(*{run.language_id for run in runs})
    keys: dict[int, KeyMaker] = {}
    outcomes = []
    for candidate, passed in sorted(drawn, key=lambda item: (item[0].run_id, item[0].number)):
        run = candidate.run
        maker = keys.setdefault(run.language_id, KeyMaker(suite, run.language))
        try:
            case = add_case(
                suite,
                run.language,
                run.functionality,
                text=candidate.text,
                target=candidate.target,
                provenance=provenance_of(candidate),
                by=by,
                keys=maker,
            )
        except BadInput:  # the same text about the same group is in the study
            continue
        Candidate.objects.filter(pk=candidate.pk).update(study_case=case)
        outcomes.append(passed)
    audit.record(by, Action.GENERATION_REQUESTED, suite, study=len(outcomes), seed=options.seed)
    return Study(suite, len(outcomes), sum(outcomes), len(outcomes) - sum(outcomes))


def _suite_for(suite: Suite) -> Suite:
    name = f"{suite.name}: validation study"
    found, _is_new = Suite.objects.get_or_create(key=f"{suite.key}{SUFFIX}", defaults={"name": name[:200]})
    return found


def validator_quality(runs: Iterable[GenerationRun], *, threshold: float | None = None) -> dict[str, Validity]:
    """Hold the verdicts on candidates against human labels, by functionality, and "" for all together.

    A message is valid where the majority of annotators chose the gold label of its functionality. Labels of a study
    and of accepted candidates count; candidates without labels or without a verdict of the validator do not.
    """
    newest = CaseVerdict.objects.filter(case=OuterRef("judged")).order_by("-decided_at", "-pk").values("majority")[:1]
    rows = (
        Candidate.objects.filter(run__in=list(runs))
        .filter(Q(study_case__isnull=False) | Q(case__isnull=False))
        .annotate(judged=Coalesce("study_case_id", "case_id"))
        .annotate(majority=Subquery(newest))
        .exclude(majority=None)
        .exclude(majority="")
        .select_related("run__functionality")
        .order_by("run__functionality__position", "run__functionality__key")
    )
    outcomes: dict[str, list[tuple[bool, bool]]] = {"": []}
    for row in rows:
        majority: str = row.majority  # type: ignore[attr-defined]
        passed = verdict_of(row.checks, row.run, threshold=threshold).passed
        if passed is None:
            continue
        about = row.run.functionality
        outcome = (passed, majority == about.gold_label)
        outcomes[""].append(outcome)
        outcomes.setdefault(about.key, []).append(outcome)
    return {key: validity_of(found) for key, found in outcomes.items()}


def quality_from_files(options: LabelFileOptions) -> Validity:
    """Hold the verdicts of one file against the labels of another, such as those that GPT-HateCheck released.

    Several labels of a message count as their majority. With `gold` the labels are scores: a message is valid where
    its mean score lies above `above` exactly if its gold label is `positive`.
    """
    kept = {key: values[-1] == options.keep for key, values in _column(options, "verdicts").items()}
    labels = {key: values for key, values in _column(options, "labels").items() if key in kept}
    if not labels:
        raise BadInput(_("No label belongs to a verdict. Check --id-column."))
    if options.gold is None:
        return validity_of((kept[key], majority_says(given, valid=options.valid)) for key, given in labels.items())
    gold = {key: values[-1] == options.positive for key, values in _column(options, "gold").items()}
    if unknown := sorted(set(labels) - set(gold)):
        raise Missing(_("'%(message)s' has labels but no gold label.", message=unknown[0]))
    try:
        means = {key: fmean(map(float, given)) for key, given in labels.items()}
    except ValueError as error:
        raise BadInput(_("With --gold, the labels must be numbers, for example scores from 1 to 5.")) from error
    return validity_of((kept[key], (mean > options.above) == gold[key]) for key, mean in means.items())


def _column(options: LabelFileOptions, name: str) -> dict[str, list[str]]:
    """Return the values of a file by message."""
    column = getattr(options, f"{name.removesuffix('s')}_column")
    table = read_table(getattr(options, name), required=(options.id_column, column))
    if problems := [problem for problem in table.problems if problem.severity == "error"]:
        raise BadInput(_("%(file)s: %(problem)s", file=table.file, problem=problems[0].sentences))
    found: dict[str, list[str]] = {}
    for _row, row in table.records():
        found.setdefault(row[options.id_column], []).append(row[column].strip())
    return found
