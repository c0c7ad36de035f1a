"""The command `touchstone`, as people and scripts call it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.evaluation.runners.recorded import chat
from tests.evaluation.stub_server import Reply, server
from tests.touchstone.releases import small_release
from touchstone.cli import PARSERS, main
from touchstone.commands import own_commands
from touchstone.paths import APPS, data_folder, version

ROOT = Path(__file__).resolve().parent.parent.parent
GOOD, BAD = (f"python:tests.touchstone.releases:{name}" for name in ("by_word", "never_hateful"))


@pytest.fixture(autouse=True)
def _own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return str(small_release(tmp_path_factory.mktemp("releases") / "small", formats=("csv", "huggingface")))


def test_the_version_is_ours(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"touchstone-workbench {version()}\n"
    from django.conf import settings

    assert version() == settings.VERSION


def test_the_help_lists_every_command_with_one_sentence(capsys):
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    files = {file.stem for app in APPS for file in (ROOT / app / "management" / "commands").glob("[a-z]*.py")}
    listed = {name: text for commands in own_commands().values() for name, text in commands.items()}
    assert files <= set(listed)
    assert [name for name, text in listed.items() if len(text) < 10] == []
    assert all(f"\n  {name} " in told for name in listed)
    assert max(map(len, told.splitlines())) <= 120
    main([])
    assert capsys.readouterr().out == told


@pytest.mark.parametrize("name", PARSERS)
def test_help_of_a_command_without_database(name, capsys):
    for arguments in ([name, "--help"], ["help", name]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
    assert f"touchstone {name}" in capsys.readouterr().out


def test_evaluate_leads_with_the_result(release, capsys):
    assert main(["evaluate", release, "--model", BAD, "--name", "silent"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("silent on small@1.0.0 (sealed, sha256 ")
    assert "Fails 1 of 2 functionalities (below 50 %). Worst: derog_h (0.0 %)." in told
    assert "Accuracy 50.0 % " in told
    assert told.index("derog_h  ") < told.index("ident_nh ")
    assert len(told.splitlines()) < 40


def test_evaluate_prints_one_document_with_the_keys_of_the_server(release, capsys):
    assert main(["evaluate", release, "--model", GOOD, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["release"] == "small@1.0.0"
    (values,) = document["models"].values()
    assert {"overall", "by_functionality", "by_label", "by_target", "run"} <= set(values)
    assert values["by_functionality"]["derog_h"]["accuracy"] == 1.0
    assert set(values["overall"]) >= {"n", "accuracy", "macro_f1", "ci95"}


def test_documents_are_written(release, tmp_path, capsys):
    formats = ["html", "pdf", "latex", "csv", "json", "junit"]
    assert main(["evaluate", release, "--model", GOOD, "--out", str(tmp_path / "out"), "--format", *formats]) == 0
    files = {file.suffix: file for file in (tmp_path / "out").iterdir()}
    assert set(files) == {".html", ".pdf", ".tex", ".csv", ".json", ".xml"}
    assert files[".html"].name == "report-small-1.0.0.html"
    assert "<svg" in files[".html"].read_text()
    assert files[".pdf"].read_bytes().startswith(b"%PDF-")
    assert r"\toprule" in files[".tex"].read_text()
    assert ElementTree.parse(files[".xml"]).getroot().find("testsuite").get("tests") == "2"
    assert str(files[".pdf"]) in capsys.readouterr().out


def test_a_missed_rule_is_the_exit_status(release, tmp_path, capsys):
    arguments = ["evaluate", release, "--model", BAD, "--fail-under", "*.accuracy>=0.5"]
    assert main([*arguments, "--junit", str(tmp_path / "junit.xml")]) == 1
    assert "1 of 2 rules are not met" in capsys.readouterr().err
    assert ElementTree.parse(tmp_path / "junit.xml").getroot().find("testsuite").get("failures") == "1"
    assert main(["evaluate", release, "--model", BAD, "--fail-under", "nothing.accuracy>=0.5"]) == 1
    assert "this release has no 'nothing'" in capsys.readouterr().err


def test_the_baseline_decides_what_is_worse(release, tmp_path, capsys):
    assert main(["evaluate", release, "--model", GOOD, "--out", str(tmp_path), "--format", "json"]) == 0
    baseline = str(tmp_path / "report-small-1.0.0.json")
    files = ["--markdown", str(tmp_path / "comment.md"), "--junit", str(tmp_path / "junit.xml")]
    assert main(["evaluate", release, "--model", BAD, "--baseline", baseline, *files, "--json"]) == 1
    out = capsys.readouterr()
    assert json.loads(out.out.splitlines()[-1])["comparison"]["worse"] == ["derog_h"]
    assert "The model got worse: derog_h" in out.err
    comment = (tmp_path / "comment.md").read_text()
    assert comment.startswith("<!-- touchstone comparison -->\n### ❌")
    assert "| derog_h | 24 | 8 | 100.0 % | 0.0 % | -100.0 | 0.008 |" in comment
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert main(["evaluate", release, "--model", GOOD, "--baseline", baseline, *files]) == 0
    assert "✅" in (tmp_path / "comment.md").read_text()


def test_compare_takes_files_or_models(release, tmp_path, capsys):
    for name, model in (("good", GOOD), ("bad", BAD)):
        main(["evaluate", release, "--model", model, "--name", name, "--json"])
        (tmp_path / f"{name}.json").write_text(capsys.readouterr().out)
    good, bad = str(tmp_path / "good.json"), str(tmp_path / "bad.json")
    assert main(["compare", good, bad]) == 1
    told = capsys.readouterr().out
    assert told.startswith("bad against good on small@1.0.0\nAccuracy 100.0 % -> 50.0 % (-50.0 points), worse.")
    assert main(["compare", bad, good]) == 0
    capsys.readouterr()
    assert main(["compare", release, GOOD, BAD, "--json", "--junit", str(tmp_path / "junit.xml")]) == 1
    assert json.loads(capsys.readouterr().out)["broken"]
    assert (tmp_path / "junit.xml").is_file()
    assert main(["compare", good]) == 1
    assert "two result files, or a release and two models" in capsys.readouterr().err


def test_a_program_is_a_model(release, tmp_path, capsys):
    program = tmp_path / "detector.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print(json.dumps({'id': asked['id'], 'score': 0.9 if 'dislike' in asked['text'] else 0.1}))\n"
    )
    assert main(["evaluate", release, "--model", f"command:{sys.executable} {program}", "--name", "program"]) == 0
    assert "Accuracy 100.0 % " in capsys.readouterr().out


def test_a_limit_takes_some_of_every_functionality(release, capsys):
    assert main(["evaluate", release, "--model", GOOD, "--limit", "4"]) == 0
    told = capsys.readouterr().out
    assert "on 4 cases" in told
    assert "Only a part of the cases was asked about (--limit)" in told
    with pytest.raises(SystemExit):
        main(["evaluate", release, "--model", GOOD, "--limit", "0"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["gone", "--model", GOOD], "There is no file or folder 'gone', and it is not SUITE@VERSION either."),
        (["{release}", "--model", "what"], "'what' does not name a model"),
        (["{release}", "--model", GOOD, "--format", "csv"], "--format needs --out"),
        (["{release}", "--model", GOOD, "--columns", "text"], "--columns: 'text' is not NAME=VALUE."),
        (["{release}", "--model", GOOD, "--label-map", "a=b"], "--label-map is for hf:"),
        (["{release}", "--model", GOOD, "--baseline", "gone.json"], "gone.json cannot be read"),
        (["{release}", "--model", GOOD, "--markdown", "x.md"], "name the result to compare with by --baseline"),
    ],
)
def test_a_refusal_is_one_sentence(release, capsys, arguments, sentence):
    arguments = [argument.format(release=release) for argument in arguments]
    assert main(["evaluate", *arguments, "--json"]) == 1
    out = capsys.readouterr()
    assert out.err.splitlines()[-1].startswith("touchstone: ")
    assert sentence in out.err
    assert sentence in json.loads(out.out)["title"]


def test_a_release_of_the_database_goes_to_the_management_command(monkeypatch, tmp_path):
    called = []
    monkeypatch.setattr("touchstone.cli.run_management_command", called.append)
    monkeypatch.setattr("touchstone.cli.has_database", lambda: True)
    monkeypatch.chdir(tmp_path)
    main(["evaluate", "hatecheck@1.0.0", "--model", "hf:x", "--json"])
    main(["compare", "hatecheck@1.0.0", "a", "b"])
    main(["freeze", "hatecheck", "--release", "1.0.0"])
    main(["evaluate", "hatecheck@1.0.0", "--model", "hf:x", "--again"])
    assert [call[1] for call in called] == ["evaluate", "compare", "freeze", "evaluate"]
    assert called[0] == ["touchstone", "evaluate", "hatecheck@1.0.0", "--model", "hf:x", "--json"]


@pytest.mark.parametrize("model", [GOOD, "http"])
def test_no_django_is_imported(release, tmp_path, model):
    """In a process of its own, with every document; the list of modules tells."""
    look = (
        "import sys, json; from touchstone.cli import main; code = main(sys.argv[1:]);"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules}))); sys.exit(code)"
    )
    arguments = ["--help"] if model == "http" else ["evaluate", release, "--model", model, "--out", str(tmp_path)]
    arguments += [] if model == "http" else ["--format", "html", "pdf", "latex", "csv", "json", "junit"]
    done = subprocess.run([sys.executable, "-c", look, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert loaded & {"django", "celery", "rest_framework", "torch", "config"} == set()
    assert ("pandas" in loaded) is (model != "http")


def test_ctrl_c_keeps_the_answers(release, tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "def predict(texts):\n"
        "    open('asked', 'a').write(f'{len(texts)}\\n')\n"
        "    time.sleep(0.05 * len(texts))\n"
        "    return ['hateful'] * len(texts)\n"
    )
    lines = "\n".join(f"text {number},0" for number in range(400))
    (tmp_path / "cases.csv").write_text(f"text,label\n{lines}\n")
    command = [sys.executable, "-m", "touchstone", "evaluate", "cases.csv", "--model", "python:slow:predict"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TOUCHSTONE_VAR": str(tmp_path / "var")}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "asked").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "256 of 400 texts are answered and kept. Give the same command again to continue." in told
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "asked").read_text().split() == ["256", "144"]


def test_data_lies_in_the_users_folder_when_installed(monkeypatch, tmp_path):
    monkeypatch.delenv("TOUCHSTONE_VAR")
    assert data_folder() == ROOT / "var"
    monkeypatch.setattr("touchstone.paths.IS_INSTALLED", True)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "touchstone"
    monkeypatch.setenv("XDG_DATA_HOME", "relative, which the specification says to ignore")
    assert data_folder() == Path.home() / ".local" / "share" / "touchstone"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_and_options(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    option = "-l fail-under" if shell == "fish" else "--fail-under"
    assert option in script
    assert "export_release" in script
    assert ("-l policy" if shell == "fish" else "--policy") in script


def test_bash_completes(tmp_path, capsys):
    main(["completion", "bash"])
    (tmp_path / "script").write_text(capsys.readouterr().out)
    ask = f"""source {tmp_path}/script
complete_words() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _touchstone; echo "${{COMPREPLY[*]}}"; }}
complete_words touchstone eval
complete_words touchstone evaluate --ba
complete_words touchstone freeze --pol
complete_words touchstone attack bu"""
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["evaluate", "--baseline", "--policy", "build"]


def test_models_lists_every_preset_with_what_is_hateful_to_it(capsys):
    assert main(["models"]) == 0
    told = capsys.readouterr().out
    assert "llama-guard-3-8b" in told
    assert 'The answer is "unsafe" and names the category S10 (Hate).' in told


def test_models_shows_one_preset_whole_as_text_and_as_json(capsys):
    assert main(["models", "openai-moderation"]) == 0
    told = capsys.readouterr().out
    assert "OPENAI_API_KEY" in told
    assert "https://platform.openai.com/docs/guides/moderation" in told
    assert "hate/threatening: results[0].category_scores.hate/threatening" in told
    assert main(["models", "openai-moderation", "--json"]) == 0
    (preset,) = json.loads(capsys.readouterr().out)["presets"]
    assert preset["settings"]["combine"] == {"rule": "max"}


def test_models_refuses_an_unknown_name_with_those_there_are(capsys):
    assert main(["models", "llama-guard"]) == 1
    assert "Use one of: " in capsys.readouterr().err


def test_a_preset_is_evaluated_without_a_database(release, capsys, tmp_path):
    with server(lambda n, body: Reply(body=chat("\n\nunsafe\nS10"))) as (address, requests):
        url = f"{address.rsplit('/', 1)[0]}/v1"
        spec = f"preset:llama-guard-3-8b?url={url}&model=our-guard"
        assert main(["evaluate", release, "--model", spec, "--json"]) == 0
    models = json.loads(capsys.readouterr().out)["models"]
    assert list(models) == ["llama-guard-3-8b"]
    assert {request["path"] for request in requests} == {"/v1/chat/completions"}
    assert {request["body"]["model"] for request in requests} == {"our-guard"}
    assert models["llama-guard-3-8b"]["by_label"]["hateful"]["accuracy"] == 1.0
