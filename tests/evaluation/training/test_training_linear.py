import json

import pytest

from evaluation.runners import LabelsUnclear, ModelUnusable, NotAllowed, RunnerSettings, Stopped, load_runner
from evaluation.training.algorithm.cleaning import Cleaning
from evaluation.training.algorithm.linear import fit_linear, load_linear, save_linear, train_linear, train_linear_folder
from evaluation.training.algorithm.rows import LabelledRow

SETTINGS = RunnerSettings()
GOOD, BAD = ["kind", "lovely", "nice", "warm"], ["nasty", "awful", "vile", "rotten"]


def rows(*labels: str) -> list[LabelledRow]:
    words = dict(zip(labels, [BAD, GOOD, ["plain", "table", "chair", "door"]], strict=False))
    return [
        LabelledRow(f"they are {one} and {two} people {number}", label)
        for label in labels
        for number in range(3)
        for one in words[label]
        for two in words[label]
    ]


@pytest.fixture(scope="module", params=["logistic", "svm"])
def trained(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("linear")
    model, scores = train_linear(rows("hateful", "non-hateful"), kind=request.param)
    save_linear(model, folder)
    return folder, model, scores


def test_separable_texts_are_learnt(trained):
    _, _, scores = trained
    assert scores["macro_f1"] == 1.0
    assert set(scores["f1_by_class"]) == {"hateful", "non-hateful"}


def test_a_saved_model_answers_exactly_as_before(trained):
    folder, model, _ = trained
    texts = ["vile people", "warm people", "", "unseen words", "#VileThings @you"]
    assert load_linear(folder).shares(texts) == model.shares(texts)


def test_nothing_in_the_folder_is_a_pickle(trained):
    folder, _, _ = trained
    assert sorted(path.name for path in folder.iterdir()) == ["linear.json", "linear.npz"]
    import numpy as np

    with np.load(folder / "linear.npz", allow_pickle=False) as arrays:
        assert set(arrays) == {"idf", "coefficients", "intercepts"}


def test_the_shares_of_logistic_regression_are_those_of_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    from evaluation.training.algorithm.cleaning import clean
    from evaluation.training.algorithm.rows import split_stratified

    for labels in (("hateful", "non-hateful"), ("hate", "neither", "offensive")):
        data = rows(*labels)
        model, _ = train_linear(data)
        split = split_stratified([row.label for row in data], seed=0)
        training = [data[position] for position in (*split.train, *split.validation)]
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        matrix = vectorizer.fit_transform([clean(row.text) for row in training])
        peer = LogisticRegression(class_weight="balanced", max_iter=1000).fit(matrix, [row.label for row in training])
        texts = ["vile and awful people", "warm door"]
        expected = peer.predict_proba(vectorizer.transform(texts))
        for row, shares in zip(expected, model.shares(texts), strict=True):
            assert list(shares.values()) == pytest.approx(list(row), abs=1e-6)


def test_it_runs_as_a_model(trained):
    folder, _, _ = trained
    runner = load_runner(f"linear:{folder}", settings=SETTINGS)
    bad, good = runner.predict(["vile and rotten people", "lovely and kind people"])
    assert (bad.label, good.label) == ("hateful", "non-hateful")
    assert (bad.score or 0) > 0.5 > (good.score or 1)
    assert runner.describe()["content_hash"]
    with pytest.raises(Stopped) as caught:
        runner.predict(["a"], should_stop=lambda: True)
    assert caught.value.answers == [None]


def test_a_threshold_moves_the_cut(trained):
    folder, _, _ = trained
    spec = {"kind": "linear", "model": str(folder), "threshold": 0.0}
    assert load_runner(spec, settings=SETTINGS).predict(["lovely people"])[0].label == "hateful"


def test_offensive_is_not_hateful_in_a_three_way_model(tmp_path):
    model, _ = train_linear(rows("hate", "neither", "offensive"))
    save_linear(model, tmp_path)
    assert load_runner(f"linear:{tmp_path}", settings=SETTINGS).predict(["plain door"])[0].label == "non-hateful"


def test_classes_that_do_not_tell_need_a_mapping(tmp_path):
    model, _ = train_linear(rows("0", "1"))
    save_linear(model, tmp_path)
    with pytest.raises(LabelsUnclear):
        load_runner(f"linear:{tmp_path}", settings=SETTINGS)


@pytest.mark.parametrize("damage", ["missing", "format", "vocabulary", "arrays"])
def test_a_damaged_folder_is_refused(trained, tmp_path, damage):
    folder, _, _ = trained
    facts = json.loads((folder / "linear.json").read_text())
    arrays = (folder / "linear.npz").read_bytes()
    if damage == "format":
        facts["format"] = 99
    if damage == "vocabulary":
        facts["vocabulary"].pop()
    if damage == "arrays":
        arrays = b"no zip file"
    if damage != "missing":
        (tmp_path / "linear.json").write_text(json.dumps(facts))
        (tmp_path / "linear.npz").write_bytes(arrays)
    with pytest.raises(ModelUnusable):
        load_runner(f"linear:{tmp_path}", settings=SETTINGS)


def test_a_folder_outside_the_permitted_ones_is_refused(trained, tmp_path):
    folder, _, _ = trained
    with pytest.raises(NotAllowed):
        load_runner(f"linear:{folder}", settings=RunnerSettings(model_roots=(tmp_path,)))


def test_one_class_cannot_be_learnt():
    with pytest.raises(ValueError, match="at least two classes"):
        train_linear([LabelledRow("a", "x")] * 10)


def test_the_data_s_own_test_part_is_never_trained_on():
    seen = [LabelledRow(row.text, row.label, "train") for row in rows("hateful", "non-hateful")]
    unseen = [LabelledRow(f"only here {number}", "hateful", "test") for number in range(50)]
    model, scores = train_linear([*seen, *unseen], as_published=True)
    assert "only" not in model.vectorizer.vocabulary_
    assert "nasty" in model.vectorizer.vocabulary_
    assert scores["f1_by_class"]["hateful"] < 1


def test_own_parts_are_refused_where_the_data_has_none():
    with pytest.raises(ValueError, match="no published split"):
        train_linear(rows("hateful", "non-hateful"), as_published=True)


def test_fitting_uses_every_row():
    data = [*rows("hateful", "non-hateful"), LabelledRow("solitary", "hateful")]
    assert "solitary" in fit_linear(data).vectorizer.vocabulary_


def test_the_folder_holds_a_card_with_the_held_out_scores(tmp_path):
    data = rows("hateful", "non-hateful")
    facts = {"solver": "svm", "seed": 3, "cleaning": Cleaning(), "data_name": "made-up rows"}
    metrics = train_linear_folder(data, tmp_path / "model", **facts)
    card = (tmp_path / "model" / "README.md").read_text()
    assert "made-up rows" in card
    assert "TF-IDF, svm" in card
    assert f"macro F1 **{metrics['test']['macro_f1']:.3f}**" in card
