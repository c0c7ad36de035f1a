"""The wheel, built and installed into an environment of its own, runs the demo, an evaluation and a report.

Installing everything takes minutes, so the environment sees the packages of this one; ours is not among them.
"""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.touchstone.releases import small_release
from touchstone.paths import APPS, version

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-build-isolation",
    ]
    done = subprocess.run([*build, "--wheel-dir", str(out), str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of the programs of an environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("environment") / "env"
    venv.create(folder, symlinks=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "shared.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True)
    return folder / "bin"


@pytest.fixture
def environment(installed, tmp_path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("HOME", "LANG", "TMPDIR")}
    return {**kept, "PATH": f"{installed}:/usr/bin:/bin", "XDG_DATA_HOME": str(tmp_path / "data")}


def touchstone(environment, folder, *arguments: object) -> str:
    done = subprocess.run(
        ["touchstone", *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_one_package_and_no_tests(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {"touchstone", f"touchstone_workbench-{version()}.dist-info"}
    inside = {name.split("/")[2] for name in names if name.startswith("touchstone/app/")}
    assert inside == {*APPS, "docs", "fixtures", "locale", "CHANGELOG.md", "LICENSE", "mkdocs.yml"}
    assert "touchstone/py.typed" in names
    assert "touchstone/app/ui/static/ui/css/base.css" in names
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name]
    assert {"touchstone/app/mkdocs.yml", "touchstone/app/docs/index.md"} <= set(names), "the help of the product"
    kept = {file.relative_to(ROOT).as_posix() for app in APPS for file in (ROOT / app).rglob("*") if file.is_file()}
    kept = {name for name in kept if "__pycache__" not in name}
    assert {f"touchstone/app/{name}" for name in kept} <= set(names)


@pytest.fixture
def demo(environment, tmp_path) -> Iterator[str]:
    """The address of a running demo, started in an empty folder."""
    folder = tmp_path / "empty"
    folder.mkdir()
    log = tmp_path / "up.log"
    with log.open("w") as out:
        command = ["touchstone", "up", "--demo", "--port", "0"]
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 120
        while "Stop with Ctrl-C." not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.2)
        yield log.read_text().partition(" is at ")[2].split()[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    assert list(folder.iterdir()) == []


def test_demo_evaluate_and_report_run_in_an_empty_folder(demo, environment, tmp_path):
    with urllib.request.urlopen(f"{demo}account/login/") as page:
        assert b"ui/css/base.css" in page.read()
    with urllib.request.urlopen(f"{demo}help/install/") as page:
        assert b"touchstone evaluate" in page.read()
    with urllib.request.urlopen(f"{demo}static/ui/css/base.css") as style:
        assert style.status == 200
    assert (tmp_path / "data" / "touchstone" / "touchstone.sqlite3").is_file()
    folder = tmp_path / "work"
    folder.mkdir()
    written = touchstone(environment, folder, "report", "demo@0.1.0", "--out", "out", "--format", "html", "pdf")
    assert "report-demo-0.1.0.pdf" in written
    touchstone(environment, folder, "export_release", "demo@0.1.0", "--out", "release")
    (folder / "word_list.py").write_text(
        "def predict(texts): return ['hateful' if 'hate' in t else 'non-hateful' for t in texts]"
    )
    result = touchstone(environment, folder, "evaluate", "release", "--model", "python:word_list:predict", "--json")
    assert json.loads(result)["release"] == "demo@0.1.0"


def test_version_help_and_library_without_a_database(environment, tmp_path):
    assert touchstone(environment, tmp_path, "--version") == f"touchstone-workbench {version()}\n"
    assert "import_suite" in touchstone(environment, tmp_path, "--help")
    assert "complete -o default" in touchstone(environment, tmp_path, "completion", "bash")
    release = small_release(tmp_path / "small")
    code = (
        "import touchstone, sys; result = touchstone.evaluate(sys.argv[1], lambda texts: ['hateful'] * len(texts));"
        "print(touchstone.__version__, round(result.overall['accuracy'], 2), 'django' in sys.modules)"
    )
    done = subprocess.run(
        ["python", "-c", code, str(release)], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == [version(), "0.5", "False"], done.stderr


def test_a_module_of_the_program_that_hides_ours_is_named(environment, tmp_path):
    (tmp_path / "core.py").write_text("")
    done = subprocess.run(
        ["python", "-c", "from touchstone import evaluate"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "hides the one of Touchstone" in done.stderr
