"""Models are compared with what annotators said, not only with the majority."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import log_loss

from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.report import measure
from evaluation.metrics.soft_labels import cross_entropy, jensen_shannon, soft_labels
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model

LABELS = ["hateful", "non-hateful"]
SHARE = some.floats(0, 1, allow_subnormal=False)


def row(number: int, score: float | None, votes: float | None, **facts) -> Row:
    said = "hateful" if (score or 0) >= 0.5 else "non-hateful"
    facts = {"functionality": "f", "template": str(number), **facts}
    return Row(str(number), "hateful", facts.pop("predicted", said), score=score, votes=votes, **facts)


def measured(rows: list[Row]) -> dict:
    return soft_labels(Columns.of(rows, labels=LABELS), positive="hateful")


@given(SHARE, SHARE)
def test_the_divergence_is_that_of_scipy(votes, said):
    theirs = jensenshannon([votes, 1 - votes], [said, 1 - said], base=2) ** 2
    assert jensen_shannon(np.array([votes]), np.array([said]))[0] == pytest.approx(theirs, abs=1e-7)


@given(SHARE, SHARE)
def test_the_divergence_lies_between_0_and_1_and_is_symmetric(votes, said):
    [there] = jensen_shannon(np.array([votes]), np.array([said]))
    [back] = jensen_shannon(np.array([said]), np.array([votes]))
    assert -1e-9 <= there <= 1 + 1e-9
    assert there == pytest.approx(back, abs=1e-9)


def test_cross_entropy_against_certain_votes_is_the_log_loss_of_scikit_learn():
    votes, said = np.array([1.0, 0.0, 1.0, 0.0]), np.array([0.9, 0.2, 0.4, 0.7])
    assert cross_entropy(votes, said).mean() == pytest.approx(log_loss(votes, said))


def test_a_model_that_says_what_annotators_say_reaches_the_lowest_values():
    found = measured([row(number, share, share) for number, share in enumerate([0.2, 0.4, 0.6, 0.8, 1.0])])["overall"]
    assert found["jensen_shannon"] == pytest.approx(0, abs=1e-9)
    assert found["cross_entropy"] == pytest.approx(found["entropy"])
    sure = measured([row(number, 1.0, share) for number, share in enumerate([0.2, 0.4, 0.6, 0.8, 1.0])])["overall"]
    assert sure["cross_entropy"] > found["cross_entropy"]


def test_without_scores_a_label_counts_as_certain_and_cross_entropy_is_undefined():
    found = measured([row(1, None, 0.6, predicted="hateful"), row(2, None, 0.0, predicted="non-hateful")])["overall"]
    assert found["cross_entropy"] is None
    assert found["entropy"] is None
    assert found["jensen_shannon"] == pytest.approx((jensen_shannon(np.array([0.6]), np.array([1.0]))[0]) / 2)


def test_cases_without_labels_or_answer_are_left_out_and_nothing_is_none():
    found = measured([row(1, 0.9, 0.8), row(2, 0.9, None), row(3, None, 0.8, predicted=None)])
    assert found["overall"]["n"] == 1
    empty = measured([row(1, 0.9, None)])
    assert empty["overall"] is None
    assert empty["reason"]


def test_intervals_count_templates_and_few_templates_have_none():
    one = [row(number, 0.9, 0.6, template="same") for number in range(20)]
    assert measured(one)["overall"]["jensen_shannon_ci95"] is None
    random = np.random.default_rng(3)
    many = [row(number, score, 0.6) for number, score in enumerate(random.uniform(0, 1, 40))]
    low, high = measured(many)["overall"]["jensen_shannon_ci95"]
    assert low < measured(many)["overall"]["jensen_shannon"] < high
    twice = [row(number, one.score, 0.6, template=one.template) for number, one in enumerate([*many, *many])]
    assert measured(twice)["overall"]["jensen_shannon_ci95"] == pytest.approx([low, high])


def test_it_is_measured_by_functionality_and_group():
    rows = [
        row(1, 0.9, 0.8, functionality="a", targets=("women",), is_identity_template=True),
        row(2, 0.1, 0.8, functionality="b"),
    ]
    found = measure(rows, labels=LABELS, positive="hateful")["soft_labels"]
    assert found["by_functionality"]["a"]["jensen_shannon"] < found["by_functionality"]["b"]["jensen_shannon"]
    assert found["by_target"]["women"]["n"] == 1


@pytest.mark.django_db
def test_a_run_is_measured_against_the_labels_of_the_release(mira, settings, client):
    allow_models(settings)
    release = make_release(make_suite(by=mira), by=mira, policy="mark")
    run = run_model(release, "always_hateful", name="Always", by=mira)
    found = run.report.values["soft_labels"]["overall"]
    assert found["n"] == release.cases.count()
    assert 0 < found["jensen_shannon"] < 1
    client.force_login(mira)
    page = client.get(f"{run.get_absolute_url()}?tab=scores").content.decode()
    assert "Against the labels of annotators" in page
