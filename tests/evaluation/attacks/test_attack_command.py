"""`attack run|suite` as a caller of the services: nothing is overwritten unsaid, a suite is made of either source."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from curation.models import Suite
from evaluation.artefacts.services import folder_of
from tests.evaluation.attacks.factories import as_csv, make_attack, make_model

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def sets(tmp_path, capsys) -> Path:
    (tmp_path / "posts.csv").write_bytes(as_csv())
    call_command("attack", "build", "--data", str(tmp_path / "posts.csv"), "--out", str(tmp_path / "sets"), "--json")
    capsys.readouterr()
    return tmp_path / "sets"


def asked(capsys, *arguments: str) -> dict:
    call_command("attack", *arguments, "--json")
    return json.loads(capsys.readouterr().out)


def test_answers_of_a_run_are_replaced_only_where_that_is_said(sets, tmp_path, capsys):
    make_model(tmp_path)
    run = ["run", "--sets", str(sets), "--model", f"linear:{tmp_path / 'Linear'}", "--out", str(tmp_path / "answers")]
    first = asked(capsys, *run)
    with pytest.raises(CommandError, match="has answers already"):
        call_command("attack", *run)
    assert asked(capsys, *run, "--again")["aaa"] == first["aaa"]


def test_scores_are_written_for_a_paper_and_printed_with_what_they_mean(sets, tmp_path, capsys):
    make_model(tmp_path)
    out = tmp_path / "answers"
    call_command("attack", "run", "--sets", str(sets), "--model", f"linear:{tmp_path / 'Linear'}", "--out", str(out))
    told = capsys.readouterr().out
    assert "A score of 60% or more passes" in told
    assert "Corr N→N: Words that occur mostly in abusive training posts" in told
    score = ["attack", "score", "--sets", str(sets), "--answers", str(out), "--document"]
    for name, begins in (("scores.tex", b"% Scores"), ("scores.pdf", b"%PDF-"), ("scores.png", b"\x89PNG")):
        call_command(*score, str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begins)
    with pytest.raises(CommandError, match="no format 'doc'"):
        call_command(*score, str(tmp_path / "scores.doc"))


def test_answers_never_overwrite_the_sets(sets, tmp_path):
    before = {path.name: path.read_bytes() for path in sets.iterdir()}
    run = ["attack", "run", "--sets", str(sets), "--model", "linear:nothing"]
    with pytest.raises(CommandError, match="which the answers would overwrite"):
        call_command(*run, "--out", str(sets), "--again")
    with pytest.raises(CommandError, match="Name a folder for the answers"):
        call_command(*run)
    assert {path.name: path.read_bytes() for path in sets.iterdir()} == before


def test_sets_built_again_without_groups_leave_no_file_of_them(tmp_path, sets, capsys):
    (tmp_path / "groups.txt").write_text("women\nold people\n")
    build = ["build", "--data", str(tmp_path / "posts.csv"), "--out", str(sets)]
    assert "ident_nn" in asked(capsys, *build, "--identifiers", str(tmp_path / "groups.txt"))["sets"]
    asked(capsys, *build)
    assert not (sets / "ident_n_to_n.tsv").exists()


def test_what_is_no_text_or_no_seed_is_refused_in_one_sentence(tmp_path, sets):
    (tmp_path / "groups.txt").write_bytes("français\n".encode("latin-1"))
    build = ["attack", "build", "--data", str(tmp_path / "posts.csv"), "--out", str(tmp_path / "other")]
    with pytest.raises(CommandError, match=r"groups\.txt, row 1: the file is not UTF-8 .*'ç'"):
        call_command(*build, "--identifiers", str(tmp_path / "groups.txt"))
    with pytest.raises(CommandError, match="--seed: Use at least 0"):
        call_command(*build, "--seed", "-1")
    (sets / "f1_o.tsv").write_bytes(b"\xff\t1\n")
    with pytest.raises(CommandError, match=r"f1_o\.tsv, row 1: the file is not UTF-8"):
        call_command("attack", "score", "--sets", str(sets), "--answers", str(sets))


def test_sets_of_a_folder_become_a_suite(sets, capsys):
    assert asked(capsys, "suite", "--sets", str(sets), "--key", "mild", "--sample", "3") == {
        "suite": "mild",
        "cases": 12,
    }
    suite = Suite.objects.get(key="mild")
    assert suite.name == "Attack on posts.csv, seed 1"
    assert suite.raters == 3
    assert {case.origin for case in suite.cases.all()} == {"attack"}


def test_a_stored_attack_becomes_a_suite(mira, capsys):
    attack = make_attack(mira)
    asked(capsys, "suite", "--attack", attack.key, "--key", "mild", "--name", "Mild", "--sample", "2")
    suite = attack.suites.get()
    assert (suite.key, suite.name, suite.cases.count()) == ("mild", "Mild", 8)
    call_command("attack", "suite", "--sets", str(folder_of(attack)), "--key", "twin", "--sample", "2")
    assert "8 cases in the suite twin" in capsys.readouterr().out
    texts = [
        set(found.cases.values_list("text", flat=True)) for found in Suite.objects.filter(key__in=["mild", "twin"])
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--attack", "attack-nothing", "--key", "new"], "There is no attack 'attack-nothing'"),
        (["--sets", "nowhere", "--key", "new"], "There is no folder nowhere"),
        (["--sets", "{sets}", "--key", "Not a key!"], "cannot be the key of a suite"),
        (["--sets", "{sets}", "--key", "taken"], "There is a suite 'taken' already"),
        (["--sets", "{sets}", "--key", "new", "--sample", "0"], "--sample: Use at least 1"),
        (["--sets", "{bare}", "--key", "new"], r"has no attack\.json"),
        (["--sets", "{broken}", "--key", "new"], r"attack\.json cannot be read"),
    ],
)
def test_what_cannot_become_a_suite_is_refused_in_one_sentence(sets, tmp_path, arguments, said):
    Suite.objects.create(key="taken", name="Taken")
    places = {"sets": sets, "bare": tmp_path / "bare", "broken": tmp_path / "broken"}
    for name in ("bare", "broken"):
        places[name].mkdir()
        (places[name] / "f1_o.tsv").write_bytes((sets / "f1_o.tsv").read_bytes())
    (places["broken"] / "attack.json").write_text("{")
    with pytest.raises(CommandError, match=said):
        call_command("attack", "suite", *(argument.format(**places) for argument in arguments))
    assert Suite.objects.count() == 1
