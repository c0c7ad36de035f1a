"""GPT-HateCheck from a user's own copy: found, checked by hash, numbered as published."""

import hashlib

import pytest

from curation.formats.gpt_hatecheck import read_gpt_hatecheck

HEADER = "message,functionality,hate_label,nli_identity,nli_f2_neg_attr,nli_pass_test\n"
ROWS = (
    "Women run the bakery.,F19: Positive statements using protected group identifier,0,1,-1,1\n"
    "Women are late, again.,F1: Expression of strong negative emotions (explicit),1,1,-1,0\n"
    "The oven is useless.,F22: Abuse targeted at objects,0,0,-1,1\n"
)
CELLS = ROWS.replace("Women are late, again.", '"Women are late, again."')


@pytest.fixture
def copy(tmp_path):
    (tmp_path / "dataset_women.csv").write_text(HEADER + CELLS, encoding="utf-8")
    return tmp_path


def list_of(*messages: str) -> str:
    rows = (
        f"women-{number:04d},{hashlib.sha256(text.encode()).hexdigest()}" for number, text in enumerate(messages, 7)
    )
    return "case_id,message_sha256\n" + "\n".join(rows) + "\n"


def test_messages_that_passed_are_read_with_group_label_and_answers(copy):
    values = read_gpt_hatecheck(copy)
    bakery, oven = values.cases
    assert (bakery.key, bakery.functionality, bakery.label) == ("women-0001", "ident_pos_nh", "non-hateful")
    assert (bakery.text, bakery.target, bakery.language) == ("Women run the bakery.", "women", "en")
    assert bakery.extra == (("nli_identity", "1"), ("nli_pass_test", "1"))
    assert (oven.key, oven.target) == ("women-0003", "")
    assert [problem.severity for problem in values.problems] == ["warning"]
    assert "1 message did not pass" in values.problems[0].problem


def test_without_the_authors_verdict_all_messages_are_read(tmp_path):
    (tmp_path / "dataset_gays.csv").write_text(
        "message,functionality,hate_label\nA kind word.,F19: Positive statements,0\nAnother one.,F18: Neutral,0\n"
    )
    values = read_gpt_hatecheck(tmp_path / "dataset_gays.csv")
    assert [(case.key, case.target) for case in values.cases] == [
        ("gays-0001", "gay people"),
        ("gays-0002", "gay people"),
    ]
    assert values.problems == []


def test_the_files_are_found_below_a_copy_of_the_repository_those_with_verdicts_first(copy, tmp_path):
    for place, text in {"nli_hypothesis_test/output": HEADER + CELLS, "datasets/gpt3.5-generated": "x\n"}.items():
        folder = tmp_path / "repository" / place
        folder.mkdir(parents=True)
        (folder / "dataset_black people.csv").write_text(text)
    values = read_gpt_hatecheck(tmp_path / "repository")
    assert [case.key for case in values.cases] == ["black-0001", "black-0003"]
    assert values.cases[0].target == "black people"


def test_a_list_of_hashes_gives_the_identifiers_and_refuses_a_changed_message(copy):
    texts = ["The oven is useless.", "Women are late, again.", "Women run the bakery."]
    (copy / "cases_without_text.csv").write_text(list_of(*texts))
    assert [case.key for case in read_gpt_hatecheck(copy).cases] == ["women-0009", "women-0007"]
    (copy / "cases_without_text.csv").write_text(list_of(*texts[:2]))
    (problem,) = [problem for problem in read_gpt_hatecheck(copy).problems if problem.severity == "error"]
    assert (problem.file, problem.row, problem.column) == ("dataset_women.csv", 2, "message")
    assert "SHA-256" in problem.problem


def test_a_message_that_occurs_twice_is_read_once_and_does_not_move_the_numbers(tmp_path):
    (tmp_path / "dataset_trans.csv").write_text(
        "message,functionality,hate_label\nOne.,F19: x,0\nOne.,F19: x,0\nTwo.,F19: x,0\n"
    )
    values = read_gpt_hatecheck(tmp_path)
    assert [case.key for case in values.cases] == ["trans-0001", "trans-0002"]
    assert "also in row 2" in values.problems[0].problem


@pytest.mark.parametrize(
    ("row", "column", "says"),
    [
        ("One.,F99: unknown,0", "functionality", "'F99: unknown' is not known"),
        ("One.,nonsense,0", "functionality", "'nonsense' is not known"),
        ("One.,F19: x,maybe", "hate_label", "'maybe' is not known"),
        ('"  ",F19: x,0', "message", "the message is empty"),
    ],
)
def test_a_row_that_cannot_be_read_is_located(tmp_path, row, column, says):
    (tmp_path / "dataset_women.csv").write_text(f"message,functionality,hate_label\n{row}\n")
    values = read_gpt_hatecheck(tmp_path)
    assert values.cases == []
    assert (values.problems[0].row, values.problems[0].column) == (2, column)
    assert says in values.problems[0].problem


def test_a_folder_without_the_files_says_what_to_do(tmp_path):
    (problem,) = read_gpt_hatecheck(tmp_path).problems
    assert "dataset_women.csv" in problem.fix
