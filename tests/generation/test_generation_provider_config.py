"""Provider files: what they may say, and where a mistake stands."""

import logging
from pathlib import Path

import pytest

from core.errors import BadInput
from core.inference.chat_client import ChatClient
from core.inference.descriptions import LARGEST_FILE, read_file, read_text
from core.inference.errors import ConfigurationError, NotAllowed
from core.inference.language_models import LocalLanguageModel
from core.inference.settings import InferenceSettings
from evaluation.runners import RunnerSettings
from evaluation.runners.descriptions import content_hash, read_chat_description
from generation.runs.algorithm.config import ProviderConfig, build_provider
from generation.runs.models import GenerationRun, scope_of
from generation.runs.providers import provider_as_json, provider_as_yaml, provider_from_json

GOOD = """
kind: chat
name: local server
url: http://127.0.0.1:8080/v1
model: small
api_key: ${MY_API_KEY}
timeout: 10
stream: true
concurrency: 2
requests_per_minute: 30
budget: 1.5
price:
  input_per_million: 0.15
  output_per_million: 0.6
temperature: 0
max_tokens: 100
seed: 7
"""
OLD = """
kind: openai_compatible
name: local server
base_url: http://127.0.0.1:8080/v1
model: small
api_key_env: MY_API_KEY
timeout: 10
stream: true
concurrency: 2
requests_per_minute: 30
budget: 1.5
price:
  prompt_per_million: 0.15
  completion_per_million: 0.6
parameters:
  temperature: 0
  max_tokens: 100
  seed: 7
"""
LOCAL = "kind: local\nmodel: m\n"


def parsed(text: str) -> ProviderConfig:
    return ProviderConfig.read(read_text(text, file="p.yaml"))


def built(text: str, **environment: str):
    settings = InferenceSettings(allow_url=lambda url: True, environment=environment)
    return build_provider(parsed(text), settings=settings)


def test_a_good_file_gives_a_provider_and_how_to_run_it():
    config = parsed(GOOD)
    assert config.parameters.seed == 7
    assert config.options().price.output_per_million == 0.6
    assert (config.options().budget, config.options().concurrency) == (1.5, 2)
    assert config.pace().requests_per_minute == 30
    provider = built(GOOD, MY_API_KEY="secret")
    assert isinstance(provider, ChatClient)
    assert provider.server.stream


def test_old_spellings_are_read_with_a_warning_that_names_the_new_one(caplog):
    with caplog.at_level(logging.WARNING):
        assert parsed(OLD) == parsed(GOOD)
    for line, old, new in (
        (2, "kind: openai_compatible", "kind: chat"),
        (4, "base_url", "url"),
        (6, "api_key_env", "api_key"),
        (13, "price.prompt_per_million", "price.input_per_million"),
        (14, "price.completion_per_million", "price.output_per_million"),
        (16, "parameters.temperature", "temperature"),
        (18, "parameters.seed", "seed"),
    ):
        place = f"p.yaml, line {line}, {old}" if ":" not in old else f"p.yaml, {old}"
        assert f"{place}: this is an old spelling. Write '{new}' instead." in caplog.text


def test_the_current_spelling_brings_no_warning(caplog):
    with caplog.at_level(logging.WARNING):
        parsed(GOOD)
    assert caplog.text == ""


def test_both_spellings_of_one_thing_are_refused():
    with pytest.raises(ConfigurationError, match=r"line 18, base_url: it says the same as 'url'\. Remove 'base_url'\."):
        parsed(GOOD + "base_url: http://127.0.0.1:9/v1\n")


def test_one_file_serves_generation_and_evaluation():
    text = GOOD.replace("budget: 1.5\n", "")
    environment = {"MY_API_KEY": "secret"}
    settings = RunnerSettings(environment=environment)
    described = read_chat_description(read_text(text).values, settings=settings)
    config = parsed(text)
    for name in ("url", "model", "api_key", "timeout", "concurrency", "requests_per_minute", "price", "temperature"):
        assert getattr(described, name) == getattr(config, name)
    old = read_chat_description(read_text(OLD.replace("budget: 1.5\n", "")).values, settings=settings)
    assert content_hash(old) == content_hash(described)
    assert old.filled_headers(environment) == {"Authorization": "Bearer secret"}


def test_what_a_run_keeps_is_read_again_also_from_a_run_of_long_ago():
    config = parsed(GOOD)
    assert provider_from_json(provider_as_json(config)).model_dump() == config.model_dump()
    kept_once = {
        "kind": "openai_compatible", "name": "local server", "model": "small", "base_url": "http://127.0.0.1:8080/v1",
        "api_key_env": "MY_API_KEY", "api_key_file": "", "gguf_file": "", "timeout": 10, "structured": "auto",
        "stream": True, "concurrency": 2, "requests_per_minute": 30, "tokens_per_minute": None, "attempts": 5,
        "budget": 1.5, "price": {"prompt_per_million": 0.15, "completion_per_million": 0.6},
        "parameters": {"temperature": 0, "top_p": 1.0, "max_tokens": 100, "seed": 7},
    }  # fmt: skip
    assert provider_from_json(kept_once).model_dump() == config.model_dump()
    assert scope_of(provider_as_json(config)) == "openai_compatible http://127.0.0.1:8080/v1"
    assert provider_from_json({**kept_once, "api_key_env": ""}).api_key == ""


def test_a_run_whose_provider_is_no_longer_valid_can_still_be_looked_at():
    """Once an operator could name any variable; the run's page and its answers outlive that."""
    kept = {"kind": "openai_compatible", "base_url": "http://127.0.0.1/v1/", "model": "m", "api_key_env": "OUR_KEY"}
    run = GenerationRun(provider=kept)
    assert run.scope == "openai_compatible http://127.0.0.1/v1"
    assert (run.server["url"], run.server["api_key"]) == ("http://127.0.0.1/v1/", "${OUR_KEY}")
    assert "url: http://127.0.0.1/v1/" in provider_as_yaml(run.server)
    with pytest.raises(BadInput, match="a secret cannot be taken from the variable 'OUR_KEY'"):
        provider_from_json(kept)


def test_what_is_as_usual_is_left_out_of_the_next_file():
    shown = provider_as_yaml(provider_as_json(parsed(GOOD)))
    assert ProviderConfig.read(read_text(shown)).model_dump() == parsed(GOOD).model_dump()
    assert "attempts" not in shown
    assert "structured" not in shown


def test_structured_off_may_be_written_as_the_documents_write_it():
    for written in ("off", '"off"', "false"):
        assert parsed(f"{GOOD}structured: {written}\n").structured == "off"


@pytest.mark.parametrize("kind", ["local", "transformers_local"])
def test_a_local_model_needs_no_address(kind):
    text = f"kind: {kind}\nmodel: some/model\ngguf_file: m.gguf"
    assert parsed(text).name == "some/model"
    provider = built(text)
    assert isinstance(provider, LocalLanguageModel)
    assert provider.gguf_file == "m.gguf"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "kind: openai\nmodel: m",
            "p.yaml, line 1, kind: 'openai' is not one of chat, local. Write one of chat",
        ),
        (GOOD + "temprature: 1", "p.yaml, line 18, temprature: there is no such key. Did you mean 'temperature'?"),
        (GOOD.replace("seed: 7", "seed: x"), "line 17, seed: 'x' is not a whole number from 0 to 2,000,000,000"),
        (GOOD.replace("seed: 7", "seed: 99999999999"), "seed: '99999999999' is not a whole number from 0 to 2,000,000"),
        (GOOD.replace("timeout: 10", "timeout: .inf"), "line 7, timeout: 'inf' is not a number of seconds from 0.1"),
        (GOOD.replace("timeout: 10", "timeout: true"), "line 7, timeout: 'True' is not a number of seconds from 0.1"),
        (GOOD.replace("url: http", "url: ftp"), "line 4, url: 'ftp://127.0.0.1:8080/v1' is not an address"),
        (GOOD.replace("${MY_API_KEY}", "abc"), "line 6, api_key: it looks like a secret written into the file"),
        (
            GOOD.replace("${MY_API_KEY}", "${HOME}"),
            "line 6, api_key: a secret cannot be taken from the variable 'HOM",
        ),
        (GOOD + "headers: {X-Trick: '${PATH}'}", "headers: X-Trick: a secret cannot be taken from the variable 'PATH'"),
        ("kind: chat\nmodel: m", "p.yaml, url: it is missing. Write an address"),
        ("kind: [", "p.yaml, line 1: it is not YAML"),
        ("kind: 2026-13-45", "p.yaml: it is not YAML (month must be in 1..12)"),
        ("kind: " + "[" * 5000 + "]" * 5000, "p.yaml: it is not YAML (maximum recursion depth exceeded"),
        ("- a", "p.yaml, line 1: it does not hold 'key: value' lines"),
        (GOOD.replace("price:", "prices:"), "line 12, prices: there is no such key. Did you mean 'price'?"),
        (LOCAL + "price: 3", "line 3, price: '3' is not a section with input_per_million and output_per_million"),
        (LOCAL + "budget: 2", "line 3, budget: no price is given, so nothing would ever be counted"),
        (GOOD.replace("0.15", "0").replace("0.6", "0.0"), "line 11, budget: no price is given, so nothing would ever"),
        (GOOD + "prompt: Say {text}", "prompt: there is no such key"),
        ("a: &a [1]\nb: *a", "p.yaml, line 2: it uses a YAML alias (*name). Write the value itself."),
        ("a: " + "x" * LARGEST_FILE, f"p.yaml: it is no plain file of at most {LARGEST_FILE:,} bytes"),
    ],
)
def test_a_mistake_is_refused_with_file_line_and_field(text, problem):
    with pytest.raises(ConfigurationError) as caught:
        parsed(text)
    assert problem in str(caught.value)


def test_aliases_that_would_unfold_to_gigabytes_are_refused_at_once():
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(ConfigurationError, match="YAML alias"):
        parsed("l0: &l0 [x]\n" + "\n".join(levels))


def test_all_mistakes_are_told_at_once():
    with pytest.raises(ConfigurationError) as caught:
        parsed("kind: x\nmodel: 3\ncolour: red")
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("written", ["sk-very-secret", "12345678"])
def test_a_secret_is_not_repeated_in_the_error(written):
    with pytest.raises(ConfigurationError) as caught:
        parsed(GOOD.replace("${MY_API_KEY}", written))
    assert written not in str(caught.value)


def test_a_missing_file_and_a_missing_key_are_named(tmp_path):
    with pytest.raises(ConfigurationError, match="there is no such file"):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(ConfigurationError, match="api_key: the environment variable MY_API_KEY is not set"):
        built(GOOD)


@pytest.mark.parametrize("path", ["/dev/zero", "/etc", "/etc/passwd", "/dev/null.yaml"])
def test_only_plain_yaml_files_are_read(path):
    with pytest.raises(ConfigurationError):
        read_file(Path(path))


def test_a_folder_that_ends_in_yaml_is_no_file(tmp_path):
    (tmp_path / "x.yaml").mkdir()
    with pytest.raises(ConfigurationError, match="no plain file"):
        read_file(tmp_path / "x.yaml")


def sent_header(provider) -> str:
    return provider._http._client.headers["authorization"]


def test_a_key_can_come_from_a_file(tmp_path):
    (tmp_path / "key").write_text("secret\n")
    provider = built(GOOD.replace("api_key: ${MY_API_KEY}", f"api_key_file: {tmp_path / 'key'}"))
    assert sent_header(provider) == "Bearer secret"


def test_a_line_break_after_the_key_in_the_environment_does_not_matter():
    assert sent_header(built(GOOD, MY_API_KEY="secret\n")) == "Bearer secret"


def test_an_address_that_is_not_allowed_is_refused():
    settings = InferenceSettings(environment={"MY_API_KEY": "x"})
    with pytest.raises(NotAllowed, match="not on this installation's list"):
        build_provider(parsed(GOOD), settings=settings)
