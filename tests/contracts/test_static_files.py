"""Static files as production serves them: every name has a hash, also where one module imports another."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("ui", "accounts", "core", "curation", "generation", "annotation", "evaluation")
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def test_production_collects_all_files_and_our_modules_import_hashed_names(tmp_path):
    environment = {
        **os.environ,
        "TOUCHSTONE_MODE": "production",
        "TOUCHSTONE_VAR": str(tmp_path),
        "SECRET_KEY": "abcdefghijklmnopqrstuvwxyz-0123456789-abcdefghijklmnopqrstuvwxyz",
        "ALLOWED_HOSTS": "touchstone.example.org",
        "DATABASE_URL": f"sqlite:///{tmp_path}/x.sqlite3",
        "BROKER_URL": "redis://127.0.0.1:1/0",
        "STATIC_ROOT": str(tmp_path / "static"),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    paths = json.loads((tmp_path / "static" / "staticfiles.json").read_text())["paths"]
    modules = [name for name in paths.values() if name.startswith(APPS) and name.endswith(".js")]
    imported = [
        (name, address)
        for name in modules
        for address in re.findall(
            r'^import[^"\']*["\'](\.[^"\']+)["\']', (tmp_path / "static" / name).read_text(), re.M
        )
    ]
    assert imported
    assert [pair for pair in imported if not HASHED.search(pair[1])] == []
    assert all((tmp_path / "static" / name).parent.joinpath(address).is_file() for name, address in imported)
