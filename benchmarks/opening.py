"""Opening a large campaign while people label in another one: the slowest exchange they meet, on SQLite.

    python benchmarks/opening.py [--cases 36582] [--raters 5] [--annotators 5]

A second process opens the campaign, as the worker does. Meanwhile annotators of another campaign label against the real
server, one label every `--think` milliseconds each. Read the slowest exchange beside the quiet one of the same run.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.labelling import p95, run, wait_for  # noqa: E402
from benchmarks.labelling_client import Annotator  # noqa: E402
from config.processes import next_free_port, web_command  # noqa: E402

QUIET_SECONDS = 5

SET_UP = """
import json, sys
from django.core.management import call_command
call_command("migrate", verbosity=0)
from accounts.models import User
from annotation.campaigns.services import create_campaign
from annotation.people.crowd_binding import bind_browser, cookie_for
from curation.models import Language, TestCase
from core.bulk import insert_rows
from tests.annotation.factories import make_open_campaign, make_suite, newcomer

cases, raters, people = (int(one) for one in sys.argv[1:])
boss = User.objects.create_superuser("boss@example.org", "a long enough password")
busy = make_open_campaign(make_suite(templates=500, per_template=8, key="busy"), boss, raters=5, threshold=4)
big = make_suite(templates=2000, per_template=1, key="big")
first = TestCase.objects.filter(suite=big).order_by("id").first()
templates = list(big.templates.order_by("position").values_list("id", flat=True))
named = [field.name for field in TestCase._meta.concrete_fields if field.name != "id"]
told = [getattr(first, TestCase._meta.get_field(name).attname) for name in named]
at = {name: named.index(name) for name in ("key", "text", "template", "text_hash", "identity_hash", "position")}

def copies():
    for number in range(len(templates), cases):
        row = list(told)
        row[at["key"]] = row[at["text_hash"]] = row[at["identity_hash"]] = f"many-{number}"
        row[at["text"]] = f"I dislike neighbour {number}."
        row[at["template"]], row[at["position"]] = templates[number % len(templates)], number
        yield row

insert_rows(TestCase, named, copies())
draft = create_campaign(
    big, title="Big", by=boss, language="en", raters=raters, threshold=1, mode="crowd"
)
passes = [bind_browser(newcomer(busy, number)) for number in range(people)]
print(json.dumps({"campaign": busy.key, "draft": draft.key, "cookie": cookie_for(busy.key), "passes": passes}))
"""

OPEN = """
import json, resource, sys, time
from annotation.models import Campaign
from annotation.campaigns.opening import open_campaign
draft = Campaign.objects.select_related("suite", "language", "guideline").get(key=sys.argv[1])
started = time.perf_counter()
open_campaign(draft, by=None)
seconds = time.perf_counter() - started
draft.refresh_from_db()
print(json.dumps({
    "seconds": seconds, "slots": draft.assignments.count(), "state": draft.state,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=36_582)
    parser.add_argument("--raters", type=int, default=5)
    parser.add_argument("--annotators", type=int, default=5)
    parser.add_argument("--think", type=float, default=50, help="milliseconds between two labels of one person")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "TOUCHSTONE_VAR": folder, "DATABASE_URL": f"sqlite:///{folder}/benchmark.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        facts = run(environment, SET_UP, str(options.cases), str(options.raters), str(options.annotators))
        port = next_free_port("127.0.0.1", 18_400)
        server = subprocess.Popen(web_command("127.0.0.1", port), cwd=ROOT, env=environment)
        try:
            wait_for(port)
            measure({**facts, "port": port, "ahead": 10}, environment, options)
        finally:
            server.terminate()
            server.wait(timeout=20)


def measure(facts: dict[str, Any], environment: dict[str, str], options: argparse.Namespace) -> None:
    people = [Annotator(facts, f"person-{number}", cookie) for number, cookie in enumerate(facts["passes"])]
    stop = threading.Event()
    threads = [threading.Thread(target=work, args=[person, stop, options.think / 1000]) for person in people]
    for thread in threads:
        thread.start()
    time.sleep(QUIET_SECONDS)
    quiet = [len(person.times) for person in people]
    opened = run(environment, OPEN, facts["draft"])
    loaded = [len(person.times) for person in people]
    stop.set()
    for thread in threads:
        thread.join()
    before = [value for person, until in zip(people, quiet, strict=True) for value in person.times[10:until]]
    # With the first exchange after it ended: one that waited until the end has only just come back.
    during = [
        value
        for person, first, last in zip(people, quiet, loaded, strict=True)
        for value in person.times[first : last + 1]
    ]
    print(
        f"{options.cases:,} cases x {options.raters}: {opened['slots']:,} slots in {opened['seconds']:.1f} s, "
        f"then {opened['state']}; the opening process used {opened['memory']:.0f} MB"
    )
    for name, times in (("before", before), ("while it opened", during)):
        print(f"  {name}: {len(times):,} exchanges, p95 {p95(times):.0f} ms, slowest {max(times):,.0f} ms")


def work(person: Annotator, stop: threading.Event, think: float) -> None:
    person.exchange([])
    number = 0
    while not stop.is_set():
        number += 1
        event = {"client_id": f"{person.who}-{number}", "assignment": person.queue.pop(0), "label": "hateful"}
        person.exchange([{**event, "milliseconds": 900}])
        stop.wait(think)


if __name__ == "__main__":
    main()
