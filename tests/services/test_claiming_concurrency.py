"""Fifty annotators at once, some of whom die in the middle of a transaction: exactly k, nobody twice, nothing lost.

Each annotator is a thread with a connection of its own, in four processes, on a real database file and on a real
PostgreSQL server. The process that will be killed claims its texts before the others begin, and one of its annotators
only holds them, so that something is held at whatever moment it dies.
"""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GIVEN = os.environ.get("DATABASE_URL", "")
POSTGRES = GIVEN if GIVEN.startswith("postgres") else "postgres://root@127.0.0.1:5432/postgres"
IN_CI = os.environ.get("CI", "").lower() == "true"
PROCESSES, THREADS, RATERS = 4, 13, 5

SET_UP = """
from accounts.models import User
from tests.annotation.factories import make_open_campaign, make_suite, newcomer
boss = User.objects.create_superuser("boss@example.org", "a long enough password")
suite = make_suite(templates=30, per_template=4)
campaign = make_open_campaign(suite, boss, raters=%d, threshold=3, batch_size=6, lease_minutes=600)
for number in range(60):
    newcomer(campaign, number)
"""

WORK = """
import random, sys, threading, time
from django.db import connection
from annotation.models import Participation
from annotation.labelling.exchange import exchange
from annotation.labelling.recording import Event

first = int(sys.argv[1])
people = list(Participation.objects.select_related("campaign", "annotator").order_by("id")[first : first + {threads}])
is_doomed = "doomed" in sys.argv
troubles = []
go = threading.Event()
everybody_holds_texts = threading.Barrier(len(people) + 1, timeout=300)

def work(person):
    generator = random.Random(person.pk)
    try:
        got = exchange(person)
        everybody_holds_texts.wait()
        go.wait()
        if is_doomed and person is people[0]:
            time.sleep(600)
        empty = 0
        while empty < 3:
            if not got.texts:
                empty += 1
                time.sleep(0.05)
            chosen = [text.assignment for text in got.texts[: generator.randint(1, 6)]]
            events = [Event(f"{{person.pk}}-{{key}}", key, "label", "hateful") for key in chosen]
            got = exchange(person, events)
            if generator.random() < 0.2:
                exchange(person, events)  # a repeated request, as after a lost answer
    except Exception as error:
        troubles.append(f"{{type(error).__name__}}: {{error}}")
    finally:
        connection.close()

threads = [threading.Thread(target=work, args=[person]) for person in people]
for thread in threads:
    thread.start()
everybody_holds_texts.wait()
print("working", flush=True)
if is_doomed:
    sys.stdin.readline()
go.set()
for thread in threads:
    thread.join()
print("\\n".join(troubles), file=sys.stderr)
sys.exit(1 if troubles else 0)
"""

COUNT = """
import json
from collections import Counter
from annotation.models import Annotation, Assignment
slots = Assignment.objects.all()
per_case = Counter(slots.filter(state="done").values_list("item", flat=True))
per_pair = Counter(slots.exclude(annotator=None).values_list("item", "annotator"))
print(json.dumps({
    "slots": slots.count(),
    "done": slots.filter(state="done").count(),
    "labels_per_case": sorted(Counter(per_case.values()).items()),
    "twice": sum(times > 1 for times in per_pair.values()),
    "labels": Annotation.objects.filter(kind="label").count(),
    "done_without_label": slots.filter(state="done", annotations=None).count(),
}))
"""

HELD = """
import sys
from annotation.models import Assignment, Participation
dead = list(Participation.objects.order_by("id").values_list("annotator", flat=True)[: int(sys.argv[1])])
print(Assignment.objects.filter(state="claimed", annotator__in=dead).count())
"""

EXPIRE = """
from datetime import timedelta
from django.utils import timezone
from annotation.models import Assignment
Assignment.objects.filter(state="claimed").update(lease_until=timezone.now() - timedelta(seconds=1))
"""


def run(environment: dict[str, str], code: str, *arguments: str) -> subprocess.Popen[str]:
    script = f"import django; django.setup()\n{code}"
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], seconds: float = 300) -> str:
    out, error = process.communicate(timeout=seconds)
    assert process.returncode == 0, error[-3000:]
    return out


def wait_until_working(process: subprocess.Popen[str]) -> None:
    """Until each of its annotators has claimed texts."""
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def environment(request, tmp_path):
    found = {
        **os.environ,
        "TOUCHSTONE_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'crowd.sqlite3'}",
    }
    if request.param == "SQLite":
        yield found
        return
    psycopg = pytest.importorskip("psycopg")
    schema = f"crowd_{uuid.uuid4().hex[:8]}"
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        assert not IN_CI, "CI needs PostgreSQL"
        pytest.skip(f"PostgreSQL does not answer: {error}")
    with server:
        server.execute(f'CREATE SCHEMA "{schema}"')
        try:
            yield {**found, "DATABASE_URL": f"{POSTGRES}?options=-c%20search_path%3D{schema}"}
        finally:
            server.execute(f'DROP SCHEMA "{schema}" CASCADE')


@pytest.mark.services
def test_fifty_annotators_give_every_case_exactly_k_labels_though_some_are_killed(environment):
    migrate = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert migrate.returncode == 0, migrate.stderr
    finish(run(environment, SET_UP % RATERS))
    work = WORK.format(threads=THREADS)
    doomed = run(environment, work, "0", "doomed")
    wait_until_working(doomed)
    others = [run(environment, work, str(number * THREADS)) for number in range(1, PROCESSES)]
    for process in others:
        wait_until_working(process)
    assert doomed.stdin is not None
    doomed.stdin.write("go\n")
    doomed.stdin.flush()
    time.sleep(0.05)  # in the middle of labelling
    doomed.send_signal(signal.SIGKILL)
    doomed.wait(timeout=60)
    held_by_the_dead = int(finish(run(environment, HELD, str(THREADS))))
    assert held_by_the_dead > 0
    for process in others:
        finish(process)
    finish(run(environment, EXPIRE))  # the leases of the dead end, and they come back
    for process in [run(environment, work, str(number * THREADS)) for number in range(PROCESSES)]:
        finish(process)
    counted = json.loads(finish(run(environment, COUNT)).strip().splitlines()[-1])
    assert counted["labels_per_case"] == [[RATERS, 120]]
    assert counted["slots"] == counted["done"] == counted["labels"] == 120 * RATERS
    assert counted["twice"] == counted["done_without_label"] == 0
