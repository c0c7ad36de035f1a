"""The web process starts light: what computes is imported where it computes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = ["torch", "transformers", "pandas", "statsmodels", "altair", "sklearn", "umap", "pyarrow", "datasets", "scipy"]
LOOK = "import json, sys; print(json.dumps(sorted(name for name in sys.modules if '.' not in name)))"


@pytest.mark.parametrize(
    "start",
    [
        "import django; django.setup(); import config.urls",
        "import config.wsgi; from django.urls import get_resolver; get_resolver().reverse_dict",
        "import django; django.setup(); import config.celery; config.celery.app.loader.import_default_modules()",
    ],
    ids=["pages and API", "web server", "worker"],
)
def test_nothing_heavy_is_imported_at_the_start(start, tmp_path):
    environment = {**os.environ, "TOUCHSTONE_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", f"{start}; {LOOK}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout.strip().splitlines()[-1]))
    assert "django" in loaded
    assert sorted(loaded & set(HEAVY)) == []
