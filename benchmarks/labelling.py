"""Labelling: one annotator's "submit and get the next", and ten at once, against a real server on SQLite.

    python benchmarks/labelling.py [--cases 36582] [--labels 300] [--annotators 10] [--ahead 1]

Every round trip stores one label. With `--ahead 1` (the default) each also claims and brings the next text, as the
peers' requests do. With `--ahead 10` it is what the screen does: texts are leased ahead, so only about every fifth
round trip claims any, and the median is that of one that does not; do not hold that median against the peers.

Peers' figures are constants measured earlier on the same kind of machine with the same texts, not run here; read
ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
RATERS = 5
# submit + next at 36,582 texts (ms), labels per second of ten annotators, p95 of next with ten (ms), CPU ms per label
PEERS = {"Label Studio": (308, 3.5, 6300, 220), "doccano": (106, 32, 199, 117), "Potato": (227, 27, 408, 244)}

SET_UP = """
import json, sys, time
from django.core.management import call_command
call_command("migrate", verbosity=0)
from accounts.models import User
from annotation.services.crowd import cookie_for, pass_for
from tests.annotation_ground import make_open_campaign, make_suite, newcomer
boss = User.objects.create_superuser("boss@example.org", "a long enough password")
cases, people = int(sys.argv[1]), int(sys.argv[2])
suite = make_suite(templates=max(cases // 9, 1), per_template=9)
start = time.perf_counter()
campaign = make_open_campaign(suite, boss, raters=5, threshold=4, batch_size=10)
opened = time.perf_counter() - start
passes = [pass_for(newcomer(campaign, number)) for number in range(people)]
print(json.dumps({
    "campaign": campaign.key, "cookie": cookie_for(campaign.key), "passes": passes, "opened": opened,
    "cases": suite.cases.count(),
}))
"""

COUNT = """
import json
from collections import Counter
from annotation.models import Annotation, Assignment
done = Counter(Assignment.objects.filter(state="done").values_list("item", flat=True))
pairs = Counter(Assignment.objects.exclude(annotator=None).values_list("item", "annotator"))
print(json.dumps({
    "labels": Annotation.objects.filter(kind="label").count(), "done": sum(done.values()),
    "more_than_k": sum(number > 5 for number in done.values()), "twice": sum(number > 1 for number in pairs.values()),
}))
"""


def run(environment: dict[str, str], code: str, *arguments: str) -> dict[str, Any]:
    script = f"import django; django.setup()\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


class Annotator:
    """Does what the screen does: keeps a few texts ahead, sends each label at once, takes what comes back."""

    def __init__(self, address: str, facts: dict[str, Any], number: int, ahead: int) -> None:
        self.ahead = ahead
        self.client = httpx.Client(base_url=address, cookies={facts["cookie"]: facts["passes"][number]}, timeout=60)
        self.url = f"/api/v1/labelling/{facts['campaign']}/exchange"
        self.number = number
        self.times: list[float] = []
        self.queue: list[str] = []
        self.sent = 0

    def exchange(self, events: list[dict[str, Any]]) -> None:
        start = time.perf_counter()
        answer = self.client.post(self.url, json={"events": events, "have": self.queue, "want": self.ahead})
        took = time.perf_counter() - start
        answer.raise_for_status()
        content = answer.json()
        assert all(receipt["status"] == "stored" for receipt in content["receipts"]), content["receipts"]
        self.queue += [text["assignment"] for text in content["texts"]]
        if events:
            self.times.append(took * 1000)

    def work(self, labels: int) -> None:
        self.exchange([])
        for _ in range(labels):
            self.sent += 1
            event = {
                "client_id": f"{self.number}-{self.sent}",
                "assignment": self.queue.pop(0),
                "label": "hateful",
                "milliseconds": 900,
            }
            self.exchange([event])


def cpu_seconds(pid: int) -> float:
    """Of the process and its children."""
    total = 0.0
    tick = os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(folder.name) == pid or int(fields[1]) == pid:
            total += (int(fields[11]) + int(fields[12])) / tick
    return total


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=36_582)
    parser.add_argument("--labels", type=int, default=300)
    parser.add_argument("--annotators", type=int, default=10)
    parser.add_argument("--ahead", type=int, default=1, help="texts leased ahead; 1 claims one in every round trip")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "TOUCHSTONE_VAR": folder, "DATABASE_URL": f"sqlite:///{folder}/benchmark.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        facts = run(environment, SET_UP, str(options.cases), str(options.annotators + 1))
        print(f"{facts['cases']:,} cases, k = {RATERS}: opened in {facts['opened']:.1f} s")
        port = 18_400 + os.getpid() % 1000
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)),
                *(
                    "--workers",
                    "1",
                    "--blocking-threads",
                    "8",
                    "--no-ws",
                    "--log-level",
                    "warning",
                    "config.wsgi:application",
                ),
            ],
            cwd=ROOT,
            env=environment,
        )
        try:
            measure(f"http://127.0.0.1:{port}", facts, options, server.pid)
        finally:
            server.terminate()
            server.wait(timeout=20)
        counted = run(environment, COUNT)
        print(
            f"overlap: {counted['labels']:,} labels, more than {RATERS} on a case: {counted['more_than_k']}, "
            f"twice by one person: {counted['twice']}"
        )


def measure(address: str, facts: dict[str, Any], options: argparse.Namespace, pid: int) -> None:
    for _ in range(300):
        try:
            httpx.get(f"{address}/healthz", timeout=1)
            break
        except httpx.HTTPError:
            time.sleep(0.2)
    warm = Annotator(address, facts, options.annotators, options.ahead)
    warm.work(20)
    warm.times.clear()
    before = cpu_seconds(pid)
    warm.work(options.labels)
    cpu = (cpu_seconds(pid) - before) / options.labels * 1000
    median = statistics.median(warm.times)
    print(
        f"one annotator, submit + next: median {median:.1f} ms, p95 {p95(warm.times):.1f} ms, "
        f"server CPU {cpu:.1f} ms per label"
    )
    people = [Annotator(address, facts, number, options.ahead) for number in range(options.annotators)]
    threads = [threading.Thread(target=person.work, args=[options.labels // 3]) for person in people]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - start
    times = [value for person in people for value in person.times]
    rate = len(times) / seconds
    print(
        f"{options.annotators} annotators: {rate:.0f} labels/s, median {statistics.median(times):.1f} ms, "
        f"p95 {p95(times):.1f} ms"
    )
    for name, (both, labels, ten, used) in PEERS.items():
        print(
            f"  beside {name}: submit + next {both / median:.1f}x faster, {rate / labels:.1f}x the labels per second, "
            f"p95 with ten {ten / p95(times):.1f}x, CPU {used / cpu:.1f}x less"
        )


if __name__ == "__main__":
    main()
