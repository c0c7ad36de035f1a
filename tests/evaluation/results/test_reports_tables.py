"""Tables, documents and rules from plain measures."""

import csv
from io import StringIO
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.columns import Row
from evaluation.metrics.report import measure
from evaluation.metrics.slices import gold_counts
from evaluation.reports.csv_table import as_csv
from evaluation.reports.figures import f1_table
from evaluation.reports.html_page import as_html
from evaluation.reports.junit import as_junit
from evaluation.reports.latex import as_latex, escape
from evaluation.reports.pdf import as_typst
from evaluation.reports.rules import RuleError, check_rule, expand_rule, look_up, parse_rule, require_known
from evaluation.reports.tables import tables_of
from evaluation.results.terminal import describe_results

CASES = [
    {"case": str(n), "gold": "hateful" if n % 3 else "non-hateful", "functionality": "a_h" if n % 3 else "b_nh",
     "functionality_class": "c", "language": "en", "targets": ("women",) if n % 2 else ("Black people",),
     "is_identity_template": True, "direction": "", "focus_word": "", "origin": "template", "agreement": ""}
    for n in range(12)
]  # fmt: skip


def values_of(answers: dict[str, str]) -> dict:
    rows = [Row(**case, predicted=answers[case["gold"]]) for case in CASES]
    found = measure(rows, labels=("hateful", "non-hateful"), positive="hateful")
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
    assert said in as_latex("s@1", "", tables_of({"A": words}), [f1_table({"A": words})])
    assert said not in as_latex("s@1", "", tables_of(MODELS), [f1_table(MODELS)])


def test_latex_is_escaped_and_marked():
    text = as_latex("s@1", "0" * 64, tables_of(MODELS), [f1_table(MODELS)])
    assert r"Right\_1" in text
    assert r"b\_nh & 4 & 4 & \textbf{100.0} & \underline{0.0} & 0.0 & 100.0 \\" in text
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
    assert "<b>&" not in as_html("s@1", {}, tables, [f1_table(models)])
    assert r'"\"#x"' in as_typst("s@1", {}, tables, [f1_table(models)])
    rows = list(csv.DictReader(StringIO(as_csv("s@1", tables_of(MODELS)))))
    assert {row["model"] for row in rows} >= {"Right_1", "'=Always", "always hateful"}


def test_every_document_prints_the_number_of_templates_beside_the_number_of_cases():
    cases = [{**case, "template": f"t{n % 5}"} for n, case in enumerate(CASES)]
    rows = [Row(**case, predicted="hateful") for case in cases]
    found = measure(rows, labels=("hateful", "non-hateful"), positive="hateful")
    models = {"One": {**found, "composition": gold_counts(CASES)}}
    tables, f1 = tables_of(models), f1_table(models)
    assert tables[0].lines[0].templates == 5
    assert "<td>12</td><td>5</td>" in as_html("s@1", {}, tables, [f1])
    assert "[12], [5]," in as_typst("s@1", {}, tables, [f1])
    low, high = (100 * bound for bound in found["overall"]["ci95"])
    assert rf"Total & 12 & 5 & 66.7 {{\scriptsize ({low:.1f}--{high:.1f})}} &" in as_latex("s@1", "", tables, [f1])
    row = next(csv.DictReader(StringIO(as_csv("s@1", tables))))
    assert (row["n"], row["templates"], float(row["ci95_low"])) == ("12", "5", found["overall"]["ci95"][0])
    assert "Cases Templates" in " ".join(describe_results({"release": "s@1", "models": models}).split())


def test_results_stored_without_templates_can_still_be_printed():
    old = {**RIGHT, "overall": {key: value for key, value in RIGHT["overall"].items() if key != "templates"}}
    tables, f1 = tables_of({"Old": old}), f1_table({"Old": old})
    assert "<td>12</td><td>–</td>" in as_html("s@1", {}, tables, [f1])
    assert "Total & 12 & -- &" in as_latex("s@1", "", tables, [f1])
    assert next(csv.DictReader(StringIO(as_csv("s@1", tables))))["templates"] == ""


def test_charts_have_a_heading_of_their_own_where_there_are_some():
    with_charts = as_html("s@1", {}, tables_of(MODELS), [f1_table(MODELS)], charts={"Dots": "<svg></svg>"})
    assert "<h2>Charts</h2><figure><figcaption>Dots</figcaption><svg></svg></figure>" in with_charts
    assert "Charts" not in as_html("s@1", {}, tables_of(MODELS), [f1_table(MODELS)])


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
    ("rule", "is_met", "is_clear"),
    [
        ("a_h.accuracy>=0.9", True, False),  # 8 of 8 cases: the interval goes down to 0.68
        ("a_h.accuracy>=0.6", True, True),
        ("a_h.accuracy.low>=0.9", False, None),
        ("a_h.accuracy.low>=0.6", True, None),
        ("b_nh.accuracy.high<0.5", True, None),
        ("b_nh.accuracy.high < 40%", False, None),
    ],
)
def test_a_rule_can_be_about_a_bound_of_the_interval(rule, is_met, is_clear):
    outcome = check_rule(parse_rule(rule), ALWAYS)
    assert (outcome.is_met, outcome.is_clear) == (is_met, is_clear)
    told = outcome.as_json()
    assert told["ci95"] == list(outcome.figure.interval)
    assert (told["n"], told["templates"]) == ((8, 8) if rule.startswith("a_h") else (4, 4))


def test_a_rule_about_the_bound_of_f1_reads_the_interval_over_templates():
    values = in_two_languages(["en"])
    outcome = check_rule(parse_rule("overall.f1.hateful.low>=0"), values)
    assert outcome.value == values["overall"]["ci95_over_templates"]["f1"]["hateful"][0]
    by_language = check_rule(parse_rule("by_language.de.f1.hateful.high>0"), values)
    assert by_language.value == values["by_language"]["de"]["f1_ci95"]["hateful"][1]


def test_a_bound_that_is_not_there_never_passes_and_counts_have_none():
    outcome = check_rule(parse_rule("a_h.f1.hateful.low>=0"), ALWAYS)
    assert (outcome.value, outcome.is_met) == (None, False)
    assert "without an interval" in outcome.told
    with pytest.raises(RuleError, match="only shares have a low bound"):
        parse_rule("a_h.n.low>=3")


def test_a_star_stands_for_every_functionality():
    rules = expand_rule(parse_rule("*.accuracy.low>=50%"), gold_counts(CASES))
    assert [rule.text for rule in rules] == [
        "by_functionality.b_nh.accuracy.low>=0.5",
        "by_functionality.a_h.accuracy.low>=0.5",
    ]
    assert [check_rule(rule, ALWAYS).is_met for rule in rules] == [False, True]
    groups = expand_rule(parse_rule("by_target.*.accuracy>0.6"), gold_counts(CASES))
    assert [rule.path for rule in groups] == ["by_target.Black people.accuracy", "by_target.women.accuracy"]
    with pytest.raises(RuleError, match="has no 'by_tribe'"):
        expand_rule(parse_rule("by_tribe.*.accuracy>0.6"), gold_counts(CASES))


def suites_of(document):
    return {suite.get("name"): suite for suite in ElementTree.fromstring(document.encode())}


def test_junit_fails_a_functionality_below_chance_without_any_rule():
    suites = suites_of(as_junit("s@1", MODELS, {}))
    assert [suites[name].get("failures") for name in ("Right_1 on s@1", "=Always on s@1")] == ["0", "1"]
    (failed,) = suites["=Always on s@1"].findall("testcase[failure]")
    assert (failed.get("classname"), failed.get("name")) == ("s@1.functionalities", "b_nh")
    message = failed.find("failure").get("message")
    assert "accuracy is 0.0000 (95 % interval 0.00 to 0.49) on 4 cases of 4 templates, wanted >= 0.5" in message


def test_junit_holds_a_functionality_against_the_rules_about_it():
    rules = [parse_rule(text) for text in ("b_nh.accuracy>=0", "a_h.accuracy.low>=0.9", "overall.accuracy>=0.9")]
    outcomes = {"=Always": [check_rule(rule, ALWAYS) for rule in rules]}
    suite = suites_of(as_junit("s@1", {"=Always": ALWAYS}, outcomes))["=Always on s@1"]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert {case.get("name") for case in suite.findall("testcase[failure]")} == {"a_h", "overall.accuracy>=0.9"}
    assert "wanted low bound >= 0.9" in suite.find("testcase[@name='a_h']/failure").get("message")
    met = {"=Always": [check_rule(parse_rule("overall.accuracy>0"), ALWAYS)]}
    assert suites_of(as_junit("s@1", {"=Always": ALWAYS}, met))["=Always on s@1"].get("failures") == "0"


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
    found = measure(rows, labels=labels, positive="hateful", trained_on=trained_on)
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
        as_html("s@1", {}, tables, [f1]),
        as_typst("s@1", {}, tables, [f1]),
        as_latex("s@1", "", tables, [f1]),
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
    found = measure(rows, labels=labels, positive="hateful")
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
    values = measure(rows, labels=("hateful", "non-hateful"), positive="hateful")
    models = {"Right_1": {**values, "composition": gold_counts(words)}}
    (shown,) = [table for table in tables_of(models, focus_words=3) if table.key == "by_focus_word"]
    assert shown.lines[0].key == "word 10"
    assert len(shown.lines) == 3
    assert "3 most frequent of 11" in shown.note
    assert as_csv("s@1", tables_of(models, focus_words=None)).count("by_focus_word,") == 11 * 3
