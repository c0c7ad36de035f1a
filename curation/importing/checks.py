"""What is wrong with a file only beside what the catalogue and the suite hold, every fault with its row."""

from collections.abc import Iterator, Mapping

from core.tables.problems import Problem
from curation.fields import FIELDS
from curation.formats.columns import shortened
from curation.formats.values import CaseValue, SuiteValues, TemplateValue
from curation.models import Functionality, Language, Suite, TestCase

# Columns whose change in a later file is said, because cases that are there stay as they are.
KEPT = tuple(field for field in FIELDS if field.is_detail or field.value in ("target", "refers_to"))

Rows = list[tuple[str, int | None, CaseValue | TemplateValue]]


def problems_beside(suite: Suite | None, values: SuiteValues) -> list[Problem]:
    """Errors: unknown languages, labels that contradict their functionality, known ids with another text.

    Warnings: known cases about which the file says something else.
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
            problem = f"the language '{shortened(value.language)}' is not in the catalogue"
            yield Problem(file, row, "language", problem, f"add it first, or use one of: {', '.join(codes)}")


def _contradicting_labels(rows: Rows) -> Iterator[Problem]:
    wanted = {value.functionality for _, _, value in rows}
    catalogue = dict(Functionality.objects.filter(key__in=wanted).values_list("key", "gold_label"))
    first: dict[str, tuple[str, int | None]] = {}
    for file, row, value in rows:
        key = value.functionality
        if key in catalogue:
            gold, where = catalogue[key], "in the catalogue"
        else:
            gold, before = first.setdefault(key, (value.label, row))
            where = f"in row {before}"
        if value.label != gold:
            problem = f"functionality '{shortened(key)}' has the gold label '{gold}' {where}, not '{value.label}'"
            fix = "every case of a functionality has the same label: correct it, or use another functionality"
            yield Problem(file, row, "label_gold", problem, fix)


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
        what = "text" if text != case.text else "functionality" if functionality != case.functionality else ""
        if what:
            column = "test_case" if what == "text" else "functionality"
            problem = f"case '{shortened(case.key)}' has another {what} in the suite"
            yield Problem(file, row, column, problem, "import into a new suite, or give the case another id")
            continue
        for field, fact in zip(KEPT, facts, strict=True):
            said = getattr(case, field.value)
            if said and said != (fact or ""):  # an empty cell says nothing
                mine = f"case '{shortened(case.key)}' has '{shortened(fact or '')}' in the suite"
                problem = f"{mine}, '{shortened(said)}' in the file"
                fix = "cases that are there stay as they are: change it on the page of its template or case"
                yield Problem(file, row, field.column, problem, fix, "warning")
