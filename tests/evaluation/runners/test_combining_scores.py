"""Several scores of a service become one answer."""

import pytest
from hypothesis import given
from hypothesis.strategies import floats

from evaluation.runners import RunnerSettings, allow_hosts, load_runner
from evaluation.runners.cutting import Cuts, aligned
from tests.evaluation.stub_server import Reply, server

SHARES = floats(0, 1)


@given(SHARES, SHARES, floats(0.01, 1))
def test_scores_keep_their_order_and_their_side_on_the_common_scale(one, other, threshold):
    assert (one >= threshold) == (aligned(one, threshold) >= 0.5)
    if one <= other:
        assert aligned(one, threshold) <= aligned(other, threshold) <= 1


def test_the_highest_score_counts():
    cuts = Cuts(threshold=0.5)
    assert cuts.judge({"hate": 0.2, "threat": 0.7}).is_positive
    assert cuts.judge({"hate": 0.2, "threat": 0.7}).share == 0.7


def test_any_score_at_its_own_threshold_counts():
    cuts = Cuts(threshold=0.5, rule="any", by_output={"threat": 0.9})
    assert not cuts.judge({"hate": 0.4, "threat": 0.8}).is_positive
    assert cuts.judge({"hate": 0.4, "threat": 0.9}).share == 0.5
    assert cuts.judge({"hate": 0.5, "threat": 0.1}).is_positive
    assert cuts.kept_threshold == 0.5


def test_a_weighted_mean_counts():
    cuts = Cuts(threshold=0.5, rule="weighted", weights={"hate": 3, "threat": 1})
    cut = cuts.judge({"hate": 0.6, "threat": 0.1})
    assert (cut.is_positive, cut.share) == (False, pytest.approx(0.475))


def test_a_language_has_its_own_threshold_and_its_varieties_share_it():
    cuts = Cuts(threshold=0.5, by_language={"pt": 0.8})
    assert [cuts.judge({"score": 0.7}, language).is_positive for language in ("en", "pt", "pt-BR")] == [
        True,
        False,
        False,
    ]
    assert cuts.judge({"score": 0.8}, "pt-BR").share == cuts.judge({"score": 0.5}, "en").share == 0.5


def test_a_scale_makes_shares_of_what_a_service_scores():
    cuts = Cuts(threshold=2, scale=7)
    assert (cuts.judge({"score": 2}).is_positive, cuts.judge({"score": 7}).share) == (True, 1.0)
    assert cuts.kept_threshold == pytest.approx(2 / 7)


def several(url: str, **options: object):
    spec = {
        "kind": "http",
        "url": url,
        "body": {"text": "{text}"},
        "answer": {"scores": {"hate": "s.hate", "threat": "s.threat"}},
        "threshold": 0.5,
        **options,
    }
    return load_runner(spec, settings=RunnerSettings(allow_url=allow_hosts(["127.0.0.1"])))


def test_a_service_with_several_scores_is_read_by_the_rule_of_its_description():
    with server(lambda n, body: Reply(body={"s": {"hate": 0.6, "threat": 0.1}})) as (url, _):
        highest, mean = several(url), several(url, combine={"rule": "weighted", "weights": {"hate": 1, "threat": 1}})
        assert highest.predict(["a"])[0].label == "hateful"
        assert mean.predict(["a"])[0].label == "non-hateful"
        assert highest.fingerprint != mean.fingerprint


def test_the_threshold_follows_the_language_of_the_text():
    with server(lambda n, body: Reply(body={"s": {"hate": 0.6, "threat": 0.1}})) as (url, _):
        runner = several(url, language_thresholds={"de": 0.7})
        assert runner.asks_language
        labels = [answer.label for answer in runner.predict(["a", "b"], languages=["en", "de"])]
    assert labels == ["hateful", "non-hateful"]
    assert runner.describe()["threshold"] == 0.5


def test_a_score_that_is_missing_is_an_error_of_the_text():
    with server(lambda n, body: Reply(body={"s": {"hate": 0.6}})) as (url, _):
        (answer,) = several(url).predict(["a"])
    assert "no key 'threat'" in (answer.error or "")


@pytest.mark.parametrize(("said", "label"), [(True, "hateful"), (False, "non-hateful")])
def test_a_service_that_answers_true_or_false_needs_no_words(said, label):
    with server(lambda n, body: Reply(body={"flagged": said})) as (url, _):
        (by_score,) = several(url, answer={"score": "flagged"}).predict(["a"])
        words = {"answer": {"label": "flagged"}, "labels": {True: "hateful", False: "non-hateful"}, "threshold": None}
        (by_word,) = several(url, **words).predict(["a"])
    assert (by_score.label, by_score.score, by_word.label) == (label, None, label)
