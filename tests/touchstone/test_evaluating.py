"""Asking a model about a release without a database: answers are kept, nothing is asked twice."""

import json

import pytest

from evaluation.runners import Answer, RunnerBusy, Stopped
from tests.touchstone.releases import by_word, never_hateful, small_release
from touchstone import compare, evaluate, load_release
from touchstone.answers import AnswerStore
from touchstone.errors import Interrupted, Refused
from touchstone.evaluating import ask_texts, read_result
from touchstone.library import Result

SPEC = "python:tests.touchstone.releases:by_word"


@pytest.fixture(autouse=True)
def _own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return load_release(small_release(tmp_path_factory.mktemp("releases") / "small"))


class Recorder:
    """A model that writes down what it is asked, and can be made to stop or to be busy."""

    fingerprint = "a" * 64

    def __init__(self, *, then=None, after=None):
        self.asked, self.then, self.after = [], then, after

    def describe(self):
        return {"kind": "test", "fingerprint": self.fingerprint}

    def predict(self, texts, *, progress=None, should_stop=None):
        answers = []
        for text in texts:
            if self.then is not None and len(self.asked) == self.after:
                error, self.then = self.then, None
                raise type(error)(str(error), answers=answers, retry_after=0.01)
            self.asked.append(text)
            answers.append(Answer(label="hateful" if "dislike" in text else "non-hateful"))
        return answers


def test_a_function_is_measured(release):
    result = evaluate(release, by_word)
    assert (result.model, result.release, result.overall["accuracy"]) == ("by_word", "small@1.0.0", 1.0)
    frame = result.by_functionality
    assert list(frame.index) == ["derog_h", "ident_nh"]
    assert list(frame["templates"]) == [8, 8]
    assert set(result.by("target").index) == {"women", "trans people", "disabled people"}
    assert result.answers["score"].tolist().count(0.9) == 24
    with pytest.raises(KeyError, match="'colour' is none of: functionality"):
        result.by("colour")


def test_answers_are_kept_by_fingerprint_and_text(release, tmp_path):
    texts = [case.text for case in release.cases]
    store = AnswerStore(tmp_path, "a" * 64)
    first, second = Recorder(), Recorder()
    assert ask_texts(texts, first, store=store) == ask_texts(texts, second, store=store)
    assert (len(first.asked), second.asked) == (48, [])
    other = Recorder()
    ask_texts(texts, other, store=AnswerStore(tmp_path, "b" * 64))
    assert len(other.asked) == 48
    assert b"dislike" not in store.path.read_bytes()


def test_equal_texts_are_asked_about_once(tmp_path):
    model = Recorder()
    assert list(ask_texts(["a", "b", "a"], model)) == ["a", "b"]
    assert model.asked == ["a", "b"]


def test_a_stopped_evaluation_continues_where_it_was(release, tmp_path):
    texts = [case.text for case in release.cases]
    store = AnswerStore(tmp_path, "a" * 64)
    stopped = Recorder(then=Stopped(), after=20)
    with pytest.raises(Interrupted, match=r"20 of 48 texts are answered and kept.*same command again"):
        ask_texts(texts, stopped, store=store)
    rest = Recorder()
    assert len(ask_texts(texts, rest, store=store)) == 48
    assert len(rest.asked) == 28


def test_a_busy_service_is_waited_for(release):
    model = Recorder(then=RunnerBusy("busy"), after=7)
    assert len(ask_texts([case.text for case in release.cases], model)) == 48


def test_unusable_answers_are_counted_and_asked_again(release, tmp_path):
    def odd(texts):
        return ["nasty" if "women" in text else "non-hateful" for text in texts]

    result = evaluate(release, odd, cache=tmp_path)
    assert result.overall["errors"] == 16
    assert result.errors == {"'nasty' is not a label here; use hateful or non-hateful": 16}
    found = AnswerStore(tmp_path, result.run["fingerprint"]).find([case.text for case in release.cases])
    assert len(found) == 32


def test_a_result_is_read_back_as_it_was_written(release, tmp_path):
    result = evaluate(release, SPEC, name="by word")
    file = tmp_path / "result.json"
    file.write_text(json.dumps(result.as_json()))
    again = read_result(file)
    assert (again.release, again.sha256, again.model) == (result.release, result.sha256, "by word")
    assert again.measures == result.measures
    assert again.overall == result.overall
    assert not compare(again, result).is_worse
    assert "dislike" not in file.read_text()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("no JSON", "not a result of Touchstone, or it is damaged"),
        ('{"release": "x@1", "models": {}}', "holds no answers by case"),
        ('{"format": "touchstone-result/1"}', "damaged"),
    ],
)
def test_a_file_that_is_no_result_is_refused(tmp_path, content, sentence):
    (tmp_path / "file.json").write_text(content)
    with pytest.raises(Refused, match=sentence):
        read_result(tmp_path / "file.json")
    with pytest.raises(Refused, match="cannot be read"):
        read_result(tmp_path / "gone.json")


def test_a_model_that_cannot_be_loaded_is_one_sentence(release):
    with pytest.raises(Refused, match="does not name a model"):
        evaluate(release, "nothing:at all")
    with pytest.raises(Refused, match="cannot be imported"):
        evaluate(release, "python:no_such_module:predict")


def test_a_worse_model_is_told_from_a_better_one(release):
    before, after = evaluate(release, by_word), evaluate(release, never_hateful)
    comparison = compare(before, after)
    assert comparison.is_worse
    assert comparison.worse == ["derog_h"]
    assert len(comparison.broken) == 24
    frame = comparison.by_functionality
    assert frame.loc["derog_h", "difference"] == -1.0
    assert frame.loc["derog_h", "verdict"] == "worse"
    better = compare(after, before)
    assert (better.is_worse, better.better, len(better.fixed)) == (False, ["derog_h"], 24)


def test_a_drop_on_few_templates_fails_only_by_a_stated_limit(release):
    def fails_one(texts):
        return ["non-hateful" if "number 1" in text else ("hateful" if "dislike" in text else "non-hateful")
                for text in texts]  # fmt: skip

    before, after = evaluate(release, by_word), evaluate(release, fails_one)
    assert not compare(before, after).is_worse
    limited = compare(before, after, max_drop=0.1)
    assert limited.worse == ["derog_h"]
    assert "too few templates to tell" in str(limited)


def test_results_on_different_releases_are_not_compared(release):
    one = evaluate(release, by_word)
    other = Result("other@1", "f" * 64, "m", one.labels, one.rows)
    with pytest.raises(Refused, match="different releases"):
        compare(one, other)
    with pytest.raises(Refused, match="no case in common"):
        compare(one, Result("other@1", "", "m", one.labels, ()))


def test_a_model_that_is_told_the_language_is_asked_with_that_of_the_case(tmp_path):
    class Told:
        asks_language = True
        fingerprint = "c" * 64

        def predict(self, texts, *, languages, progress=None, should_stop=None):
            return [Answer(label="hateful" if language == "de" else "non-hateful") for language in languages]

        def describe(self):
            return {}

    store = AnswerStore(tmp_path, Told.fingerprint)
    found = ask_texts(["a", "a"], Told(), languages=["en", "de"], store=store)
    assert {question: answer.label for question, answer in found.items()} == {"en:a": "non-hateful", "de:a": "hateful"}
    assert store.find(["de:a"])["de:a"].label == "hateful"
