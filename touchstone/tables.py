"""Reads cases from tables with any columns: which column holds what, and what the words for labels mean."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.tables.cells import restore
from core.tables.reading import Table, read_table
from curation.fields import Kind
from curation.publishing.canonical import FROM_JSON
from curation.publishing.values import FrozenCase
from touchstone.errors import Refused

LABELS = ("hateful", "non-hateful")
# What a column map may name, and the usual names of the columns, tried in this order.
MAPPED: dict[str, tuple[str, ...]] = {
    "text": ("test_case", "text", "sentence", "comment", "tweet", "content"),
    "label": ("label_gold", "label", "gold", "gold_label"),
    "id": ("case_id", "id", "key"),
    "functionality": ("functionality",),
    "functionality_class": ("functionality_class", "class"),
    "language": ("language", "lang"),
    "target": ("target_ident", "target", "group"),
    "direction": ("direction",),
    "focus": ("focus_lemma",),
    "template": ("templ_id", "template"),
    "template_text": ("case_templ", "template_text"),
    "refers_to": ("ref_case_id", "refers_to"),
}
NUMBERS_AS_LABELS = {"1": 0, "1.0": 0, "true": 0, "0": 1, "0.0": 1, "false": 1}


def read_tables(
    files: Sequence[Path],
    name: str,
    columns: Mapping[str, str] | None,
    labels: Sequence[str] | None,
    gold_map: Mapping[str, str] | None,
) -> tuple[tuple[str, ...], tuple[FrozenCase, ...]]:
    """Return the labels, the positive one first, and the cases of all files. Refuses what cannot be read as cases."""
    cases: list[FrozenCase] = []
    several = len(files) > 1
    for file in files:
        table = read_table(file)
        if wrong := next((problem for problem in table.problems if problem.is_error), None):
            row = "" if wrong.row is None else f", row {wrong.row}"
            raise Refused(f"{file.name}{row}: {wrong.sentences}")
        places = _places(table, columns or {})
        stem = f"{file.parent.name}-{file.stem}-" if several else ""
        cases += [_case(cells, places, f"{stem}{number}", table) for number, cells in table.rows]
    words = {case.label for case in cases}
    known = labels_of({(gold_map or {}).get(word, word) for word in words}, labels)
    meaning = _meaning(words, known, gold_map or {})
    cases = [replace(case, label=meaning[case.label]) for case in cases]
    keys: set[str] = set()
    for case in cases:
        if case.key in keys:
            raise Refused(f"{name}: the id '{case.key}' occurs twice. Name the column with unique ids: --columns id=…")
        keys.add(case.key)
    return known, tuple(cases)


def _places(table: Table, columns: Mapping[str, str]) -> dict[str, int]:
    if unknown := [key for key in columns if key not in MAPPED]:
        raise Refused(f"'{unknown[0]}' cannot be mapped. Known: {', '.join(MAPPED)}.")
    found = {}
    for key, usual in MAPPED.items():
        names = [columns[key]] if key in columns else [name for name in usual if name in table.header]
        if key in columns and columns[key] not in table.header:
            raise Refused(f"{table.file} has no column '{columns[key]}'. It has: {', '.join(table.header)}.")
        if names:
            found[key] = table.header.index(names[0])
    for key in ("text", "label"):
        if key not in found:
            raise Refused(
                f"{table.file}: no column holds the {key}. Name it: --columns {key}=COLUMN. "
                f"The file has: {', '.join(table.header)}."
            )
    return found


def _case(cells: Sequence[str], places: Mapping[str, int], number: str, table: Table) -> FrozenCase:
    def value(key: str) -> str:
        cell = cells[places[key]] if key in places else ""
        return cell if table.is_exact else restore(cell)

    return FrozenCase(
        key=value("id") or number,
        language=value("language"),
        functionality=value("functionality"),
        functionality_class=value("functionality_class"),
        text=value("text"),
        label=value("label").strip(),
        targets=FROM_JSON[Kind.GROUPS](value("target")),
        direction=value("direction"),
        focus_lemma=value("focus"),
        template=value("template"),
        template_text=value("template_text"),
        refers_to=value("refers_to"),
        origin="import",
    )


def labels_of(words: set[str], labels: Sequence[str] | None) -> tuple[str, ...]:
    """Return the labels that were named, or the usual ones. Refuses gold labels that do not tell."""
    if labels:
        if len(labels) < 2:
            raise Refused("A model is tested on two labels at least. Name the positive one first: --labels A B.")
        return tuple(labels)
    plain = {word.lower() for word in words}
    if plain <= set(LABELS) or plain <= set(NUMBERS_AS_LABELS):
        return LABELS
    raise Refused(
        f"The gold labels are {', '.join(sorted(words)[:10])}. Name them with --labels, the positive one first, "
        f"or say what they mean: --gold-map {' '.join(f'{word}=hateful' for word in sorted(words)[:1])} ..."
    )


def _meaning(words: set[str], labels: tuple[str, ...], gold_map: Mapping[str, str]) -> dict[str, str]:
    meaning = {}
    by_name = {label.lower(): label for label in labels}
    for word in words:
        said = gold_map.get(word, word)
        place = NUMBERS_AS_LABELS.get(said.lower()) if len(labels) == 2 else None
        label = by_name.get(said.lower()) or (labels[place] if place is not None else None)
        if label is None:
            raise Refused(
                f"'{said}' is not a label here ({', '.join(labels)}). Say what it means: --gold-map {word}=LABEL."
            )
        meaning[word] = label
    return meaning
