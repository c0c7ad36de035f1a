"""An environment for the peers that do not go together with our pinned packages: inspect_ai and every_eval_ever.

It is made once, in well under a minute, and kept in `var/peers` under the checksum of what is in it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PINNED = Path(__file__).with_name("inspect.txt")
# Says that it needs Python 3.12; its schemas and their validation run on 3.11.
EVERY_EVAL_EVER = "every-eval-ever==0.3.0"


def peer_python() -> Path:
    """Return the interpreter of the environment. Without packages to install, a test is skipped, but never in CI."""
    content = PINNED.read_bytes() + EVERY_EVAL_EVER.encode() + sys.version.encode()
    folder = ROOT / "var" / "peers" / hashlib.sha256(content).hexdigest()[:16]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".making.", dir=folder.parent))
        try:
            _make(work / "environment")
            os.replace(work / "environment", folder)
        except subprocess.CalledProcessError as error:
            if os.environ.get("CI", "").lower() == "true":
                pytest.fail(f"inspect_ai cannot be installed: {error.stderr}")
            pytest.skip("inspect_ai cannot be installed here")
        except OSError:
            if not folder.is_dir():  # else another process was faster
                raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return folder / "bin" / "python"


def _make(folder: Path) -> None:
    _run(sys.executable, "-m", "venv", "--without-pip", folder)
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet", "--no-deps")
    _run(*pip, "--requirement", PINNED)
    _run(*pip, "--ignore-requires-python", EVERY_EVAL_EVER)
    # `datasets` and what it needs come from the environment of the tests, behind the packages above.
    (site,) = (folder / "lib").glob("python*/site-packages")
    (site / "tests.pth").write_text(sysconfig.get_path("purelib"))


def _run(*command: object) -> None:
    subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)


def run_peer(script: str, *arguments: object, cwd: Path, home: Path) -> str:
    """Run a script of this folder in the environment and return what it prints. Nothing is fetched."""
    done = subprocess.run(
        [str(peer_python()), str(Path(__file__).with_name(script)), *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
