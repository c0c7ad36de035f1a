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
from evaluation.reports.f1_table import f1_table
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


def test_a_name_in_brackets_is_not_read_as_an_option_by_latex():
    """`\\\\` and `\\midrule` take what follows in brackets as a length, over the end of the line."""
    assert escape("[SLUR]") == "{[}SLUR{]}"


def test_latex_says_when_other_scripts_need_another_engine():
    words = {**RIGHT, "by_focus_word": {"愛": RIGHT["overall"]}}
    said = "compile with XeLaTeX or LuaLaTeX"
    assert said in as_latex("s@1", "", tables_of({"A": words}), f1_table({"A": words}))
    assert said not in as_latex("s@1", "", tables_of(MODELS), f1_table(MODELS))


def test_latex_is_escaped_and_marked():
    text = as_latex("s@1", "0" * 64, tables_of(MODELS), f1_table(MODELS))
    assert r"Right\_1" in text
    assert r"b\_nh & 4 & \textbf{100.0} & \underline{0.0} & 0.0 & 100.0 \\" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == len(tables_of(MODELS)) + 1


@given(st.text())
def test_no_special_sign_gets_through_to_latex(text):
    escaped = escape(text)
    for command in ("textbackslash", "textasciitilde", "textasciicircum"):
        escaped = escaped.replace(f"\\{command}{{}}", "")
    for sign in "&%$#_{}":
        escaped = escaped.replace(f"\\{sign}", "")
    for bracket in "[]":
        escaped = escaped.replace(f"{{{bracket}}}", "")
    assert not set(escaped) & set("&%$#_{}[]~^\\")


def test_names_never_become_markup_or_formulas():
    models = {"<b>&": RIGHT, '"#x': ALWAYS}
    tables = tables_of(models)
    assert "<b>&" not in as_html("s@1", {}, tables, f1_table(models))
    assert r'"\"#x"' in as_typst("s@1", {}, tables, f1_table(models))
    rows = list(csv.DictReader(StringIO(as_csv("s@1", tables_of(MODELS)))))
    assert {row["model"] for row in rows} >= {"Right_1", "'=Always", "always hateful"}


def test_charts_have_a_heading_of_their_own_where_there_are_some():
    with_charts = as_html("s@1", {}, tables_of(MODELS), f1_table(MODELS), charts={"Dots": "<svg></svg>"})
    assert "<h2>Charts</h2><figure><figcaption>Dots</figcaption><svg></svg></figure>" in with_charts
    assert "Charts" not in as_html("s@1", {}, tables_of(MODELS), f1_table(MODELS))


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


@pytest.mark.parametrize(
    "text", ["", "accuracy>0.5", "a_h.accuracy=0.5", "a_h.accuracy>=much", "a_h.accuracy", "a_h.accuracy=>0.5"]
)
def test_what_is_no_rule_is_refused_with_an_example(text):
    with pytest.raises(RuleError, match="Write for example"):
        parse_rule(text)


def test_a_share_above_one_is_refused_because_no_model_could_reach_it():
    with pytest.raises(RuleError, match="60%"):
        parse_rule("overall.accuracy>=60")
    with pytest.raises(RuleError, match="between 0 and 1"):
        parse_rule("overall.f1.hateful>=60")
    assert parse_rule("overall.n>=60").limit == 60


def test_unknown_names_and_measures_are_refused():
    with pytest.raises(RuleError, match="has no 'nobody'"):
        require_known(parse_rule("nobody.accuracy>0"), gold_counts(CASES))
    for text in ("a_h.speed>=0.6", "overall.speed>=0.6", "by_target.Black people.speed>0"):
        with pytest.raises(RuleError, match=r"have no '.*speed'\. Measures are"):
            require_known(parse_rule(text), gold_counts(CASES))
    require_known(parse_rule("by_label.hateful.f1.hateful>0"), gold_counts(CASES))
    with pytest.raises(RuleError, match="Measures are"):
        look_up("a_h.speed", ALWAYS)
    require_known(parse_rule("by_target.Black people.accuracy>0"), gold_counts(CASES))


@pytest.mark.parametrize("rule", ["overall.acuracy>0", "a_h.speed>0", "by_target.women.speed>0"])
def test_a_mistyped_measure_is_refused_before_a_model_runs(rule):
    with pytest.raises(RuleError, match="will have no"):
        require_known(parse_rule(rule), gold_counts(CASES))


@pytest.mark.parametrize("rule", ["overall.macro_f1>0", "a_h.f1.hateful>0", "hateful.n>0", "contrast_pairs.n>=0"])
def test_rules_about_measures_that_there_are_pass_before_a_model_runs(rule):
    require_known(parse_rule(rule), gold_counts(CASES))


def in_two_languages(trained_on: list[str]) -> dict:
    cases = [{**case, "language": "en" if n < 6 else "de"} for n, case in enumerate(CASES)]
    rows = [Row(**case, predicted="hateful") for case in cases]
    labels = ("hateful", "non-hateful")
    found = measure(rows, labels=labels, positive="hateful", seed=1, draws=20, trained_on=trained_on)
    return {**found, "composition": gold_counts(cases)}


def test_by_language_every_f1_stands_beside_the_trivial_models_with_its_shots():
    models = {"One": in_two_languages(["en"])}
    lines = {line.title: line for line in f1_table(models).lines}
    assert lines["macro F1, en"].figures[0].note == "many-shot"
    assert lines["macro F1, de"].figures[0].note == "zero-shot"
    for title in ("macro F1, de", "F1 of hateful, de", "F1 of non-hateful, de"):
        # The model always says hateful, so it is exactly the first of the trivial ones.
        assert lines[title].figures[0].value == pytest.approx(lines[title].baselines[0].value)
    assert lines["F1 of hateful, de"].figures[0].low is not None


def test_every_document_says_which_languages_a_model_was_trained_on():
    models = {"One": in_two_languages(["en"])}
    tables, f1 = tables_of(models), f1_table(models)
    page, paper, latex = (
        as_html("s@1", {}, tables, f1),
        as_typst("s@1", {}, tables, f1),
        as_latex("s@1", "", tables, f1),
    )
    assert "<small>zero-shot</small>" in page
    assert "#super[m]" in paper
    assert r"\textsuperscript{z}" in latex
    rows = list(csv.DictReader(StringIO(as_csv("s@1", tables))))
    assert {row["shots"] for row in rows if (row["section"], row["key"]) == ("by_language", "de")} == {"zero-shot", ""}


def test_words_in_a_functionality_stand_beside_the_trivial_models():
    cases = [{**case, "functionality": "slur_h", "focus_word": "w", "gold": "hateful"} for case in CASES]
    rows = [Row(**case, predicted="non-hateful") for case in cases]
    labels = ("hateful", "non-hateful")
    found = measure(rows, labels=labels, positive="hateful", seed=1, draws=0)
    (table,) = [t for t in tables_of({"One": {**found, "composition": {}}}) if t.key == "by_slur.slur_h"]
    assert [cell.printed for cell in table.lines[0].baselines] == ["100.0", "0.0"]


def test_f1_stands_beside_the_trivial_models_and_the_best_is_marked():
    lines = {line.title: line for line in f1_table(MODELS).lines}
    assert list(lines)[:4] == ["macro F1", "micro F1", "F1 of hateful", "F1 of non-hateful"]
    assert [figure.printed for figure in lines["F1 of hateful"].figures] == ["1.000", "0.800"]
    assert [figure.is_best for figure in lines["macro F1"].figures] == [True, False]
    assert [figure.printed for figure in lines["macro F1"].baselines] == ["0.400", "0.250"]
    assert "macro F1, women" in lines
    assert "macro F1, en" not in lines  # a single language is the whole


def test_csv_has_f1_where_it_is_defined():
    rows = list(csv.DictReader(StringIO(as_csv("s@1", tables_of(MODELS)))))
    found = {(row["section"], row["key"]): row for row in rows if row["model"] == "Right_1"}
    assert found["overall", "overall"]["f1_macro"] == "1.0"
    assert found["by_label", "hateful"]["f1_macro"] == ""
    assert found["by_label", "hateful"]["f1_hateful"] == "1.0"


def test_only_the_most_frequent_focus_words_are_shown_and_all_are_in_the_csv():
    words = [{**case, "focus_word": f"word {min(int(case['case']), 10)}"} for case in CASES]
    rows = [Row(**case, predicted=case["gold"]) for case in words]
    values = measure(rows, labels=("hateful", "non-hateful"), positive="hateful", seed=1, draws=0)
    models = {"Right_1": {**values, "composition": gold_counts(words)}}
    (shown,) = [table for table in tables_of(models, focus_words=3) if table.key == "by_focus_word"]
    assert shown.lines[0].key == "word 10"
    assert len(shown.lines) == 3
    assert "3 most frequent of 11" in shown.note
    assert as_csv("s@1", tables_of(models, focus_words=None)).count("by_focus_word,") == 11 * 3
