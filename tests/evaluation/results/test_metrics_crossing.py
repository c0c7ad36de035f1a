"""Results by two keys, and how well scores tell labels apart."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_score, recall_score, roc_auc_score

from core.errors import BadInput
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.crossing import cross
from evaluation.metrics.discrimination import NO_SCORES, ONE_LABEL, discrimination, mixed_up_labels, precision_at
from evaluation.reports.tables import crossed_table
from evaluation.results.documents import read_cross

LABELS = ("hateful", "non-hateful")


def rows_of(number=240, labels=LABELS, seed=1):
    generator = np.random.default_rng(seed)
    rows = []
    for place in range(number):
        gold = labels[place % len(labels)]
        score = round(float(np.clip(generator.normal(0.65 if gold == "hateful" else 0.4, 0.2), 0, 1)), 2)
        rows.append(
            Row(str(place), gold, "hateful" if score >= 0.5 else labels[1], score=score, functionality="fgh"[place % 3],
                language=("en", "de")[place % 5 == 0], targets=(("women",), ("women", "Muslims"))[place % 7 == 0],
                is_identity_template=place % 2 == 0, template=str(place // 6))
        )  # fmt: skip
    return rows


def test_every_cell_counts_the_cases_of_its_row_and_column():
    rows = rows_of()
    found = cross(Columns.of(rows, labels=LABELS), "functionality", "language")
    for functionality, cells in found.items():
        for language, cell in cells.items():
            mine = [row for row in rows if (row.functionality, row.language) == (functionality, language)]
            assert cell["n"] == len(mine)
            assert cell["correct"] == sum(row.gold == row.predicted for row in mine)
            assert cell["templates"] == len({row.template for row in mine})
    assert sum(cell["n"] for cells in found.values() for cell in cells.values()) == len(rows)


def test_groups_are_crossed_on_cases_about_an_identity_and_count_in_each_group():
    rows = rows_of()
    found = cross(Columns.of(rows, labels=LABELS), "target", "label")
    for group, cells in found.items():
        for label, cell in cells.items():
            mine = [r for r in rows if r.is_identity_template and group in r.targets and r.gold == label]
            assert cell["n"] == len(mine)


def test_a_crossed_table_has_a_hole_where_no_case_is():
    rows = [
        Row("1", "hateful", "hateful", functionality="f", language="en"),
        Row("2", "hateful", "hateful", functionality="g", language="de"),
    ]
    crossed = cross(Columns.of(rows, labels=LABELS), "functionality", "language")
    table = crossed_table("B-D", "F by l", "f_by_l", crossed)
    assert table.models == ("en", "de")
    assert [[cell.printed for cell in line.cells] for line in table.lines] == [["100.0", ""], ["", "100.0"]]


@pytest.mark.parametrize("text", ["language", "language,language", "language,colour", "a,b,c"])
def test_what_cannot_be_crossed_is_refused_with_the_known_names(text):
    with pytest.raises(BadInput, match="functionality_class"):
        read_cross(text)
    assert read_cross("") is None
    assert read_cross("label, functionality") == ("label", "functionality")


def test_scores_are_measured_as_scikit_learn_does():
    rows = rows_of()
    found = discrimination(Columns.of(rows, labels=LABELS), positive="hateful", threshold=0.5)
    slices = {"overall": (found["overall"], rows)}
    slices |= {key: (found["by_functionality"][key], [r for r in rows if r.functionality == key]) for key in "fgh"}
    slices["women"] = (found["by_target"]["women"], [r for r in rows if r.is_identity_template])
    for name, (measured, mine) in slices.items():
        gold, scores = [row.gold == "hateful" for row in mine], [row.score for row in mine]
        if len(set(gold)) < 2:
            assert (measured["auroc"], measured["reason"]) == (None, ONE_LABEL), name
            continue
        said = [score >= 0.5 for score in scores]
        assert measured["auroc"] == pytest.approx(roc_auc_score(gold, scores))
        assert measured["average_precision"] == pytest.approx(average_precision_score(gold, scores))
        assert measured["at_threshold"]["recall"] == pytest.approx(recall_score(gold, said))
        assert measured["at_threshold"]["precision"] == pytest.approx(precision_score(gold, said))
        assert measured["auroc_ci95"][0] < measured["auroc"] < measured["auroc_ci95"][1]
    assert len(found["sweep"]) == 21


def test_precision_at_the_suites_own_prevalence_is_its_precision():
    point = discrimination(Columns.of(rows_of(), labels=LABELS), positive="hateful", threshold=0.5)["overall"]
    at = point["at_threshold"]
    share = point["positives"] / point["n"]
    assert precision_at(share, at["recall"], at["false_positive_rate"]) == pytest.approx(at["precision"])
    assert at["precision_at_prevalence"]["0.01"] < at["precision_at_prevalence"]["0.1"] < at["precision"]


def test_labels_without_scores_have_a_reason():
    rows = [Row("1", "hateful", "hateful"), Row("2", "non-hateful", "hateful")]
    found = discrimination(Columns.of(rows, labels=LABELS), positive="hateful", threshold=0.5)
    assert (found["reason"], found["overall"]) == (NO_SCORES, None)


def test_offensive_and_hateful_are_told_apart_where_there_are_three_labels():
    labels = ("hateful", "offensive", "normal")
    rows = [
        Row("1", "offensive", "hateful"),
        Row("2", "offensive", "offensive"),
        Row("3", "hateful", "offensive"),
        Row("4", "normal", "normal"),
    ]
    found = mixed_up_labels(Columns.of(rows, labels=labels), positive="hateful")
    assert found["offensive"] == {"n": 2, "called_hateful": 0.5, "hateful_called_this": 1.0}
    assert mixed_up_labels(Columns.of(rows_of(), labels=LABELS), positive="hateful") == {}
