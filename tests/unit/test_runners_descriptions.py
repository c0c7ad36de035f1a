from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.runners.chat_description import read_chat_description
from evaluation.runners.descriptions import read_description
from evaluation.runners.errors import ConfigurationError
from evaluation.runners.http_description import preset_names, read_http_description
from evaluation.runners.settings import RunnerSettings

SETTINGS = RunnerSettings(environment={"KEY": "s3cret", "PERSPECTIVE_API_KEY": "p", "SEVERITY_API_KEY": "s"})
GOOD = """
url: https://api.example.org/score
headers: {Authorization: "Bearer ${KEY}"}
body: {text: "{text}"}
answer: {score: result.hate}
threshold: 0.5
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "model.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(tmp_path: Path, text: str, read=read_http_description):
    with pytest.raises(ConfigurationError) as caught:
        read(written(tmp_path, text), settings=SETTINGS)
    return caught.value.problems


def test_a_good_description_is_read_and_its_secret_looked_up(tmp_path):
    described = read_http_description(written(tmp_path, GOOD), settings=SETTINGS)
    assert described.headers == {"Authorization": "Bearer s3cret"}
    assert described.score == ["result", "hate"]


def test_a_changed_secret_does_not_change_the_hash(tmp_path):
    path = written(tmp_path, GOOD)
    one = read_http_description(path, settings=SETTINGS)
    other = read_http_description(path, settings=RunnerSettings(environment={"KEY": "another"}))
    assert one.content_hash == other.content_hash


@pytest.mark.parametrize(
    ("change", "key", "says", "fix"),
    [
        (("url: https", "uri: https"), "uri", "no such key", "Did you mean 'url'?"),
        (("threshold: 0.5", ""), "threshold", "missing", "Add the score"),
        (("threshold: 0.5", "threshold: high"), "threshold", "'high' is not a number", "Write a number"),
        (('"{text}"', '"text"'), "body", "does not occur", '"{text}"'),
        (("Bearer ${KEY}", "Bearer abc123"), "Authorization", "looks like a secret", "environment variable"),
        (("${KEY}", "${UNSET}"), "Authorization", "UNSET is not set", "Set it"),
        (("score: result.hate", "score: 'result['"), "answer.score", "not understood", "full stops"),
        (("score: result.hate", "skore: x"), "answer.skore", "no such key", "score"),
        (("/score", "/score?key=abc"), "url", "parameters", "query"),
        (("threshold: 0.5", "preset: nobody"), "preset", "no preset 'nobody'", "perspective"),
    ],
)
def test_every_mistake_is_named_with_key_and_way_out(tmp_path, change, key, says, fix):
    found = problems_of(tmp_path, GOOD.replace(*change))
    assert any(p.file == "model.yaml" and p.column == key and says in p.problem and fix in p.fix for p in found), found


def test_a_problem_knows_its_line(tmp_path):
    (problem,) = problems_of(tmp_path, GOOD.replace("threshold: 0.5", "threshold: high"))[:1]
    assert problem.row == 6


def test_words_of_a_service_need_labels_that_exist(tmp_path):
    text = GOOD.replace("score: result.hate", "label: word").replace("threshold: 0.5", "labels: {bad: hatefull, no: x}")
    found = problems_of(tmp_path, text)
    assert any("'bad' means 'hatefull'" in problem.problem for problem in found)
    assert any("yes and no" in problem.problem for problem in found)


def test_broken_yaml_is_located(tmp_path):
    (problem,) = problems_of(tmp_path, "url: x\n  body: [\n")
    assert problem.row == 2
    assert "not YAML" in problem.problem


@pytest.mark.parametrize(
    ("source", "said"), [("threshold: 2026-13-45", "month must be in 1..12"), ("a: " + "[" * 5000, "recursion depth")]
)
def test_a_value_that_yaml_cannot_build_is_named(tmp_path, source, said):
    (tmp_path / "odd.yaml").write_text(source)
    with pytest.raises(ConfigurationError, match=said):
        read_description(tmp_path / "odd.yaml")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml: there is no such file"):
        read_http_description(tmp_path / "nowhere.yaml", settings=SETTINGS)


def test_a_list_is_not_a_description(tmp_path):
    (problem,) = problems_of(tmp_path, "- a\n- b\n")
    assert "key: value" in problem.problem


def test_the_perspective_preset_asks_for_identity_attack_and_cuts_at_a_half():
    described = read_http_description({"preset": "perspective"}, settings=SETTINGS)
    assert described.threshold == 0.5
    assert described.query == {"key": "p"}
    assert described.score == ["attributeScores", "IDENTITY_ATTACK", "summaryScore", "value"]


def test_the_severity_preset_takes_everything_but_none_as_hateful_and_needs_an_address():
    described = read_http_description({"preset": "severity_words", "url": "https://x.test/"}, settings=SETTINGS)
    assert described.labels == {
        "no": "non-hateful",
        "none": "non-hateful",
        "mild": "hateful",
        "bad": "hateful",
        "moderate": "hateful",
        "severe": "hateful",
    }
    with pytest.raises(ConfigurationError, match="url"):
        read_http_description({"preset": "severity_words"}, settings=SETTINGS)


def test_every_preset_that_ships_is_a_valid_description():
    for name in preset_names():
        read_http_description({"preset": name, "url": "https://x.test/"}, settings=SETTINGS)


def test_a_chat_description_takes_a_prompt_with_a_place_for_the_text(tmp_path):
    text = "url: https://x.test/v1/\nmodel: m\napi_key: ${KEY}\nprompt: 'Label {text}'\nrequests_per_minute: 30\n"
    described = read_chat_description(written(tmp_path, text), settings=SETTINGS)
    assert described.url == "https://x.test/v1/chat/completions"
    assert described.headers == {"Authorization": "Bearer s3cret"}
    assert described.requests_per_second == 0.5


@pytest.mark.parametrize(
    ("line", "key", "says"),
    [
        ("prompt: Label this", "prompt", "{text} does not occur"),
        ("api_key: abc123", "api_key", "looks like a secret"),
        ("answers: {hateful: [a]}", "answers", "both labels"),
        ("answers: {hateful: [yes], non-hateful: [no]}", "answers", "true and false"),
        ("price: {input_per_milion: 1}", "price.input_per_milion", "no such key"),
        ("temperature: 3", "temperature", "out of range"),
    ],
)
def test_mistakes_in_a_chat_description_are_named(tmp_path, line, key, says):
    found = problems_of(tmp_path, f"url: https://x.test/v1\nmodel: m\n{line}\n", read=read_chat_description)
    assert any(problem.column == key and says in problem.problem for problem in found), found


def test_another_pace_is_the_same_model_and_another_question_is_not():
    def hash_of(**changes: object) -> str:
        given = {"url": "https://x.test/v1", "model": "m", **changes}
        return read_chat_description(given, settings=SETTINGS).content_hash

    slower = {"requests_per_minute": 3, "concurrency": 1, "daily_quota": 9, "price": {"input_per_million": 1.0}}
    assert hash_of(**slower) == hash_of()
    assert hash_of(prompt="Is this fine? {text}") != hash_of()
    assert hash_of(temperature=0.5) != hash_of()
