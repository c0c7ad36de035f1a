"""States change in one place: `core.states` compares with the state that was seen and asks the table of moves."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from annotation.states import CAMPAIGN_MOVES, PARTICIPATION_MOVES
from core.jobs.models import JOB_MOVES
from core.states import move_by_id, move_rows
from curation.models import TestCase
from curation.states import ACCESS_MOVES, CASE_MOVES, IMPORTED_VERSION_MOVES, RELEASE_MOVES, VERSION_MOVES
from evaluation.states import RUN_MOVES as EVALUATION_MOVES
from generation.states import CANDIDATE_MOVES
from generation.states import RUN_MOVES as GENERATION_MOVES

APPS = ("accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui")
TABLES = (
    VERSION_MOVES, IMPORTED_VERSION_MOVES, CASE_MOVES, RELEASE_MOVES, ACCESS_MOVES, CAMPAIGN_MOVES,
    PARTICIPATION_MOVES, JOB_MOVES, EVALUATION_MOVES, GENERATION_MOVES, CANDIDATE_MOVES,
)  # fmt: skip
SQL_MOVE = re.compile(r"\bUPDATE\b[^;]*\bSET\b[^;]*\bstate = '")
ALLOWED = {
    "core/states.py": "the one place",
    # One exchange stores labels and claims slots in a handful of statements. They compare the holder and the lease as
    # well as the state, which a table of states cannot say.
    "annotation/labelling/exchange_sql.py": "slots",
    "annotation/labelling/claiming.py": "slots",
    "annotation/labelling/recording.py": "slots",
    "annotation/labelling/quality_rules.py": "a participation in memory; the exchange that holds its lock writes it",
    "annotation/demo.py": "labels of the demonstration are made up as if they had been given",
}


def moves_in(tree: ast.AST) -> Iterator[int]:
    """Lines that set a state: `.update(state=...)`, `row.state = ...`, and SQL that does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name.endswith("update") and any(keyword.arg == "state" for keyword in node.keywords):
                yield node.lineno
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for part in (part for target in targets for part in ast.walk(target)):
                if isinstance(part, ast.Attribute) and part.attr == "state" and isinstance(part.ctx, ast.Store):
                    yield node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL_MOVE.search(node.value):
            yield node.lineno


def product_files() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in sorted((settings.BASE_DIR / app).rglob("*.py")) if "migrations" not in path.parts)


def test_states_are_set_by_core_states_alone():
    found = {
        f"{path.relative_to(settings.BASE_DIR)}:{line}"
        for path in product_files()
        if str(path.relative_to(settings.BASE_DIR)) not in ALLOWED
        for line in moves_in(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert sorted(found) == []


def test_every_exception_is_still_needed():
    for name in ALLOWED:
        assert list(moves_in(ast.parse((settings.BASE_DIR / name).read_text(encoding="utf-8")))), name


@pytest.mark.parametrize(
    "line", ["rows.update(state=1)", "row.state = 1", "row.label, row.state = 1, 2", "_update(row, state=1)"]
)
def test_the_search_finds_a_move(line):
    assert list(moves_in(ast.parse(line)))


@pytest.mark.parametrize("table", TABLES)
def test_tables_name_states_of_one_kind(table):
    states = {state for start, ends in table.items() for state in (start, *ends)}
    assert len({type(state) for state in states}) == 1


@pytest.mark.django_db
def test_many_rows_are_moved_only_where_the_table_allows_it():
    with pytest.raises(ValueError, match="no move from"):
        move_rows(TestCase.objects.all(), "draft", CASE_MOVES, come_from=["retired"])
    assert move_by_id(TestCase, {1, 2}, "ready", CASE_MOVES) == 0
