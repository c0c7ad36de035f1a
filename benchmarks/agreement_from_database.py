"""Fleiss' kappa of 1,000,000 cases with five labels each, from the database to the number.

    DATABASE_URL=sqlite:////tmp/bench.sqlite3 python -m benchmarks.agreement_from_database --fill
    DATABASE_URL=postgres://... python -m benchmarks.agreement_from_database --fill

The claim: under 2 s on SQLite and on PostgreSQL. Beside it the peer's way: fetch the labels, then statsmodels. The
database must be an empty one of its own: `--fill` migrates it and writes a campaign; without it an earlier one is used.
"""

import argparse
import os
import time

import django
import numpy as np

from benchmarks.kappa import best_of, invent

CLAIM = 2.0
KEY = "benchmark-labels"
LABELS = ["hateful", "non-hateful"]


def fill(labels: np.ndarray) -> None:
    """A closed campaign with as many cases as the table has rows, written by the database itself."""
    from django.core.management import call_command
    from django.db import connection

    from annotation.models import Annotator, Campaign
    from curation.models import Suite

    call_command("migrate", verbosity=0)
    suite = Suite.objects.create(key="benchmark", name="Benchmark", labels=LABELS)
    campaign = Campaign.objects.create(key=KEY, title="Benchmark", suite=suite, labels=LABELS, state="closed").pk
    people = [Annotator.objects.create().pk for _ in range(labels.shape[1])]
    rows = [[number, *row] for number, row in enumerate(labels.tolist(), 1)]
    columns = ", ".join(f"l{slot}" for slot in range(1, len(people) + 1))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")  # foreign keys are right by construction
        cursor.execute(f"CREATE TEMPORARY TABLE given (n integer, {columns.replace(',', ' integer,')} integer)")
        marks = ", ".join(["%s"] * (len(people) + 1))
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY given (n, {columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            cursor.executemany(f"INSERT INTO given VALUES ({marks})", rows)
        cursor.execute(
            "INSERT INTO annotation_campaignitem (id, campaign_id, text, role, expected, explanation, position,"
            " is_reserved) SELECT n, %s, '', 'label', '', '', n, FALSE FROM given",
            [campaign],
        )
        for slot, person in enumerate(people, 1):
            cursor.execute(
                "INSERT INTO annotation_assignment"
                ' (key, campaign_id, item_id, slot, annotator_id, state, "order", label)'
                f" SELECT n || '-' || %s, %s, n, %s, %s, 'done', n, CASE l{slot} WHEN 1 THEN 'hateful' ELSE"
                " 'non-hateful' END FROM given",
                [str(slot), campaign, slot, person],
            )
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--cases", type=int, default=1_000_000)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--fill", action="store_true", help="migrate and write the labels first")
    options.add_argument("--peer", action="store_true", help="also fetch all labels and ask statsmodels")
    chosen = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.db import connection

    from annotation.labels.vote_counting import vote_patterns
    from annotation.measures.coefficients import Measured, fleiss_kappa
    from annotation.models import Assignment, Campaign

    if chosen.fill:
        start = time.perf_counter()
        fill(invent(chosen.cases))
        print(f"filled in {time.perf_counter() - start:.0f} s")
    campaign = Campaign.objects.get(key=KEY)
    labels = Assignment.objects.filter(campaign=campaign).count()
    busy = time.process_time()

    def kappa_from_database() -> Measured:
        patterns, cases = vote_patterns([campaign.pk], LABELS)
        return fleiss_kappa(patterns, cases_per_row=cases)

    seconds, found = best_of(chosen.repeat, kappa_from_database)
    busy = (time.process_time() - busy) / chosen.repeat
    print(f"{connection.vendor}: {labels:,} labels, kappa {found.value:.6f} in {seconds:.2f} s")  # type: ignore[attr-defined]
    print(f"processor time of this process {busy:.2f} s; load of the machine {os.getloadavg()[0]:.1f}")
    print("claim (under 2 s):", "holds" if seconds < CLAIM else "FAILS")
    if chosen.peer:
        _show_peer(campaign.pk, seconds)


def _show_peer(campaign: int, ours: float) -> None:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    from annotation.models import Assignment

    def fetch_and_compute() -> float:
        rows = (
            Assignment.objects.filter(campaign_id=campaign).order_by("item_id", "slot").values_list("label", flat=True)
        )
        given = np.fromiter((label == LABELS[0] for label in rows.iterator(chunk_size=20_000)), np.int64)
        return float(fleiss_kappa(aggregate_raters(given.reshape(-1, 5))[0]))

    seconds, value = best_of(1, fetch_and_compute)
    print(f"fetching all labels, then statsmodels: {value:.6f} in {seconds:.1f} s ({seconds / ours:.0f} times as long)")


if __name__ == "__main__":
    main()
