"""Tables, documents and rules from plain measures."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.report import measure
from evaluation.metrics.rows import Row
from evaluation.reports.composition import gold_counts
from evaluation.reports.csv_table import as_csv
from evaluation.reports.html_page import as_html
from evaluation.reports.latex import as_latex, escape
from evaluation.reports.pdf import as_typst
from evaluation.reports.rules import RuleError, check_rule, look_up, parse_rule, require_known
from evaluation.reports.tables import tables_of

CASES = [
    {"case": str(n), "gold": "hateful" if n % 3 else "non-hateful", "functionality": "a_h" if n % 3 else "b_nh",
     "functionality_class": "c", "language": "en", "targets": ("women",) if n % 2 else ("Black people",),
     "is_identity_template": True, "direction": "", "focus_word": "", "origin": "template", "agreement": ""}
    for n in range(12)
]  # fmt: skip


def values_of(answers: dict[str, str]) -> dict:
    rows = [Row(**case, predicted=answers[case["gold"]]) for case in CASES]
    found = measure(rows, labels=("hateful", "non-hateful"), positive="hateful", seed=1, draws=0)
    return {**found, "composition": gold_counts(CASES)}


RIGHT = values_of({"hateful": "hateful", "non-hateful": "non-hateful"})
ALWAYS = values_of({"hateful": "hateful", "non-hateful": "hateful"})
MODELS = {"Right_1": RIGHT, "=Always": ALWAYS}


def line(key: str, table: str = "by_functionality"):
    (found,) = [t for t in tables_of(MODELS) if t.key == table]
    return next(row for row in found.lines if row.key == key)


def test_the_best_is_marked_and_what_guessing_beats():
    right, always = line("b_nh").cells
    assert (right.is_best, right.is_below_chance, right.printed) == (True, False, "100.0")
    assert (always.is_best, always.is_below_chance, always.printed) == (False, True, "0.0")
    assert [cell.is_best for cell in line("a_h").cells] == [True, True]


def test_alone_no_model_is_the_best():
    for table in tables_of({"Right": RIGHT}):
        assert not any(cell.is_best for row in table.lines for cell in row.cells)


def test_the_baselines_stand_beside_every_row():
    assert [cell.printed for cell in line("b_nh").baselines] == ["0.0", "100.0"]
    assert [cell.printed for cell in line("women", "by_target").baselines] == ["66.7", "33.3"]
    assert [cell.printed for cell in line("overall", "overall").baselines] == ["66.7", "33.3"]


def test_no_models_make_no_tables():
    assert tables_of({}) == []


def test_latex_is_escaped_and_marked():
    text = as_latex("s@1", "0" * 64, tables_of(MODELS))
    assert r"Right\_1" in text
    assert r"b\_nh & 4 & \textbf{100.0} & \underline{0.0} & 0.0 & 100.0 \\" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == len(tables_of(MODELS))


@given(st.text())
def test_no_special_sign_gets_through_to_latex(text):
    escaped = escape(text)
    for command in ("textbackslash", "textasciitilde", "textasciicircum"):
        escaped = escaped.replace(f"\\{command}{{}}", "")
    for sign in "&%$#_{}":
        escaped = escaped.replace(f"\\{sign}", "")
    assert not set(escaped) & set("&%$#_{}~^\\")


def test_names_never_become_markup_or_formulas():
    tables = tables_of({"<b>&": RIGHT, '"#x': ALWAYS})
    assert "<b>&" not in as_html("s@1", {}, tables)
    assert r'"\"#x"' in as_typst("s@1", {}, tables)
    rows = list(csv.DictReader(StringIO(as_csv("s@1", tables_of(MODELS)))))
    assert {row["model"] for row in rows} >= {"Right_1", "'=Always", "always hateful"}


def test_csv_holds_every_cell_with_its_counts():
    rows = list(csv.DictReader(StringIO(as_csv("s@1", tables_of(MODELS)))))
    (found,) = [row for row in rows if (row["section"], row["key"], row["model"]) == ("by_label", "hateful", "Right_1")]
    assert (found["n"], found["correct"], found["accuracy"]) == ("8", "8", "1.0")
    assert float(found["ci95_low"]) < 1


@pytest.mark.parametrize(
    ("rule", "value", "is_met"),
    [
        ("b_nh.accuracy>=0.6", 0.0, False),
        ("a_h.accuracy >= 100%", 1.0, True),
        ("overall.accuracy<0.7", 8 / 12, True),
        ("by_target.Black people.accuracy>0.66", 2 / 3, True),
        ("overall.f1.non-hateful>=0.1", 0.0, False),
        ("contrast_pairs.consistency>=0", None, False),
    ],
)
def test_rules_are_held_against_measures(rule, value, is_met):
    outcome = check_rule(parse_rule(rule), ALWAYS)
    assert outcome.is_met is is_met
    assert outcome.value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize("text", ["", "accuracy>0.5", "a_h.accuracy=0.5", "a_h.accuracy>=much", "a_h.accuracy"])
def test_what_is_no_rule_is_refused_with_an_example(text):
    with pytest.raises(RuleError, match="Write for example"):
        parse_rule(text)


def test_unknown_names_and_measures_are_refused():
    with pytest.raises(RuleError, match="has no 'nobody'"):
        require_known(parse_rule("nobody.accuracy>0"), gold_counts(CASES))
    with pytest.raises(RuleError, match="Measures are"):
        look_up("a_h.speed", ALWAYS)
    require_known(parse_rule("by_target.Black people.accuracy>0"), gold_counts(CASES))
