"""Provider files: what they may say, and where a mistake stands."""

from __future__ import annotations

import pytest

from curation.inference.settings import InferenceSettings
from generation.providers.config import ProviderConfigError, build_provider, parse_provider, read_provider
from generation.providers.errors import AddressNotAllowed
from generation.providers.openai_compatible import OpenAICompatible
from generation.providers.transformers_local import TransformersLocal

GOOD = """
kind: openai_compatible
name: local server
base_url: http://127.0.0.1:8080/v1
model: small
api_key_env: MY_KEY
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


def test_a_good_file_gives_a_provider_and_how_to_run_it():
    config = parse_provider(GOOD)
    assert config.parameters.seed == 7
    assert config.options().price.completion_per_million == 0.6
    assert (config.options().budget, config.options().concurrency) == (1.5, 2)
    assert config.limiter().requests_per_minute == 30
    provider = build_provider(
        config, models=InferenceSettings(), is_allowed_url=lambda url: True, environment={"MY_KEY": "secret"}
    )
    assert isinstance(provider, OpenAICompatible)
    assert provider.stream


def test_structured_off_may_be_written_as_the_documents_write_it():
    for written in ("off", '"off"', "false"):
        assert parse_provider(f"{GOOD}structured: {written}\n").structured == "off"


def test_a_local_model_needs_no_address():
    config = parse_provider("kind: transformers_local\nmodel: some/model\ngguf_file: m.gguf")
    assert config.name == "some/model"
    provider = build_provider(config, models=InferenceSettings(), is_allowed_url=lambda url: False)
    assert isinstance(provider, TransformersLocal)
    assert provider.gguf_file == "m.gguf"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kind: openai\nmodel: m", "p.yaml, line 1, kind: one of openai_compatible, transformers_local is expected"),
        (GOOD + "temprature: 1", "p.yaml, line 19, temprature: no field is called that; known: kind"),
        (
            GOOD.replace("seed: 7", "seed: x"),
            "line 18, parameters.seed: a whole number from 0 to 2,000,000,000 is expected, not 'x'",
        ),
        (GOOD.replace("seed: 7", "seed: 99999999999"), "parameters.seed: a whole number from 0 to 2,000,000,000"),
        (GOOD.replace("timeout: 10", "timeout: .inf"), "line 7, timeout: seconds above 0 is expected, not inf"),
        (GOOD.replace("timeout: 10", "timeout: true"), "line 7, timeout: seconds above 0 is expected, not True"),
        (GOOD.replace("base_url: http", "base_url: ftp"), "line 4, base_url: an address starting with http(s)://"),
        (GOOD + "api_key: abc", "line 19, api_key: keys do not belong in this file"),
        ("kind: openai_compatible\nmodel: m", "p.yaml: `base_url` is missing"),
        ("kind: [", "p.yaml, line 1: this is not YAML"),
        ("kind: 2026-13-45", "p.yaml: this is not YAML (month must be in 1..12)"),
        ("kind: " + "[" * 5000, "p.yaml: this is not YAML (maximum recursion depth exceeded"),
        ("- a", "p.yaml, line 1: fields such as `kind: openai_compatible` are expected"),
        (GOOD.replace("price:", "prices:"), "line 12, prices: no field is called that"),
        ("kind: transformers_local\nmodel: m\nprice: 3", "line 3, price: fields are expected"),
        ("kind: transformers_local\nmodel: m\nbudget: 2", "line 3, budget: no price is given"),
        (GOOD.replace("0.15", "0").replace("0.6", "0.0"), "line 11, budget: no price is given, so nothing would ever"),
    ],
)
def test_a_mistake_is_refused_with_file_line_and_field(text, problem):
    with pytest.raises(ProviderConfigError) as caught:
        parse_provider(text, file="p.yaml")
    assert problem in str(caught.value)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(ProviderConfigError) as caught:
        parse_provider("kind: x\nmodel: 3\ncolour: red")
    assert len(caught.value.problems) == 3


def test_a_secret_is_not_repeated_in_the_error():
    with pytest.raises(ProviderConfigError) as caught:
        parse_provider(GOOD + "api_key: sk-very-secret")
    assert "sk-very-secret" not in str(caught.value)


def test_a_missing_file_and_a_missing_key_are_named(tmp_path):
    with pytest.raises(ProviderConfigError, match="cannot be read"):
        read_provider(tmp_path / "none.yaml")
    with pytest.raises(ProviderConfigError, match="MY_KEY is not set"):
        build_provider(
            parse_provider(GOOD), models=InferenceSettings(), is_allowed_url=lambda url: True, environment={}
        )


def test_a_key_can_come_from_a_file(tmp_path):
    (tmp_path / "key").write_text("secret\n")
    text = GOOD.replace("api_key_env: MY_KEY", f"api_key_file: {tmp_path / 'key'}")
    provider = build_provider(
        parse_provider(text), models=InferenceSettings(), is_allowed_url=lambda url: True, environment={}
    )
    assert isinstance(provider, OpenAICompatible)
    assert provider._client.headers["authorization"] == "Bearer secret"


def test_a_line_break_after_the_key_in_the_environment_does_not_matter():
    provider = build_provider(
        parse_provider(GOOD),
        models=InferenceSettings(),
        is_allowed_url=lambda url: True,
        environment={"MY_KEY": "secret\n"},
    )
    assert isinstance(provider, OpenAICompatible)
    assert provider._client.headers["authorization"] == "Bearer secret"


def test_an_address_that_is_not_allowed_is_refused():
    with pytest.raises(AddressNotAllowed, match="not on the list of allowed addresses"):
        build_provider(
            parse_provider(GOOD),
            models=InferenceSettings(),
            is_allowed_url=lambda url: False,
            environment={"MY_KEY": "x"},
        )
