"""Every model that can be chosen by name, against a server that speaks its protocol."""

import math
from typing import Any

import pytest

from core.inference.errors import ConfigurationError, SpecError
from evaluation.runners import RunnerSettings, allow_hosts, load_runner, parse_spec
from evaluation.runners.descriptions import content_hash, read_chat_description, read_http_description
from evaluation.runners.loading import name_of
from evaluation.runners.preset_files import PRESETS, preset_names, presets, read_preset
from evaluation.runners.preset_runner import PresetRunner
from tests.evaluation.runners.recorded import azure, chat, completion, hugging_face, moderation, perspective
from tests.evaluation.stub_server import Reply, server

KEYS = {
    name: f"key-of-{name}"
    for name in (
        "OPENAI_API_KEY",
        "PERSPECTIVE_API_KEY",
        "AZURE_CONTENT_SAFETY_API_KEY",
        "HF_API_KEY",
        "SEVERITY_API_KEY",
    )
}
TEXT = "They are {text} people."  # a text may look like a place for one
YES = {"Yes": math.log(0.8), "No": math.log(0.1), "**": math.log(0.05)}
NO = {"No": math.log(0.9), " Yes": math.log(0.1)}
GUARD = ("\n\nunsafe\nS10", "\n\nsafe")
QWEN = ("Safety: Unsafe\nCategories: Unethical Acts", "Safety: Safe\nCategories: None")
WILD = (
    "Harmful request: yes\nResponse refusal: no\nHarmful response: no",
    "Harmful request: no\nResponse refusal: no\nHarmful response: no",
)
SCORE = ("<score> yes </score>", "<score> no </score>")

# By preset: the answers to a hateful and to a harmless text, the address, the header with the key, what is sent.
PROTOCOLS: dict[str, tuple[Any, Any, str, tuple[str, str] | None, dict[str, Any]]] = {
    **{
        name: (chat(GUARD[0]), chat(GUARD[1]), "/v1/chat/completions", None, {"max_tokens": 32})
        for name in ("llama-guard-3-1b", "llama-guard-3-8b", "llama-guard-4-12b")
    },
    "llama-guard-2-8b": (chat("unsafe\nS9"), chat("safe"), "/v1/chat/completions", None, {"temperature": 0.0}),
    **{
        name: (
            chat("Yes", alternatives=YES),
            chat("No", alternatives=NO),
            "/v1/chat/completions",
            None,
            {"logprobs": True, "top_logprobs": 20},
        )
        for name in ("shieldgemma-2b", "shieldgemma-9b")
    },
    "granite-guardian-3.2-5b": (
        chat("Yes\n<confidence> High </confidence>", alternatives=YES),
        chat("No\n<confidence> Low </confidence>", alternatives=NO),
        "/v1/chat/completions",
        None,
        {"chat_template_kwargs": {"guardian_config": {"risk_name": "social_bias"}}, "logprobs": True},
    ),
    "granite-guardian-3.3-8b": (
        chat(SCORE[0]),
        chat(SCORE[1]),
        "/v1/chat/completions",
        None,
        {"chat_template_kwargs": {"guardian_config": {"criteria_id": "social_bias"}, "think": False}},
    ),
    **{
        f"qwen3guard-gen-{size}b": (chat(QWEN[0]), chat(QWEN[1]), "/v1/chat/completions", None, {"max_tokens": 64})
        for size in ("0.6", "4", "8")
    },
    "wildguard": (
        completion(WILD[0]),
        completion(WILD[1]),
        "/v1/completions",
        None,
        {"max_tokens": 32, "temperature": 0},
    ),
    "openai-moderation": (
        moderation(hate=0.2, hate_threatening=0.91),
        moderation(hate=0.2, harassment=0.97),
        "/v1/moderations",
        ("Authorization", "Bearer key-of-OPENAI_API_KEY"),
        {"model": "omni-moderation-latest", "input": TEXT},
    ),
    "perspective": (
        perspective(0.74),
        perspective(0.12),
        "/v1alpha1/comments:analyze?key=key-of-PERSPECTIVE_API_KEY",
        None,
        {"comment": {"text": TEXT}, "requestedAttributes": {"IDENTITY_ATTACK": {}}, "doNotStore": True},
    ),
    "azure-content-safety": (
        azure(3),
        azure(1),
        "/contentsafety/text:analyze?api-version=2024-09-01",
        ("Ocp-Apim-Subscription-Key", "key-of-AZURE_CONTENT_SAFETY_API_KEY"),
        {"text": TEXT, "categories": ["Hate"], "outputType": "EightSeverityLevels"},
    ),
    "hf-inference-text-classification": (
        hugging_face(0.93),
        hugging_face(0.02),
        "/hf-inference/models/facebook/roberta-hate-speech-dynabench-r4-target",
        ("Authorization", "Bearer key-of-HF_API_KEY"),
        {"inputs": TEXT},
    ),
    "severity_words": (
        {"severity": "mild"},
        {"severity": "no"},
        "/v1/hate",
        ("Authorization", "Bearer key-of-SEVERITY_API_KEY"),
        {"text": TEXT},
    ),
    "llm-judge": (
        chat("Hateful"),
        chat("Non-hateful."),
        "/v1/chat/completions",
        ("Authorization", "Bearer key-of-OPENAI_API_KEY"),
        {"model": "gpt-4o-mini", "seed": 0},
    ),
    "llm-judge-score": (
        chat('```json\n{"hate": 83}\n```'),
        chat('{"hate": 7}'),
        "/v1/chat/completions",
        ("Authorization", "Bearer key-of-OPENAI_API_KEY"),
        {"model": "gpt-4o-mini", "max_tokens": 32},
    ),
}


def settings() -> RunnerSettings:
    return RunnerSettings(allow_url=allow_hosts(["127.0.0.1"]), environment=KEYS, longest_wait=2)


def on_this_machine(name: str, address: str) -> Any:
    """The runner of a preset whose host is a server here; the path stays that of the preset."""
    preset = read_preset(name)
    url = str(preset.settings.get("url") or preset.needs["url"])
    path = url.split("/", 3)[3]
    host = address.rsplit("/", 1)[0]
    return load_runner({"kind": "preset", **preset.needs, "preset": name, "url": f"{host}/{path}"}, settings=settings())


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_preset_asks_and_reads_as_its_documentation_says(name):
    hateful, harmless, path, header, sent = PROTOCOLS[name]
    with server(lambda n, body: Reply(body=hateful if n == 0 else harmless)) as (address, requests):
        runner = on_this_machine(name, address)
        first, second = runner.predict([TEXT]) + runner.predict([TEXT])
    assert (first.label, first.error) == ("hateful", None)
    assert (second.label, second.error) == ("non-hateful", None)
    assert requests[0]["path"] == path
    assert header is None or requests[0]["headers"][header[0]] == header[1]
    assert sent.items() <= requests[0]["body"].items()
    assert "key-of-" not in str(runner.describe())


def test_every_preset_is_tested_against_a_server_or_runs_on_this_machine():
    assert {preset.name for preset in presets() if preset.kind in ("chat", "http")} == set(PROTOCOLS)


def test_presets_whose_model_has_a_template_send_the_text_alone():
    for name in PROTOCOLS:
        if name.startswith(("llama-guard", "shieldgemma", "granite", "qwen3guard")):
            assert read_preset(name).settings["prompt"] == "{text}"
            assert "system" not in read_preset(name).settings


def test_the_text_stands_in_the_fixed_form_of_wildguard():
    with server(lambda n, body: Reply(body=completion(WILD[0]))) as (address, requests):
        on_this_machine("wildguard", address).predict([TEXT])
    prompt = requests[0]["body"]["prompt"]
    assert prompt.startswith("<|user|>\n[INST] You are a classifier")
    assert f"Human user:\n{TEXT}\n\nAI assistant:\n\n\n---\n\nAnswers: [/INST]\n<|assistant|>\n" in prompt


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_a_preset_says_what_is_hateful_to_it_and_where_that_is_documented(preset):
    assert preset.hateful.endswith(".")
    assert all(address.startswith("https://") for address in preset.documentation)
    given = {"preset": preset.name, **preset.needs}
    if preset.kind == "http":
        read_http_description(given, settings=settings())
    elif preset.kind == "chat":
        read_chat_description(given, settings=settings())
    else:
        assert PresetRunner.resolve(parse_spec(preset.spec)).kind == preset.kind


def test_probabilities_become_the_score():
    with server(lambda n, body: Reply(body=chat("Yes", alternatives=YES))) as (address, _):
        (answer,) = on_this_machine("shieldgemma-2b", address).predict([TEXT])
    assert answer.score == pytest.approx(0.8 / 0.9)


def test_a_server_without_log_probabilities_is_told_apart_from_a_wrong_answer():
    with server(lambda n, body: Reply(body=chat("Yes"))) as (address, _):
        (answer,) = on_this_machine("shieldgemma-2b", address).predict([TEXT])
    assert "sent no log-probabilities" in (answer.error or "")


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("unsafe\nS1,S10", "hateful"),
        ("unsafe\nS1", "non-hateful"),
        ("unsafe\nS10: Hate.", "hateful"),
        (" unsafe\n S2, S10 ", "hateful"),
        ("safe", "non-hateful"),
    ],
)
def test_categories_of_llama_guard_are_read_by_rule(written, label):
    with server(lambda n, body: Reply(body=chat(written))) as (address, _):
        (answer,) = on_this_machine("llama-guard-3-8b", address).predict([TEXT])
    assert (answer.label, answer.error, answer.raw) == (label, None, written)


@pytest.mark.parametrize(
    ("written", "says"), [("unsafe", "names no category"), ("maybe", "none of the words"), ("", "empty")]
)
def test_what_llama_guard_never_says_is_an_error(written, says):
    with server(lambda n, body: Reply(body=chat(written))) as (address, _):
        (answer,) = on_this_machine("llama-guard-3-8b", address).predict([TEXT])
    assert answer.label is None
    assert says in (answer.error or "")


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("Safety: Controversial\nCategories: Unethical Acts", "hateful"),
        ("Safety: Unsafe\nCategories: Violent, Unethical Acts", "hateful"),
        ("Safety: Unsafe\nCategories: Violent", "non-hateful"),
    ],
)
def test_severities_and_categories_of_qwen3guard_are_read_by_rule(written, label):
    with server(lambda n, body: Reply(body=chat(written))) as (address, _):
        (answer,) = on_this_machine("qwen3guard-gen-8b", address).predict([TEXT])
    assert answer.label == label


def test_a_judge_that_declines_in_spanish_is_counted_as_a_refusal():
    with server(lambda n, body: Reply(body=chat("No puedo ayudar con eso."))) as (address, _):
        (by_word,) = on_this_machine("llm-judge", address).predict([TEXT])
        (by_score,) = on_this_machine("llm-judge-score", address).predict([TEXT])
    assert (by_word.label, by_word.refusal, by_word.error) == (None, True, None)
    assert (by_score.label, by_score.refusal, by_score.error) == (None, True, None)


def test_settings_beside_the_name_take_precedence():
    spec = "preset:llama-guard-3-8b?url=http://127.0.0.1:1/v1&model=our-guard&max_tokens=8"
    described = load_runner(spec, settings=settings()).describe()
    assert (described["model"], described["preset"]) == ("our-guard", "llama-guard-3-8b")
    assert name_of(spec) == "llama-guard-3-8b"
    assert PresetRunner.resolve(parse_spec(spec)).options["max_tokens"] == 8


def test_a_file_can_begin_with_a_preset(tmp_path):
    file = tmp_path / "guard.yaml"
    file.write_text("preset: llama-guard-3-8b\nurl: http://127.0.0.1:1/v1\n", encoding="utf-8")
    assert load_runner(f"chat:{file}", settings=settings()).describe()["model"] == "meta-llama/Llama-Guard-3-8B"


def test_an_unknown_preset_is_refused_with_those_there_are():
    with pytest.raises(SpecError, match=r"no preset 'llama-guard'.*llama-guard-3-8b"):
        load_runner("preset:llama-guard", settings=settings())


def test_a_preset_says_what_it_needs():
    with pytest.raises(SpecError, match=r"needs url.*preset:azure-content-safety\?url=https://RESOURCE"):
        load_runner("preset:azure-content-safety", settings=settings())


def test_a_preset_of_another_kind_is_refused_in_a_file():
    with pytest.raises(ConfigurationError, match="no preset 'llama-guard-3-8b'"):
        read_http_description({"preset": "llama-guard-3-8b"}, settings=settings())


def test_a_preset_without_its_key_names_the_variable():
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY is not set"):
        load_runner("preset:openai-moderation", settings=RunnerSettings(allow_url=lambda url: True))


def test_the_name_of_a_preset_is_that_of_its_file():
    assert preset_names() == sorted(path.stem for path in PRESETS.iterdir())


def test_the_same_model_by_either_spelling_is_one_version():
    anywhere = RunnerSettings(allow_url=lambda url: True, environment=KEYS)
    both = [load_runner(spec, settings=anywhere) for spec in ("http:perspective", "preset:perspective")]
    assert both[0].fingerprint == both[1].fingerprint


def test_hashes_of_presets_from_before_stay_the_same():
    described = read_http_description({"preset": "perspective"}, settings=settings())
    assert content_hash(described)[:16] == "843125088ce91549"
