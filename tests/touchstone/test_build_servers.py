"""The steps of the GitHub Action and of the GitLab template, run as the build servers run them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.touchstone.releases import small_release
from touchstone.paths import version

ROOT = Path(__file__).resolve().parent.parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "clients" / "gitlab" / "touchstone.yml").read_text(encoding="utf-8"))[".touchstone"]
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
GH = """#!/bin/sh
# Answers as the command of GitHub for one pull request; writes down what it is asked to do.
case "$*" in
  *--paginate*) cat "$COMMENTS" ;;
  *)
    echo "$*" >> "$CALLS"
    for word in "$@"; do case "$word" in body=@*) cat "${word#body=@}" >> "$CALLS" ;; esac; done ;;
esac
"""


@pytest.fixture
def machine(tmp_path):
    """A machine with the command on its path, a release and two models."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, module in (("touchstone", "touchstone"), ("python", "")):
        starter = f'exec "{sys.executable}" {f"-m {module}" if module else ""} "$@"'
        (programs / name).write_text(f"#!/bin/sh\n{starter}\n")
        (programs / name).chmod(0o755)
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    small_release(tmp_path / "release")
    (tmp_path / "models.py").write_text(
        "def good(texts): return ['hateful' if 'dislike' in text else 'non-hateful' for text in texts]\n"
        "def bad(texts): return ['non-hateful'] * len(texts)\n"
    )
    for name in ("output", "summary", "comments", "calls"):
        (tmp_path / name).touch()
    return tmp_path


def run_script(machine: Path, script: str, environment: dict[str, str]) -> subprocess.CompletedProcess:
    """As a runner does: bash that ends at the first failure, also inside a pipe."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=machine,
        env={
            "PATH": f"{machine / 'programs'}:{os.environ['PATH']}",
            "HOME": str(machine),
            "PYTHONPATH": str(ROOT),
            "TOUCHSTONE_VAR": str(machine / "var"),
            "GITHUB_OUTPUT": str(machine / "output"),
            "GITHUB_STEP_SUMMARY": str(machine / "summary"),
            "COMMENTS": str(machine / "comments"),
            "CALLS": str(machine / "calls"),
            **environment,
        },
        capture_output=True,
        text=True,
    )


def run_step(machine: Path, title: str, /, **inputs: str) -> subprocess.CompletedProcess:
    values = {f"inputs.{key}": entry.get("default", "") for key, entry in ACTION["inputs"].items()}
    values |= {f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()}
    values |= {
        "github.action_path": str(ROOT),
        "github.token": "token",
        "github.repository": "owner/name",
        "github.event.pull_request.number": "7",
    }
    step = STEPS[title]
    environment = {
        key: re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text) for key, text in step["env"].items()
    }
    return run_script(machine, step["run"], environment)


def evaluate(machine: Path, model: str, **inputs: str) -> subprocess.CompletedProcess:
    return run_step(machine, "Evaluate", release="release", model=f"python:models:{model}", **inputs)


def test_no_expression_stands_in_a_script():
    """What a person types into an input must never be run by the shell."""
    assert not [name for name, step in STEPS.items() if "${{" in step.get("run", "")]
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])


def test_a_first_evaluation_gives_result_and_junit(machine):
    done = evaluate(machine, "good", name="Good model")
    assert done.returncode == 0, done.stderr
    outputs = dict(line.split("=", 1) for line in (machine / "output").read_text().splitlines())
    assert outputs == {
        "result": "touchstone-results/report-small-1.0.0.json",
        "junit": "touchstone-results/junit.xml",
    }
    assert "Good model" in json.loads((machine / outputs["result"]).read_text())["models"]
    assert (machine / outputs["junit"]).is_file()
    assert run_step(machine, "Write the summary").returncode == 0
    assert "Good model on small@1.0.0" in (machine / "summary").read_text()


def test_a_worse_model_fails_the_build_and_is_commented_on_once(machine):
    assert evaluate(machine, "good", output="before").returncode == 0
    done = evaluate(machine, "bad", baseline="before/report-small-1.0.0.json")
    assert done.returncode == 1
    assert "The model got worse: derog_h" in done.stderr
    run_step(machine, "Write the summary")
    assert "### ❌" in (machine / "summary").read_text()
    assert run_step(machine, "Comment on the pull request").returncode == 0
    assert (machine / "calls").read_text().startswith("api --method POST repos/owner/name/issues/7/comments")
    assert "| derog_h | 24 | 8 |" in (machine / "calls").read_text()
    (machine / "comments").write_text("4711\n")
    (machine / "calls").write_text("")
    assert run_step(machine, "Comment on the pull request").returncode == 0
    assert (machine / "calls").read_text().startswith("api --method PATCH repos/owner/name/issues/comments/4711")


def test_rules_and_further_arguments_reach_the_command(machine):
    done = evaluate(machine, "bad", fail_under="*.accuracy>=0.5 overall.accuracy>=0.4", arguments="--limit 10")
    assert done.returncode == 1
    assert "1 of 3 rules are not met" in done.stderr
    assert "on 10 cases" in done.stdout
    assert evaluate(machine, "good", sha256="0" * 64).returncode == 1


def test_what_is_typed_into_an_input_is_not_run(machine):
    evaluate(machine, "good", name="$(touch run-by-name)", arguments="; touch run-by-arguments")
    assert not list(machine.glob("run-by-*"))


def test_the_gitlab_template_runs(machine):
    variables = {name: value for name, value in GITLAB["variables"].items() if "$" not in value}
    evaluating = "\n".join(GITLAB["script"][1:])
    chosen = {**variables, "TOUCHSTONE_RELEASE": "release", "TOUCHSTONE_MODEL": "python:models:good"}
    assert run_script(machine, evaluating, chosen).returncode == 0
    result = machine / "touchstone-results" / "report-small-1.0.0.json"
    result.rename(machine / "base line.json")
    chosen |= {"TOUCHSTONE_BASELINE": "base line.json", "TOUCHSTONE_MODEL": "python:models:bad"}
    done = run_script(machine, evaluating, chosen)
    assert done.returncode == 1, done.stderr
    assert (machine / GITLAB["artifacts"]["reports"]["junit"]).is_file()
    assert "derog_h" in (machine / "touchstone-results" / "comment.md").read_text()


@pytest.mark.slow
def test_the_action_installs_the_checkout(machine, tmp_path):
    """Into an environment that sees the packages of this one, so that only ours is installed."""
    import sysconfig
    import venv

    folder = tmp_path / "environment"
    venv.create(folder, symlinks=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "shared.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for name in ("touchstone", "python"):
        (machine / "programs" / name).unlink()
    done = run_script(
        machine,
        STEPS["Install Touchstone"]["run"],
        {"PACKAGE": "", "EXTRAS": "reports", "ACTION_PATH": str(ROOT), "PYTHONPATH": "",
         "PATH": f"{folder / 'bin'}:/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"touchstone-workbench {version()}"
