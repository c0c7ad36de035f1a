"""MHC's word forms in both layouts: a table per kind, or a file per placeholder with a column per grammatical case."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import Table
from core.text import _, ngettext
from curation.formats.aligning import Row, align
from curation.formats.columns import read_suite_table
from curation.formats.group_names import warn_of_look_alikes
from curation.formats.tokens import Token, join_features, parse_token, repair_token
from curation.formats.values import EntryValue, FormValue, LayoutValue

TARGET = "TARGET"
NO_FORM = ("", "-")
MOST_WORDS = 2_000  # per file; rows of different files are compared with each other
CASE_COLUMNS = {
    "de": {"Nom": "Case=Nom", "Gen": "Case=Gen", "Dat": "Case=Dat", "Akk": "Case=Acc", "Indef": "Definite=Ind"},
    "pl": {"M": "Case=Nom", "D": "Case=Gen", "C": "Case=Dat", "B": "Case=Acc", "N": "Case=Ins", "Msc": "Case=Loc"},
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One filled cell, with all that a form needs."""

    token: Token
    typed: str
    features: str
    text: str
    position: int


@dataclass(slots=True)
class MhcWords:
    """The lexicon of a language, and its tokens in the order in which templates are filled."""

    entries: list[EntryValue] = field(default_factory=list)
    forms: list[FormValue] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    layouts: list[LayoutValue] = field(default_factory=list)


def read_words(folder: Path, *, language: str) -> MhcWords:
    """Return all words of a language. Refuses a folder without placeholder files."""
    words = MhcWords()
    # By bytes, as the published ids were made: '[IDENT' < '[SLR' < '[female' < '[male'.
    paths = sorted(path for path in folder.glob("*.csv") if path.is_file()) if folder.is_dir() else []
    if not paths:
        fix = _(
            "keep the folder 'placeholders' with IDENT.csv and SLR.csv, or one file per placeholder; an export of a "
            "suite whose words were written in Touchstone has none: import its cases as CSV"
        )
        words.problems.append(Problem("placeholders", None, None, _("there are no files of words"), fix))
        return words
    rows: dict[str, list[Row[Cell]]] = {}
    for path in paths:
        table = read_suite_table(path, required=(TARGET,), name=f"placeholders/{path.name}")
        if len(table.rows) > MOST_WORDS:
            table.readable = False
            problem = ngettext(
                "the file has %(count)s row; at most %(most)s words are read",
                "the file has %(count)s rows; at most %(most)s words are read",
                len(table.rows),
                most=MOST_WORDS,
            )
            table.add(None, None, problem, _("split it"))
        if table.readable:
            reader = _rows_of_one_token if path.stem.startswith("[") else _rows_of_many_tokens
            for row in reader(table, path.stem, words, language):
                rows.setdefault(row.cells[0].token.kind, []).append(row)
            words.layouts.append(_layout(table, language))
        words.problems.extend(table.problems)
    # The spelling that most files use comes first: it is the one that the others are compared with.
    common = Counter(row.target for found in rows.values() for row in found)
    named = sorted((row for found in rows.values() for row in found), key=lambda row: -common[row.target])
    words.problems.extend(warn_of_look_alikes(((r.target, r.file, r.number) for r in named), column=TARGET))
    for kind, found in rows.items():
        _build(words, kind, found, language)
    return words


def _rows_of_many_tokens(table: Table, stem: str, words: MhcWords, language: str) -> Iterator[Row[Cell]]:
    tokens: dict[str, Token] = {}
    for header in table.header:
        if header == TARGET:
            continue
        typed, token = _token_in_header(table, header)
        if token is not None:
            tokens[header] = token
            words.tokens.append(typed)
    for position, (row, cells) in enumerate(table.records()):
        target = _target(table, row, cells[TARGET])
        found = [
            Cell(token, header, token.features, cells[header], position)
            for header, token in tokens.items()
            if cells[header].strip() not in NO_FORM
        ]
        if found:
            yield Row(table.file, row, target, tuple(found), fixed=f"{stem}-{position}")
        else:
            problem = _("'%(group)s' has no forms in this row", group=target)
            table.warn(row, None, problem, _("write a form or remove the row"))


def _token_in_header(table: Table, header: str) -> tuple[str, Token | None]:
    repaired = repair_token(header)
    token = parse_token(repaired)
    if token is None:
        fix = _("write for example [IDENT_S] or [male_SLR_P_leet]")
        table.add(1, header, _("the header '%(header)s' is not a placeholder", header=header), fix)
    elif repaired != header:
        problem = _(
            "the header '%(header)s' is not spelt like a placeholder; it is read as %(placeholder)s",
            header=header,
            placeholder=repaired,
        )
        table.warn(1, header, problem, _("write %(placeholder)s", placeholder=repaired))
    return repaired, token


def _rows_of_one_token(table: Table, stem: str, words: MhcWords, language: str) -> Iterator[Row[Cell]]:
    token = parse_token(stem)
    if token is None:
        problem = _("the file name '%(name)s' is not a placeholder", name=stem)
        table.add(None, None, problem, _("name it for example [IDENT_S].csv"))
        return
    words.tokens.append(stem)
    known = CASE_COLUMNS.get(language, {})
    features: dict[str, str] = {}
    for header in table.header:
        if header in known:
            features[header] = join_features(token.features, known[header])
        elif header != TARGET:
            fix = (
                _("use one of %(known)s", known=list(known))
                if known
                else _("one file per placeholder is read for German and Polish only")
            )
            problem = _("'%(column)s' is not a grammatical case of this language", column=header)
            table.add(1, header, problem, fix)
    for position, (row, cells) in enumerate(table.records()):
        target = _target(table, row, cells[TARGET])
        found = [
            Cell(token, stem, wanted, cells[header], position)
            for header, wanted in features.items()
            if cells[header].strip() not in NO_FORM
        ]
        if found:
            yield Row(table.file, row, target, tuple(found), fixed=None)
        else:
            problem = _("'%(group)s' has no forms in this row", group=target)
            table.warn(row, None, problem, _("write a form or remove the row"))


def _layout(table: Table, language: str) -> LayoutValue:
    blanks = tuple(
        (position, column, cell)
        for position, (row, cells) in enumerate(table.rows)
        for column, cell in zip(table.header, cells, strict=True)
        if column != TARGET and cell.strip() in NO_FORM
    )
    return LayoutValue(table.file, language, tuple(table.header), blanks, table.newline, table.ends_with_newline)


def _target(table: Table, row: int, cell: str) -> str:
    if not cell.strip():
        table.add(row, TARGET, _("the group is empty"), _("write the group that the word refers to"))
    return cell


def _build(words: MhcWords, kind: str, rows: list[Row[Cell]], language: str) -> None:
    for position, group in enumerate(align(rows)):
        key = f"{kind}-{position + 1:02d}"
        cells = [cell for row in group for cell in row.cells]
        plain = [cell for cell in cells if not cell.token.perturbation] or cells
        lemma = min(plain, key=lambda cell: ("Number=Sing" not in cell.features, "Number=" not in cell.features))
        words.entries.append(
            EntryValue(key, language, kind, group[0].target, lemma.text.strip(), position, inherent=_inherent(cells))
        )
        for row in group:
            for cell in row.cells:
                words.forms.append(
                    FormValue(
                        key,
                        cell.features,
                        cell.token.perturbation,
                        cell.text,
                        token=cell.typed,
                        position=cell.position,
                        language=language,
                    )
                )


def _inherent(cells: list[Cell]) -> str:
    genders = {part for cell in cells for part in cell.features.split("|") if part.startswith("Gender=")}
    return genders.pop() if len(genders) == 1 else ""
