"""A worker is killed in the middle of a run; another one goes on and pays for nothing twice."""

import sqlite3
import time
from contextlib import closing

import pytest

from tests.generation import factories as ground

START = """
import json
from pathlib import Path
from tests.generation import factories as ground
from generation.runs.options import RunOptions
from generation.runs.planning import make_plan
from generation.runs.providers import read_uploaded_provider
suite = ground.make_suite()
options = RunOptions(
    suite=suite.key, functionality="ident_pos_nh", language="en", groups=["women"], wanted=9, per_request=3,
)
plan = make_plan(suite, options, provider=read_uploaded_provider(Path(PATH).read_text()))
run = ground.start_run(plan, by=None)
print(json.dumps({"run": run.key, "job": run.job.key}))
"""
LOOK = """
import json
from generation.models import GenerationRun, ProviderRequest
run = GenerationRun.objects.get()
print(json.dumps({
    "state": run.state, "candidates": run.candidates.count(), "counts": run.counts,
    "seeds": sorted(ProviderRequest.objects.values_list("seed", flat=True)),
}))
"""


def kept_answers(instance) -> int:
    with closing(sqlite3.connect(instance.folder / "touchstone.sqlite3", timeout=30)) as database:
        return int(database.execute("SELECT count(*) FROM generation_providerrequest").fetchone()[0])


@pytest.mark.slow
@pytest.mark.services
@pytest.mark.parametrize("instance", ["spool folder"], indirect=True)
def test_a_run_whose_worker_is_killed_goes_on_elsewhere_without_asking_again(instance, tmp_path):
    with ground.running_server() as server:

        def hangs_at_the_second(number, body):
            if number == 1:
                time.sleep(20)
            return ground.writes_new_ones(number, body)

        server.answer = hangs_at_the_second
        (tmp_path / "provider.yaml").write_text(server.provider_yaml())
        started = instance.python(START.replace("PATH", repr(str(tmp_path / "provider.yaml"))))
        first = instance.start_worker()
        deadline = time.monotonic() + 90
        while (kept_answers(instance) < 1 or len(server.seen) < 2) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert kept_answers(instance) == 1
        instance.kill(first)
        server.answer = ground.writes_new_ones
        instance.start_worker()
        instance.wait_until(started["job"], lambda job: job["state"] in ("done", "failed"), seconds=120)
        # The second question was under way when the worker died, so its answer was lost; the first was not.
        assert [body["seed"] for body in server.seen] == [0, 1, 1, 2]
        found = instance.python(LOOK)
        assert (found["state"], found["candidates"], found["seeds"]) == ("done", 9, [0, 1, 2])
        assert found["counts"]["reused"] == 1
