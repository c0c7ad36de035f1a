"""False alarms on real predictions: where two models are exchanged template by template, neither is better."""

import csv

import numpy as np
import pytest

from core.statistics.shares import Share, effective_cases
from core.statistics.significance import holm, mcnemar_exact, sign_flip_p

REPETITIONS = 400


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def counts(shared_data):
    """By functionality: for each template how many cases only B-D gets right, and only B-F."""
    cases = {case["case_id"]: case for case in read(shared_data / "hatecheck" / "all_cases.csv")}
    found: dict[str, dict[str, list[int]]] = {}
    for said in read(shared_data / "hatecheck" / "model_predictions.csv"):
        case = cases[said["case_id"]]
        only = found.setdefault(case["functionality"], {}).setdefault(case["templ_id"], [0, 0])
        right = [said[model] == case["label_gold"] for model in ("B-D", "B-F")]
        only[0] += right[0] and not right[1]
        only[1] += right[1] and not right[0]
    return {key: np.asarray(list(templates.values())) for key, templates in found.items()}


def exchanged(only, generator):
    """The same with the two models exchanged in about half of the templates."""
    swap = generator.random(len(only)) < 0.5
    return np.where(swap[:, None], only[:, ::-1], only)


def has_alarm(p_values):
    """Whether any functionality is called significantly different after Holm's correction."""
    return min(holm({key: p for key, p in p_values.items() if p is not None}).values()) < 0.05


def test_models_that_do_not_differ_are_rarely_called_different(counts):
    generator = np.random.default_rng(20211)
    alarms, alarms_of_mcnemar = [], []
    for _ in range(REPETITIONS):
        drawn = {key: exchanged(only, generator) for key, only in counts.items()}
        alarms.append(has_alarm({key: sign_flip_p(only[:, 0] - only[:, 1]) for key, only in drawn.items()}))
        alarms_of_mcnemar.append(has_alarm({key: mcnemar_exact(*only.sum(axis=0)) for key, only in drawn.items()}))
    assert np.mean(alarms) <= 0.06
    assert np.mean(alarms_of_mcnemar) > 0.25  # why cases are not the unit


def test_the_overall_verdict_is_rarely_a_false_alarm(counts):
    generator = np.random.default_rng(20212)
    together = np.concatenate(list(counts.values()))
    alarms = [
        sign_flip_p(only[:, 0] - only[:, 1]) < 0.05
        for only in (exchanged(together, generator) for _ in range(REPETITIONS))
    ]
    assert np.mean(alarms) <= 0.075  # 5% and two standard errors of 400 repetitions


@pytest.fixture(scope="module")
def answers(shared_data):
    """By model and functionality: right answers and cases of each template."""
    cases = {case["case_id"]: case for case in read(shared_data / "hatecheck" / "all_cases.csv")}
    found: dict[tuple[str, str], dict[str, list[int]]] = {}
    for said in read(shared_data / "hatecheck" / "model_predictions.csv"):
        case = cases[said["case_id"]]
        for model in ("B-D", "B-F"):
            counted = found.setdefault((model, case["functionality"]), {}).setdefault(case["templ_id"], [0, 0])
            counted[0] += said[model] == case["label_gold"]
            counted[1] += 1
    return {key: np.asarray(list(templates.values()), dtype=float) for key, templates in found.items()}


def test_intervals_cover_on_the_clustering_that_real_models_show(answers):
    """The templates of a functionality are the population; as many are drawn from them, again and again."""
    generator = np.random.default_rng(20213)
    coverage = {}
    for key, templates in answers.items():
        truth = templates[:, 0].sum() / templates[:, 1].sum()
        covered = 0
        for _ in range(300):
            right, cases = templates[generator.integers(len(templates), size=len(templates))].T
            share = Share(int(right.sum()), int(cases.sum()), len(cases), effective_cases(right, cases))
            covered += share.interval[0] - 1e-9 <= truth <= share.interval[1] + 1e-9
        coverage[key] = covered / 300
    assert len(coverage) == 58
    shares = np.asarray(list(coverage.values()))
    assert shares.mean() >= 0.95
    # The rest: lone cases, where Wilson's interval itself dips to 92%, and counter_ref_nh, where the only large
    # templates are the only ones that are right, so that a draw without them cannot know.
    assert np.mean(shares >= 0.93) >= 0.93
    assert shares.min() >= 0.85
