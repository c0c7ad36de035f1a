from pathlib import Path

import pytest

from core.inference.descriptions import read_file
from core.inference.errors import ConfigurationError, NotAllowed
from evaluation.runners.descriptions import content_hash, read_chat_description, read_http_description
from evaluation.runners.settings import RunnerSettings

SETTINGS = RunnerSettings(environment={"OUR_API_KEY": "s3cret", "PERSPECTIVE_API_KEY": "p", "SEVERITY_API_KEY": "s"})
CHAT_HASH = "11edeb4a6695c66a74741a73083f88fdb2eb870b96094a3c4f97f7f875a88154"
HTTP_HASH = "7d79ee1dc717c6e693e053222cc023742d3c1fc7485582f0a0b5960156229a15"
GOOD = """
url: https://api.example.org/score
headers: {Authorization: "Bearer ${OUR_API_KEY}"}
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
    assert described.filled_headers(SETTINGS.environment) == {"Authorization": "Bearer s3cret"}
    assert "s3cret" not in repr(described)
    assert described.answer.steps("score") == ["result", "hate"]


def test_a_changed_secret_does_not_change_the_hash(tmp_path):
    path = written(tmp_path, GOOD)
    one = read_http_description(path, settings=SETTINGS)
    other = read_http_description(path, settings=RunnerSettings(environment={"OUR_API_KEY": "another"}))
    assert content_hash(one) == content_hash(other)


@pytest.mark.parametrize(
    ("change", "key", "says", "fix"),
    [
        (("url: https", "uri: https"), "uri", "no such key", "Did you mean 'url'?"),
        (("threshold: 0.5", ""), "threshold", "missing", "Add the score"),
        (("threshold: 0.5", "threshold: high"), "threshold", "'high' is not a number", "Write a number"),
        (('"{text}"', '"text"'), "body", "does not occur", '"{text}"'),
        (("Bearer ${OUR_API_KEY}", "Bearer abc123"), "headers", "looks like a secret", "environment variable"),
        (("${OUR_API_KEY}", "${UNSET_API_KEY}"), "headers.Authorization", "UNSET_API_KEY is not set", "Set it"),
        (("score: result.hate", "score: 'result['"), "answer.score", "not understood", "full stops"),
        (("${OUR_API_KEY}", "${HOME}"), "headers", "cannot be taken from the variable 'HOME'", "ends in _API_KEY"),
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


def test_words_that_yaml_reads_as_true_and_false_are_understood_in_every_spelling(tmp_path):
    text = GOOD.replace("score: result.hate", "label: word").replace(
        "threshold: 0.5", "labels: {yes: hateful, no: non-hateful}"
    )
    meanings = read_http_description(written(tmp_path, text), settings=SETTINGS).meanings
    assert meanings == {
        **dict.fromkeys(("true", "yes", "on"), "hateful"),
        **dict.fromkeys(("false", "no", "off"), "non-hateful"),
    }


SEVERAL = GOOD.replace("score: result.hate", "scores: {hate: s.hate, threat: s.threat}")


@pytest.mark.parametrize(
    ("combine", "key", "says"),
    [
        ("{rule: most}", "combine.rule", "'most' is not one of max, any, weighted"),
        ("{rule: any, thresholds: {hatee: 0.5}}", "combine.thresholds", "no score 'hatee'"),
        ("{rule: weighted}", "combine.weights", "do not make a mean"),
        ("{rule: weighted, weights: {hate: -1, threat: 2}}", "combine.weights", "do not make a mean"),
        ("{rule: max, thresholds: {hate: 0.5}}", "combine.thresholds", "only the rule any"),
    ],
)
def test_a_combination_that_makes_no_answer_is_refused(tmp_path, combine, key, says):
    found = problems_of(tmp_path, f"{SEVERAL}\ncombine: {combine}\n")
    assert any(problem.column == key and says in problem.problem for problem in found), found


def test_several_scores_with_thresholds_of_their_own_need_no_common_one(tmp_path):
    combine = "combine: {rule: any, thresholds: {hate: 0.5, threat: 0.9}}"
    read_http_description(written(tmp_path, SEVERAL.replace("threshold: 0.5", combine)), settings=SETTINGS)


def test_a_text_as_answer_needs_a_rule(tmp_path):
    found = problems_of(tmp_path, GOOD.replace("score: result.hate", "text: said"))
    assert any(problem.column == "rule" for problem in found)


def test_broken_yaml_is_located(tmp_path):
    (problem,) = problems_of(tmp_path, "url: x\n  body: [\n")
    assert problem.row == 2
    assert "not YAML" in problem.problem


@pytest.mark.parametrize(
    ("source", "said"),
    [("threshold: 2026-13-45", "month must be in 1..12"), ("a: " + "[" * 5000 + "]" * 5000, "recursion")],
)
def test_a_value_that_yaml_cannot_build_is_named(tmp_path, source, said):
    (tmp_path / "odd.yaml").write_text(source)
    with pytest.raises(ConfigurationError, match=said):
        read_file(tmp_path / "odd.yaml")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml: there is no such file"):
        read_http_description(tmp_path / "nowhere.yaml", settings=SETTINGS)


def test_a_list_is_not_a_description(tmp_path):
    (problem,) = problems_of(tmp_path, "- a\n- b\n")
    assert "key: value" in problem.problem


def test_the_perspective_preset_asks_for_identity_attack_and_cuts_at_a_half():
    described = read_http_description({"preset": "perspective"}, settings=SETTINGS)
    assert described.threshold == 0.5
    assert described.filled_query(SETTINGS.environment) == {"key": "p"}
    assert described.answer.steps("score") == ["attributeScores", "IDENTITY_ATTACK", "summaryScore", "value"]


def test_the_severity_preset_takes_everything_but_none_as_hateful_and_needs_an_address():
    described = read_http_description({"preset": "severity_words", "url": "https://x.test/"}, settings=SETTINGS)
    assert described.meanings == {
        "no": "non-hateful",
        "none": "non-hateful",
        "mild": "hateful",
        "bad": "hateful",
        "moderate": "hateful",
        "severe": "hateful",
    }
    with pytest.raises(ConfigurationError, match="url"):
        read_http_description({"preset": "severity_words"}, settings=SETTINGS)


def test_a_chat_description_takes_a_prompt_with_a_place_for_the_text(tmp_path):
    text = (
        "url: https://x.test/v1/\nmodel: m\napi_key: ${OUR_API_KEY}\nprompt: 'Label {text}'\nrequests_per_minute: 30\n"
    )
    described = read_chat_description(written(tmp_path, text), settings=SETTINGS)
    assert described.filled_headers(SETTINGS.environment) == {"Authorization": "Bearer s3cret"}
    assert described.pace().requests_per_minute == 30


@pytest.mark.parametrize(
    ("line", "key", "says"),
    [
        ("prompt: Label this", "prompt", "{text} does not occur"),
        ("api_key: abc123", "api_key", "looks like a secret"),
        ("answers: {hateful: [a]}", "answers", "both labels"),
        ("answers: {hateful: [a], non-hateful: [b]}\nscore: hate", "score", "says the same as 'answers'"),
        ("score: 'hate['", "score", "not understood"),
        ("probability: {positive: [a], negative: [b]}\nstream: true", "stream", "not read from a stream"),
        ("language_thresholds: {de: 0.6}", "language_thresholds", "no score to cut"),
        ("price: {input_per_milion: 1}", "price.input_per_milion", "no such key"),
        ("temperature: 3", "temperature", "'3' is not a number from 0 to 2"),
        ("budget: 2", "budget", "no such key"),
    ],
)
def test_mistakes_in_a_chat_description_are_named(tmp_path, line, key, says):
    found = problems_of(tmp_path, f"url: https://x.test/v1\nmodel: m\n{line}\n", read=read_chat_description)
    assert any(problem.column == key and says in problem.problem for problem in found), found


def test_another_pace_is_the_same_model_and_another_question_is_not():
    def hash_of(**changes: object) -> str:
        given = {"url": "https://x.test/v1", "model": "m", **changes}
        return content_hash(read_chat_description(given, settings=SETTINGS))

    slower = {"requests_per_minute": 3, "concurrency": 1, "daily_quota": 9, "price": {"input_per_million": 1.0}}
    assert hash_of(**slower) == hash_of()
    assert hash_of(prompt="Is this fine? {text}") != hash_of()
    assert hash_of(temperature=0.5) != hash_of()


def test_old_spellings_give_the_same_model_and_a_warning(tmp_path, caplog):
    new = read_http_description(written(tmp_path, GOOD), settings=SETTINGS)
    old = read_http_description(written(tmp_path, GOOD.replace("\nurl:", "\nbase_url:")), settings=SETTINGS)
    assert (old.url, content_hash(old)) == (new.url, content_hash(new))
    assert "model.yaml, line 2, base_url: this is an old spelling. Write 'url' instead." in caplog.text


def test_the_hash_of_a_registered_model_is_the_one_it_was_registered_with():
    """Computed before descriptions were shared; another hash would make every registered model unusable."""
    chat = {"model": "m", "url": "https://x.test/v1", "api_key": "${OUR_API_KEY}", "temperature": 0.5, "attempts": 3}
    http = {"url": "https://x.test/", "body": {"t": "{text}"}, "answer": {"label": "w"}, "labels": {"bad": "hateful"}}
    assert content_hash(read_chat_description(chat, settings=SETTINGS)) == CHAT_HASH
    assert content_hash(read_http_description(http, settings=SETTINGS)) == HTTP_HASH


def test_a_description_outside_the_permitted_folders_is_not_read(tmp_path):
    permitted = tmp_path / "models"
    permitted.mkdir()
    settings = RunnerSettings(environment=SETTINGS.environment, model_roots=(permitted,))
    with pytest.raises(NotAllowed, match="may not be read from"):
        read_http_description(written(tmp_path, GOOD), settings=settings)
    assert read_http_description(written(permitted, GOOD), settings=settings).threshold == 0.5
