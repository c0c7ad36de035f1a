"""Where the installed product finds its own code, and where it keeps data."""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
IS_INSTALLED = (HERE / "app").is_dir()  # in the wheel the apps are in here; in a checkout they are beside this folder
APP_ROOT = HERE / "app" if IS_INSTALLED else HERE.parent
APPS = ("accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui")


def version() -> str:
    """Return the version, which the changelog states."""
    changelog = (APP_ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r"^## \[?(\d+\.\d+\.\d+)", changelog, re.MULTILINE)
    return found[1] if found else "0.0.0"


def make_importable(*, first: bool = False) -> None:
    """Let the apps be imported under their own names.

    A program that uses Touchstone as a library keeps its own modules: ours are looked up last. Refuses with an
    ImportError where one of its modules has the name of an app.
    """
    root = str(APP_ROOT)
    if root not in sys.path:
        sys.path.insert(0 if first else len(sys.path), root)
    import core

    if Path(core.__file__ or "").parent.parent != APP_ROOT:
        raise ImportError(
            f"The module 'core' in {core.__file__} hides the one of Touchstone. Rename it, or import touchstone first."
        )


def data_folder() -> Path:
    """Return the folder for run-time data: TOUCHSTONE_VAR, `var` of a checkout, or the user's own data folder."""
    if named := os.environ.get("TOUCHSTONE_VAR"):
        return Path(named).expanduser()
    if not IS_INSTALLED:
        return APP_ROOT / "var"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "touchstone"
    shared = os.environ.get("XDG_DATA_HOME", "")
    return (Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share") / "touchstone"
