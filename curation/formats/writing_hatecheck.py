"""Writer of HateCheck's files: the inverse of its reader."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.tables.writing import csv_bytes
from curation.fields import EXPORTED
from curation.formats.hatecheck_words import NUMBER_COLUMN, SEPARATOR
from curation.formats.values import CaseValue, EntryValue, FormValue, LabelValue, SuiteValues

CASE_FIELDS = sorted(EXPORTED, key=lambda field: field.column != "functionality")  # there it stands first
CASE_HEADER = (NUMBER_COLUMN, *(field.column for field in CASE_FIELDS))


def write_hatecheck(values: SuiteValues) -> dict[str, bytes]:
    """Return the files of a suite in HateCheck's format, by name. What has no place in that format is left out."""
    files = {"all_cases.csv": _cases(values.cases)}
    if values.labels:
        files["all_annotations.csv"] = _annotations(values.cases, values.labels)
    if any(form.token for form in values.forms):
        files["template_placeholders.csv"] = _placeholders(values.entries, values.forms)
    return files


def _number(place: int, case: CaseValue) -> str:
    return dict(case.extra).get(NUMBER_COLUMN, str(place))


def _cases(cases: Sequence[CaseValue]) -> bytes:
    rows = (
        (_number(place, case), *(getattr(case, field.value) or "" for field in CASE_FIELDS))
        for place, case in enumerate(cases)
    )
    return csv_bytes((CASE_HEADER, *rows))


def _annotations(cases: Sequence[CaseValue], labels: Iterable[LabelValue]) -> bytes:
    given: dict[str, dict[str, str]] = defaultdict(dict)
    annotators: dict[str, None] = {}
    for label in labels:
        given[label.case][label.annotator] = label.label
        annotators[label.annotator] = None
    columns = sorted(annotators, key=lambda name: (len(name), name))  # label_2 before label_10
    head = (NUMBER_COLUMN, "functionality", "case_id", "templ_id", "test_case", "label_gold")
    rows = []
    for place, case in enumerate(cases):
        mine = given[case.key]
        hateful, other = (sum(label == name for label in mine.values()) for name in ("hateful", "non-hateful"))
        majority = "" if hateful == other else "hateful" if hateful > other else "non-hateful"
        first = (_number(place, case), case.functionality, case.key, case.template or "", case.text, case.label)
        rows.append((*first, *(mine.get(column, "") for column in columns), str(hateful), str(other), majority))
    return csv_bytes(((*head, *columns, "count_label_h", "count_label_nh", "label_annot_maj"), *rows))


def _placeholders(entries: Iterable[EntryValue], forms: Iterable[FormValue]) -> bytes:
    places = {entry.key: entry.position for entry in entries}
    lists: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for form in forms:
        lists[form.token].append((places[form.entry], form.text))
    rows = ((token, SEPARATOR.join(text for _, text in sorted(found))) for token, found in lists.items() if token)
    return csv_bytes((("Placeholder", "Values"), *rows), newline="\r\n", ends_with_newline=False)
