"""Labelling: one annotator's "submit and get the next", and ten at once, against the real server on SQLite.

    python benchmarks/labelling.py [--cases 36582] [--labels 300] [--annotators 10] [--ahead 1]
    python benchmarks/labelling.py --cases 4000 36582 1000000      also prints how flat the round trip is

Every round trip stores one label. With `--ahead 1` (the default) each also claims and brings the next text, as the
peers' requests do. With `--ahead 10` it is what the screen does: texts are leased ahead, so only about every fifth
round trip claims any, and the median is that of one that does not; do not hold that median against the peers.

Peers' figures are constants measured earlier on the same kind of machine with the same texts, not run here; read
ratios.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from config.processes import next_free_port, web_command  # noqa: E402

RATERS = 5
# submit + next at 36,582 texts (ms), labels per second of ten annotators, p95 of next with ten (ms), CPU ms per label
PEERS = {"Label Studio": (308, 3.5, 6300, 220), "doccano": (106, 32, 199, 117), "Potato": (227, 27, 408, 244)}

SET_UP = """
import json, sys
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.db import connection, transaction
from django.utils import timezone
from accounts.models import User
from annotation.models import Assignment, CampaignItem
from annotation.campaigns.services import create_campaign
from annotation.people.crowd_binding import bind_browser, cookie_for
from annotation.labelling.models import new_assignment_key
from core.bulk import insert_rows
from curation.models import Language, TestCase
from tests.annotation.factories import make_suite, newcomer

cases, people, raters = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
boss = User.objects.create_superuser("boss@example.org", "a long enough password")
suite = make_suite(templates=2000, per_template=1)
TEMPLATES = list(suite.templates.order_by("position").values_list("id", flat=True))
first = TestCase.objects.order_by("id").first()
named = [field.name for field in TestCase._meta.concrete_fields if field.name != "id"]
told = [getattr(first, TestCase._meta.get_field(name).attname) for name in named]
at = {name: named.index(name) for name in ("key", "text", "template", "text_hash", "identity_hash", "position")}

def copies():
    for number in range(len(TEMPLATES), cases):
        row = list(told)
        row[at["key"]] = row[at["text_hash"]] = row[at["identity_hash"]] = f"many-{number}"
        row[at["text"]] = f"I dislike neighbour {number} of kind {number % 9}."
        row[at["template"]], row[at["position"]] = TEMPLATES[number % len(TEMPLATES)], number
        yield row

transaction.set_autocommit(False)  # one transaction, and room to build large indexes in
connection.cursor().execute("PRAGMA cache_size=-1000000")
insert_rows(TestCase, named, copies())
campaign = create_campaign(
    suite, title="Labels", by=boss, language="en", asks_demographics=False, raters=raters,
    threshold=4, mode="crowd", batch_size=10,
)
# Filled directly: opening a million cases is not what is measured here.
ids = TestCase.objects.order_by("id").values_list("id", flat=True)
insert_rows(
    CampaignItem, ("campaign", "case", "text", "role", "expected", "explanation", "position", "is_reserved"),
    [(campaign.pk, case, "", "label", "", "", place, False) for place, case in enumerate(ids, 1)],
)
items = list(campaign.items.order_by("id").values_list("id", flat=True))

def slots():
    place = 0
    for slot in range(1, raters + 1):
        for number in range(len(items)):
            place += 1
            item = items[(number * 7919 + slot * 104729) % len(items)]
            yield new_assignment_key(), campaign.pk, item, slot, None, "open", place

insert_rows(Assignment, ("key", "campaign", "item", "slot", "annotator", "state", "order"), slots())
type(campaign).objects.filter(pk=campaign.pk).update(state="open", opened_at=timezone.now())
campaign.refresh_from_db()
passes = [bind_browser(newcomer(campaign, number)) for number in range(people)]
transaction.commit()
print(json.dumps({"campaign": campaign.key, "cookie": cookie_for(campaign.key), "passes": passes}))
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


class Measured(NamedTuple):
    """One annotator's median, p95 and server CPU per label (ms); ten annotators' labels per second and p95."""

    median: float
    p95: float
    cpu: float
    rate: float
    p95_of_many: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, nargs="+", default=[36_582])
    parser.add_argument("--labels", type=int, default=300)
    parser.add_argument("--annotators", type=int, default=10)
    parser.add_argument("--ahead", type=int, default=1, help="texts leased ahead; 1 claims one in every round trip")
    options = parser.parse_args()
    found = {cases: measure_at(cases, options) for cases in options.cases}
    if len(found) > 1:
        smallest = found[min(found)]
        print("flat? ratios to the smallest:")
        for cases, one in found.items():
            print(
                f"  {cases:>9,} cases: median {one.median / smallest.median:.2f}, CPU {one.cpu / smallest.cpu:.2f}, "
                f"labels/s with {options.annotators} {one.rate / smallest.rate:.2f}"
            )


def measure_at(cases: int, options: argparse.Namespace) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "TOUCHSTONE_VAR": folder, "DATABASE_URL": f"sqlite:///{folder}/benchmark.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        start = time.perf_counter()
        facts = run(environment, SET_UP, str(cases), str(options.annotators + 2), str(RATERS))
        print(f"{cases:,} cases, k = {RATERS} (filled in {time.perf_counter() - start:.0f} s)", flush=True)
        port = next_free_port("127.0.0.1", 18_400)
        server = subprocess.Popen(web_command("127.0.0.1", port), cwd=ROOT, env=environment)
        try:
            measured = measure({**facts, "port": port, "ahead": options.ahead}, options, server.pid)
        finally:
            server.terminate()
            server.wait(timeout=20)
        counted = run(environment, COUNT)
        print(
            f"  overlap: {counted['labels']:,} labels, more than {RATERS} on a case: {counted['more_than_k']}, "
            f"twice by one person: {counted['twice']}"
        )
    return measured


def measure(facts: dict[str, Any], options: argparse.Namespace, pid: int) -> Measured:
    wait_for(facts["port"])
    *many, warm, one = facts["passes"]
    label(facts, "warm", [warm], 30)
    before = cpu_seconds(pid)
    alone = label(facts, "one", [one], options.labels)
    cpu = (cpu_seconds(pid) - before) / options.labels * 1000
    median = statistics.median(alone["times"])
    print(
        f"  one annotator, submit + next: median {median:.1f} ms, p95 {p95(alone['times']):.1f} ms, "
        f"server CPU {cpu:.1f} ms per label"
    )
    before = cpu_seconds(pid)
    together = label(facts, "many", many, options.labels // 3)
    times, seconds = together["times"], together["seconds"]
    rate = len(times) / seconds
    print(
        f"  {len(many)} annotators: {rate:.0f} labels/s, median {statistics.median(times):.1f} ms, "
        f"p95 {p95(times):.1f} ms, server CPU {(cpu_seconds(pid) - before) / len(times) * 1000:.1f} ms per label; "
        f"server {memory(pid):.0f} MB; the client used {together['client_cpu'] / seconds:.0%} of a core"
    )
    for name, (both, labels, ten, used) in PEERS.items():
        print(
            f"    beside {name}: submit + next {both / median:.1f}x faster, {rate / labels:.1f}x the labels per "
            f"second, p95 with ten {ten / p95(times):.1f}x, CPU {used / cpu:.1f}x less"
        )
    return Measured(median, p95(alone["times"]), cpu, rate, p95(times))


def label(facts: dict[str, Any], name: str, passes: list[str], labels: int) -> dict[str, Any]:
    wish = {**facts, "name": name, "passes": passes, "labels": labels}
    client = [sys.executable, str(ROOT / "benchmarks" / "labelling_client.py")]
    done = subprocess.run(client, input=json.dumps(wish), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return dict(json.loads(done.stdout))


def run(environment: dict[str, str], code: str, *arguments: str) -> dict[str, Any]:
    script = f"import django; django.setup()\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return dict(json.loads(done.stdout.splitlines()[-1]))


def wait_for(port: int) -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    sys.exit("The server does not answer.")


def family(pid: int) -> list[Path]:
    """The process and its children, as folders of /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if pid in (int(folder.name), parent):
            found.append(folder)
    return found


def cpu_seconds(pid: int) -> float:
    fields = [(folder / "stat").read_text().rsplit(")", 1)[1].split() for folder in family(pid)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Of all its processes, shared pages counted once (MB)."""
    total = 0
    for folder in family(pid):
        rollup = (folder / "smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
    return total / 1024


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main()
