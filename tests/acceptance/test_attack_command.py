"""`attack build|run|score` on Davidson's data: no database row, the same bytes for a seed, scores of a real model."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.attacks.algorithm.exchange import FILE_NAMES
from evaluation.datasets.files.reading import read_labelled
from evaluation.training.algorithm.linear import save_linear, train_linear
from evaluation.training.algorithm.rows import LabelledRow

SIX = [name for name in FILE_NAMES if name != "ident_nn"]


def ask(capsys, *arguments: str) -> dict:
    call_command("attack", *arguments, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def davidson(shared_data: Path) -> Path:
    return shared_data / "aaa" / "davidson.csv"


@pytest.fixture(scope="module")
def recipe(davidson, shared_data) -> list[str]:
    lexicon = shared_data / "aaa" / "hurtlex_EN_1.2.tsv"
    return ["build", "--data", str(davidson), "--abusive", "0", "1", "--lexicon", str(lexicon)]


@pytest.fixture(scope="module")
def sets(tmp_path_factory, recipe) -> Path:
    out = tmp_path_factory.mktemp("sets")
    call_command("attack", *recipe, "--out", str(out), "--seed", "7")
    return out


@pytest.fixture(scope="module")
def model(tmp_path_factory, davidson) -> Path:
    train = read_labelled(davidson, label_map={"0": "hateful", "1": "hateful", "2": "non-hateful"}).data.part("train")
    rows = [LabelledRow(text, label) for text, label in zip(train.texts[:6000], train.labels[:6000], strict=True)]
    folder = tmp_path_factory.mktemp("model")
    save_linear(train_linear(rows, kind="svm")[0], folder)
    return folder


def test_six_files_and_a_manifest_are_written(sets):
    assert {path.name for path in sets.iterdir()} == {FILE_NAMES[name] for name in SIX} | {"attack.json"}
    manifest = json.loads((sets / "attack.json").read_text())
    assert manifest["seed"] == 7
    assert {name: entry["posts"] for name, entry in manifest["sets"].items()} == {
        "original": 2479, "hashtag_check": 2479, "quo": 2062, "corr_nn": 417, "corr_aa": 2062, "flip": 417,
    }  # fmt: skip


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(sets, recipe, tmp_path):
    call_command("attack", *recipe, "--out", str(tmp_path / "again"), "--seed", "7")
    call_command("attack", *recipe, "--out", str(tmp_path / "other"), "--seed", "8")
    for path in sets.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    name = FILE_NAMES["corr_nn"]
    assert (tmp_path / "other" / name).read_bytes() != (sets / name).read_bytes()


def test_a_model_is_asked_and_its_answer_files_give_the_same_scores(sets, model, tmp_path, capsys):
    run = ask(capsys, "run", "--sets", str(sets), "--model", f"linear:{model}", "--out", str(tmp_path))
    score = ask(capsys, "score", "--sets", str(sets), "--answers", str(tmp_path))
    assert score["attacks"] == run["attacks"]
    assert score["aaa"] == run["aaa"]
    assert score["f1"] > 0.85
    assert score["attacks"]["quo"]["rate"] < 0.3  # quoted abuse fools a bag of words, as in the paper
    low, high = score["attacks"]["quo"]["ci95"]
    assert low < score["attacks"]["quo"]["rate"] < high
    assert score["attacks"]["quo"]["passes"] is False
    assert score["hashtag_check"]["ignores_hashtags"] in (True, False)


def test_a_model_that_drops_hashtags_gets_nothing_for_corr_unless_it_is_only_warned(sets, tmp_path, capsys):
    for name in SIX:
        lines = (sets / FILE_NAMES[name]).read_text(encoding="utf-8").split("\n")[:-1]
        answers = [f"{line}\t{0 if name == 'hashtag_check' else line[-1]}\n" for line in lines]
        (tmp_path / FILE_NAMES[name]).write_text("".join(answers), encoding="utf-8")
    strict = ask(capsys, "score", "--sets", str(sets), "--answers", str(tmp_path))
    mild = ask(capsys, "score", "--sets", str(sets), "--answers", str(tmp_path), "--policy", "warn")
    assert [strict["attacks"][name]["score"] for name in ("corr_nn", "corr_aa")] == [0.0, 0.0]
    assert strict["attacks"]["corr_nn"]["rate"] == 1.0
    assert strict["aaa"] == 0.0
    assert mild["aaa"] == 1.0
    assert "ignores hashtags" in mild["notes"][0]


def test_a_wrong_answer_line_is_named(sets, tmp_path):
    name = FILE_NAMES["quo"]
    lines = (sets / name).read_text(encoding="utf-8").split("\n")[:-1]
    (tmp_path / name).write_text("".join(f"{line}\tmaybe\n" for line in lines), encoding="utf-8")
    with pytest.raises(CommandError, match=rf"{name}, row 1, column 'prediction': The prediction is 'maybe'"):
        call_command("attack", "score", "--sets", str(sets), "--answers", str(tmp_path))


def test_what_is_abusive_is_never_guessed_among_three_labels(davidson, tmp_path):
    with pytest.raises(CommandError, match=r"not clear which labels mean abuse\. The labels are: 0, 1, 2"):
        call_command("attack", "build", "--data", str(davidson), "--out", str(tmp_path))


def test_a_changed_set_is_refused(sets, tmp_path):
    for path in sets.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    changed = tmp_path / FILE_NAMES["flip"]
    changed.write_bytes(b"x" + changed.read_bytes())
    with pytest.raises(CommandError, match="has changed since it was built"):
        call_command("attack", "score", "--sets", str(tmp_path), "--answers", str(tmp_path))


def test_the_number_of_hashtags_is_a_choice(tmp_path, capsys):
    posts = [(f"all these {word} songs", label) for word, label in (("lousy", "abusive"), ("sunny", "fine"))]
    lines = [f"{text} {part} {number},{label},{part}" for number in range(6) for text, label in posts
             for part in ("train", "test")]  # fmt: skip
    (tmp_path / "posts.csv").write_text("\n".join(["text,label,split", *lines]) + "\n")
    told = ask(
        capsys, "build", "--data", str(tmp_path / "posts.csv"), "--out", str(tmp_path / "sets"),
        "--fewest-hashtags", "2", "--most-hashtags", "2", "--rules", "tool",
    )  # fmt: skip
    assert told["parameters"]["hashtags"] == [2, 2]
    sets = (tmp_path / "sets" / FILE_NAMES["corr_aa"]).read_text().splitlines()
    assert {line.count("#") for line in sets} == {2}
