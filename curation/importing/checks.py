"""Find what is wrong with a file beside what the catalogue and the suite hold, every problem with its row."""

from collections.abc import Iterator, Mapping

from core.tables.problems import Problem
from core.text import _
from curation.fields import FIELDS
from curation.formats.columns import shortened
from curation.formats.values import CaseValue, SuiteValues, TemplateValue
from curation.models import Functionality, Language, Suite, TestCase
from curation.morphology.realised import target_name

# Columns whose change in a later file is said, because cases that are there stay as they are.
KEPT = tuple(
    field for field in FIELDS if field.is_detail or field.is_optional or field.value in ("label", "target", "refers_to")
)

Rows = list[tuple[str, int | None, CaseValue | TemplateValue]]


def problems_beside(suite: Suite | None, values: SuiteValues) -> list[Problem]:
    """Return errors: unknown languages, labels that contradict their functionality, known ids with another text.

    And warnings: known cases about which the file says something else, functionalities that become mixed.
    """
    rows = _rows(values)
    found = [*_unknown_languages(rows), *_contradicting_labels(rows)]
    if suite is not None and values.cases:
        found += _known_cases(suite, values)
    # A template and its first case stand in one row of a file: what is wrong there is said once.
    return list(dict.fromkeys(found))


def _rows(values: SuiteValues) -> Rows:
    cases: Rows = [(*values.case_places.get(case.key, ("", None)), case) for case in values.cases]
    templates: Rows = [
        (*values.template_places.get((template.language, template.key), ("", None)), template)
        for template in values.templates
    ]
    return cases + templates


def _unknown_languages(rows: Rows) -> Iterator[Problem]:
    codes = sorted(Language.objects.values_list("code", flat=True))
    for file, row, value in rows:
        if value.language not in codes:
            problem = _("the language '%(language)s' is not in the catalogue", language=shortened(value.language))
            yield Problem(file, row, "language", problem, _("add it first, or use one of: %(codes)s", codes=codes))


def _contradicting_labels(rows: Rows) -> Iterator[Problem]:
    """Yield rows whose label is not that of their functionality, and a warning where a new one becomes mixed."""
    catalogue = dict(
        Functionality.objects.filter(key__in={value.functionality for _, _, value in rows})
        .exclude(gold_label="")
        .values_list("key", "gold_label")
    )
    mixed = set(Functionality.objects.filter(gold_label="").values_list("key", flat=True))
    first: dict[str, str] = {}
    for file, row, value in rows:
        key, shown = value.functionality, shortened(value.functionality)
        if key in catalogue and value.label != catalogue[key]:
            problem = _(
                "functionality '%(functionality)s' has the gold label '%(gold)s', not '%(label)s'",
                functionality=shown,
                gold=catalogue[key],
                label=value.label,
            )
            fix = _("correct the label, or use another functionality; only a mixed functionality has several labels")
            yield Problem(file, row, "label_gold", problem, fix)
        elif key not in catalogue and key not in mixed and first.setdefault(key, value.label) != value.label:
            mixed.add(key)
            problem = _(
                "functionality '%(functionality)s' has cases with several labels, so it becomes mixed",
                functionality=shown,
            )
            yield Problem(file, row, "label_gold", problem, _("nothing to do if this is intended"), "warning")


def _known_cases(suite: Suite, values: SuiteValues) -> Iterator[Problem]:
    fields = ("key", "text", "functionality__key", *(field.lookup for field in KEPT))
    known: Mapping[str, tuple[str, ...]] = {
        key: facts for key, *facts in TestCase.objects.of(suite).values_list(*fields).iterator()
    }
    for case in values.cases:
        if case.key not in known:
            continue
        file, row = values.case_places.get(case.key, ("", None))
        text, functionality, *facts = known[case.key]
        if text != case.text or functionality != case.functionality:
            key = shortened(case.key)
            column, problem = (
                ("test_case", _("case '%(case)s' has another text in the suite", case=key))
                if text != case.text
                else ("functionality", _("case '%(case)s' has another functionality in the suite", case=key))
            )
            fix = _("import into a new suite, or give the case another ID")
            yield Problem(file, row, column, problem, fix)
            continue
        for field, fact in zip(KEPT, facts, strict=True):
            said = target_name([case.target]) if field.value == "target" else getattr(case, field.value)
            if said and said != (fact or ""):  # an empty cell says nothing
                problem = _(
                    "case '%(case)s' has '%(suite)s' in the suite, '%(file)s' in the file",
                    case=shortened(case.key),
                    suite=shortened(fact or ""),
                    file=shortened(said),
                )
                fix = _("existing cases are not changed: change it on the page of its template or case")
                yield Problem(file, row, field.column, problem, fix, "warning")
