"""A worker that is killed in the middle of a run: the run finishes, nothing is lost and nothing is asked twice."""

import pytest

pytestmark = pytest.mark.services
CASES = 1500
CHUNK = 256


@pytest.mark.parametrize("instance", ["spool folder"], indirect=True)
def test_a_run_survives_the_death_of_its_worker(instance, tmp_path):
    instance.environment["ALLOWED_COMMAND_MODELS"] = "tests.evaluation.factories:slow"
    table = tmp_path / "cases.csv"
    lines = [f"profanity_nh,I like rain number {number}.,non-hateful" for number in range(CASES)]
    table.write_text("\n".join(["functionality,test_case,label_gold", *lines]) + "\n")
    instance.manage("import_suite", "big", "--format", "csv", "--path", str(table), "--language", "en")
    instance.manage("freeze", "big", "--release", "1.0.0", "--min-agree", "0")
    job = instance.python(
        "import json; from curation.models import Release;"
        "from evaluation.registry.services import load, register_model;"
        "from evaluation.runs.services import give_job, start_run; spec = 'python:tests.evaluation.factories:slow';"
        "version = register_model('Slow', spec, load(spec), by=None);"
        "release = Release.objects.by_key('big@1.0.0').get(); run = start_run(release, version, by=None);"
        "print(json.dumps(give_job(run, by=None).key))"
    )
    first = instance.start_worker()
    instance.wait_until(job, lambda row: row["state"] == "running" and CHUNK <= row["done"] < CASES)
    instance.kill(first)
    asked_before = (tmp_path / "asked.txt").read_text().splitlines()
    assert len(asked_before) < CASES

    instance.start_worker()
    ended = instance.wait_until(job, lambda row: row["state"] not in ("running", "queued"))

    assert ended["state"] == "done", ended
    assert ended["attempts"] == 2
    found = instance.python(
        "import json; from evaluation.models import EvaluationRun, RunChunk; run = EvaluationRun.objects.get();"
        "cases = list(run.predictions.values_list('release_case_id', flat=True));"
        "share = run.report.values['overall']['accuracy'];"
        "print(json.dumps([run.state, len(cases), len(set(cases)), share, RunChunk.objects.count()]))"
    )
    assert found == ["done", CASES, CASES, 1.0, 0]
    asked = (tmp_path / "asked.txt").read_text().splitlines()
    assert len(set(asked)) == CASES
    # Only the chunk that was in the dead worker's hands may have been asked again.
    assert len(asked) <= CASES + CHUNK
