"""Results by two keys, and how well scores tell labels apart."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    precision_recall_curve,
    precision_score,
    recall_score,
    roc_auc_score,
)

from core.errors import BadInput
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.crossing import cross
from evaluation.metrics.discrimination import (
    NO_SCORES,
    ONE_LABEL,
    discrimination,
    mixed_up_labels,
    operating_points,
    precision_at,
)
from evaluation.reports.figures import score_tables
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
                is_identity_template=place % 4 < 2, template=str(place // 6))
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
    table = crossed_table("B-D", ("functionality", "language"), crossed)
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
    for measured, mine in slices.values():
        gold, scores = [row.gold == "hateful" for row in mine], [row.score for row in mine]
        said = [score >= 0.5 for score in scores]
        assert measured["auroc"] == pytest.approx(roc_auc_score(gold, scores))
        assert measured["average_precision"] == pytest.approx(average_precision_score(gold, scores))
        assert measured["at_threshold"]["recall"] == pytest.approx(recall_score(gold, said))
        assert measured["at_threshold"]["precision"] == pytest.approx(precision_score(gold, said))
        assert measured["auroc_ci95"][0] < measured["auroc"] < measured["auroc_ci95"][1]
        for place, cut in enumerate(found["thresholds"]):
            said = [score >= cut for score in scores]
            assert measured["recall"][place] == pytest.approx(recall_score(gold, said))
        precision, recall, cuts = precision_recall_curve(gold, scores)
        f1 = [f1_score(gold, [score >= cut for score in scores]) for cut in cuts]
        assert measured["best_f1"]["f1"] == pytest.approx(max(f1))
        assert measured["best_f1"]["recall"] in recall
        assert measured["best_f1"]["precision"] in precision
    assert len(found["sweep"]) == len(found["thresholds"]) == 21


def test_a_slice_of_one_label_is_told_apart_from_everything_with_the_other_label():
    rows = [
        Row(str(n), LABELS[n % 2], LABELS[n % 2], score=n / 100 if n % 2 else 1 - n / 150,
            functionality="fg"[n % 2], template=str(n // 4))
        for n in range(80)
    ]  # fmt: skip
    rows.append(Row("81", LABELS[1], LABELS[0], score=0.99, functionality="h"))
    found = discrimination(Columns.of(rows, labels=LABELS), positive="hateful", threshold=0.5)["by_functionality"]["f"]
    gold, scores = [row.gold == "hateful" for row in rows], [row.score for row in rows]
    assert found["against_all"]
    assert found["auroc"] == pytest.approx(roc_auc_score(gold, scores))
    assert found["average_precision"] is None
    assert found["reason"] == ONE_LABEL


def test_the_interval_of_the_auroc_covers_what_it_promises():
    generator, hits = np.random.default_rng(1), 0
    for _ in range(200):
        effects = generator.normal(0, 0.7, 24) + np.where(np.arange(24) < 12, 1.0, 0.0)
        rows = [
            Row(
                f"{t}-{n}",
                LABELS[t >= 12],
                LABELS[0],
                score=float(effects[t] + generator.normal(0, 0.7)),
                template=str(t),
            )
            for t in range(24)
            for n in range(6)
        ]
        measured = discrimination(Columns.of(rows, labels=LABELS), positive="hateful", threshold=0.5)["overall"]
        low, high = measured["auroc_ci95"]
        hits += low <= norm.cdf(1.0 / np.sqrt(2 * (0.7**2 + 0.7**2))) <= high
    assert hits / 200 >= 0.93


def test_a_chosen_operating_point_is_that_of_scikit_learn_for_every_slice():
    rows = rows_of()
    found = operating_points(Columns.of(rows, labels=LABELS), positive="hateful", threshold=0.62, prevalence=0.02)
    slices = {"overall": (found["overall"], rows)}
    slices |= {key: (found["by_functionality"][key], [r for r in rows if r.functionality == key]) for key in "fgh"}
    slices["women"] = (found["by_target"]["women"], [r for r in rows if r.is_identity_template])
    for measured, mine in slices.values():
        gold, said = [row.gold == "hateful" for row in mine], [row.score >= 0.62 for row in mine]
        recall, false = recall_score(gold, said), 1 - recall_score(np.logical_not(gold), np.logical_not(said))
        assert (measured["recall"], measured["false_positive_rate"]) == (pytest.approx(recall), pytest.approx(false))
        assert measured["precision"] == pytest.approx(precision_score(gold, said))
        assert measured["called_positive"] == pytest.approx(np.mean(said))
        weights = np.where(gold, 0.02 / np.mean(gold), 0.98 / (1 - np.mean(gold)))
        expected = precision_score(gold, said, sample_weight=weights)
        assert measured["precision_at_prevalence"]["0.02"] == pytest.approx(expected)


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
    offensive = found["offensive"]
    assert (offensive["n"], offensive["called_hateful"], offensive["hateful_called_this"]) == (2, 0.5, 1.0)
    assert offensive["called_hateful_ci95"][0] < 0.5 < offensive["called_hateful_ci95"][1]
    assert offensive["auroc"] is None
    scored = [replace(row, score=score) for row, score in zip(rows, (0.7, 0.2, 0.6, 0.1), strict=True)]
    area = mixed_up_labels(Columns.of(scored, labels=labels), positive="hateful")["offensive"]["auroc"]
    assert area == pytest.approx(roc_auc_score([0, 0, 1], [0.7, 0.2, 0.6]))
    values = {"settings": {"labels": list(labels)}, "mixed_up_labels": found}
    (table,) = score_tables({"Model": values})
    assert [line.title for line in table.lines][:2] == ["offensive called hateful", "hateful called offensive"]
    assert mixed_up_labels(Columns.of(rows_of(), labels=LABELS), positive="hateful") == {}
