"""Which commit the running code is, read from the checkout itself: a worker may have no git."""

import re
from functools import lru_cache
from pathlib import Path

COMMIT = re.compile(r"[0-9a-f]{40,64}")


@lru_cache(maxsize=4)
def commit_of(checkout: Path) -> str:
    """The commit that is checked out in a folder; empty where it is no checkout.

    Asked once per process: what was loaded at the start is what runs.
    """
    git = checkout / ".git"
    try:
        if git.is_file():  # a further worktree of the repository
            git = checkout / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return head if COMMIT.fullmatch(head) else ""
        return _find(git, head.removeprefix("ref:").strip())
    except (OSError, UnicodeDecodeError):
        return ""


def _find(git: Path, branch: str) -> str:
    common = git / "commondir"
    folders = [git, git / common.read_text(encoding="utf-8").strip()] if common.is_file() else [git]
    for folder in folders:
        if (folder / branch).is_file():
            found = (folder / branch).read_text(encoding="utf-8").strip()
            return found if COMMIT.fullmatch(found) else ""
        packed = folder / "packed-refs"
        for line in packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else ():
            if line.endswith(f" {branch}"):
                return line.split()[0]
    return ""
