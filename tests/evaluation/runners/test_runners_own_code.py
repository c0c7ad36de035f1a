import sys
import time

import pytest

from evaluation.runners import ModelUnusable, NotAllowed, RunnerSettings, SpecError, Stopped, check_model, load_runner

ECHO = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"id": row["id"], "score": min(1.0, len(row["text"]) / 10)}))
"""


@pytest.fixture
def command(tmp_path):
    def make(script: str, **options):
        path = tmp_path / "model.py"
        path.write_text(script)
        commands = {"mine": [sys.executable, str(path)]}
        return load_runner("command:mine", settings=RunnerSettings(allowed_commands=commands, **options))

    return make


def test_a_command_reads_texts_and_writes_scores(command):
    answers = command(ECHO).predict(["ab", "a long enough text", "line\nbreak \u2028 and more"])
    assert [answer.label for answer in answers] == ["non-hateful", "hateful", "hateful"]
    assert answers[0].score == 0.2


def test_thousands_of_texts_do_not_dead_lock(command):
    texts = [f"text {number} " * 20 for number in range(3000)]
    assert len(command(ECHO).predict(texts)) == 3000


def test_lines_may_come_in_any_order_and_a_missing_one_is_an_error_of_that_text(command):
    script = """
import json, sys
rows = [json.loads(line) for line in sys.stdin]
for row in reversed(rows[1:]):
    print(json.dumps({"id": row["id"], "label": row["text"]}))
"""
    answers = command(script).predict(["lost", "hateful", "nonsense"])
    assert [answer.label for answer in answers] == [None, "hateful", None]
    assert "no line" in (answers[0].error or "")
    assert "not a label here" in (answers[2].error or "")


def test_a_failing_command_is_quoted(command):
    with pytest.raises(ModelUnusable, match=r"code 3.*weights are gone"):
        command("import sys; sys.stderr.write('the weights are gone'); sys.exit(3)").predict(["a"])


def test_garbage_is_refused(command):
    with pytest.raises(ModelUnusable, match="wrote a line that is not"):
        command("print('hello')").predict(["a"])


def test_a_command_that_hangs_is_ended(command):
    started = time.monotonic()
    with pytest.raises(ModelUnusable, match="took longer"):
        command("import time; time.sleep(60)", command_timeout=0.3).predict(["a"])
    assert time.monotonic() - started < 20


def test_a_command_is_ended_when_the_run_is_stopped(command):
    with pytest.raises(Stopped) as caught:
        command("import time; time.sleep(60)").predict(["a", "b"], should_stop=lambda: True)
    assert caught.value.answers == [None, None]


def test_secrets_of_this_process_are_not_passed_on(command, monkeypatch):
    monkeypatch.setenv("VERY_SECRET", "x")
    script = "import json, os; print(json.dumps({'id': 0, 'score': float('VERY_SECRET' in os.environ)}))"
    assert command(script).predict(["a"])[0].score == 0.0


def test_a_changed_script_changes_the_fingerprint(command):
    assert command(ECHO).fingerprint != command(ECHO + "\n# changed").fingerprint


def test_a_command_that_is_not_listed_is_refused():
    with pytest.raises(NotAllowed, match="not listed in the settings"):
        load_runner("command:rm -rf", settings=RunnerSettings())


def test_a_command_that_does_not_exist_is_a_clear_error():
    settings = RunnerSettings(allowed_commands={"gone": ["/no/such/program"]})
    with pytest.raises(ModelUnusable, match="does not start"):
        load_runner("command:gone", settings=settings).predict(["a"])


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "own_model_for_tests.py").write_text(
        "def predict(texts):\n    return [len(text) > 3 for text in texts]\n"
        "def scores(texts):\n    return [min(1.0, len(text) / 10) for text in texts]\n"
        "def short(texts):\n    return ['hateful']\n"
        "thing = 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    names = frozenset(f"own_model_for_tests:{name}" for name in ("predict", "scores", "short", "thing", "gone"))
    yield RunnerSettings(allowed_callables=names)
    sys.modules.pop("own_model_for_tests", None)


def test_a_listed_callable_is_asked(module):
    runner = load_runner("python:own_model_for_tests:predict", settings=module)
    assert [answer.label for answer in runner.predict(["ab", "abcdef"])] == ["non-hateful", "hateful"]
    scored = load_runner("python:own_model_for_tests:scores", settings=module).predict(["abcdef"])
    assert (scored[0].label, scored[0].score) == ("hateful", 0.6)


def test_many_texts_go_through_in_order_with_progress(module):
    seen: list[int] = []
    texts = ["x" * (number % 9) for number in range(1000)]
    runner = load_runner("python:own_model_for_tests:predict", settings=module)
    answers = runner.predict(texts, progress=lambda done, _: seen.append(done))
    assert [answer.label == "hateful" for answer in answers] == [len(text) > 3 for text in texts]
    assert seen[-1] == 1000


def test_a_callable_that_is_not_listed_is_not_even_imported():
    with pytest.raises(NotAllowed, match="not listed"):
        load_runner("python:antigravity:fly", settings=RunnerSettings())
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize(("name", "says"), [("gone", "cannot be imported"), ("thing", "not callable")])
def test_a_callable_that_is_none_is_refused(module, name, says):
    with pytest.raises(ModelUnusable, match=says):
        load_runner(f"python:own_model_for_tests:{name}", settings=module)


def test_a_callable_that_loses_texts_is_refused(module):
    with pytest.raises(ModelUnusable, match="returned 1 results for 2 texts"):
        load_runner("python:own_model_for_tests:short", settings=module).predict(["a", "b"])


def test_a_reference_without_a_callable_is_refused():
    with pytest.raises(SpecError, match="module:callable"):
        load_runner("python:json", settings=RunnerSettings(allowed_callables=frozenset({"json"})))


def test_a_callable_that_raises_is_quoted():
    settings = RunnerSettings(allowed_callables=frozenset({"json:loads"}))
    with pytest.raises(ModelUnusable, match="python:json:loads failed: TypeError"):
        load_runner("python:json:loads", settings=settings).predict(["a"])


def test_the_setting_that_lists_programs_is_named():
    for spec in ("command:theirs", "python:theirs.module:predict"):
        with pytest.raises(NotAllowed, match="ALLOWED_COMMAND_MODELS"):
            load_runner(spec, settings=RunnerSettings())


SURE_OF_ITSELF = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "label": "non-hateful", "score": 0.97}))
"""


def test_scores_that_say_how_sure_a_model_is_of_its_own_answer_are_found_when_it_is_tried(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(SURE_OF_ITSELF)
    settings = RunnerSettings(allowed_commands={"mine": [sys.executable, str(path)]})
    check = check_model("command:mine", settings=settings)
    assert check.code == "scores_contradict_labels"
    assert "'non-hateful' with the score 0.97" in (check.problem or "")
