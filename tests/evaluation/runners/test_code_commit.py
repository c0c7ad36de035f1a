"""The commit of a checkout, without git."""

import pytest

from evaluation.runners.code_commit import commit_of

ONE, OTHER = "1" * 40, "2" * 40


@pytest.fixture
def git(tmp_path):
    commit_of.cache_clear()
    folder = tmp_path / ".git"
    (folder / "refs" / "heads").mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def test_the_commit_of_a_branch_is_found(git):
    (git / "refs" / "heads" / "main").write_text(f"{ONE}\n")
    assert commit_of(git.parent) == ONE


def test_a_packed_branch_is_found(git):
    (git / "packed-refs").write_text(f"# pack-refs\n{OTHER} refs/heads/other\n{ONE} refs/heads/main\n")
    assert commit_of(git.parent) == ONE


def test_a_commit_without_a_branch_is_found(git):
    (git / "HEAD").write_text(f"{ONE}\n")
    assert commit_of(git.parent) == ONE


def test_a_second_worktree_has_its_own_commit(git, tmp_path):
    (git / "refs" / "heads" / "other").write_text(OTHER)
    beside = git / "worktrees" / "beside"
    beside.mkdir(parents=True)
    (beside / "HEAD").write_text("ref: refs/heads/other\n")
    (beside / "commondir").write_text("../..\n")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {beside}\n")
    assert commit_of(tree) == OTHER


@pytest.mark.parametrize("head", ["nonsense", "ref: refs/heads/nowhere", ""])
def test_a_folder_that_says_nothing_has_no_commit(git, head):
    (git / "HEAD").write_text(head)
    assert commit_of(git.parent) == ""


def test_a_folder_that_is_no_checkout_has_no_commit(tmp_path):
    assert commit_of(tmp_path) == ""
