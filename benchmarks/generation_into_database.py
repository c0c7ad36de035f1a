"""All ten languages of Multilingual HateCheck generated into the configured database: cases per second, and memory.

    python -m benchmarks.generation_into_database [PATH_TO_MHC]                  # SQLite in a folder of its own
    DATABASE_URL=postgres://user@127.0.0.1/benchmark python -m benchmarks.generation_into_database

Claim: at least 10,000 cases per second (processor time, so that a busy machine does not decide). Exits 1 if it fails.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

CLAIM = 10_000


def main() -> int:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "data" / "mhc"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["TOUCHSTONE_VAR"] = tempfile.mkdtemp(prefix="touchstone-benchmark-")
    os.environ["LOG_LEVEL"] = "ERROR"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from curation.cases.generating import generate_cases
    from curation.formats.registry import read_suite
    from curation.importing.services import import_values
    from curation.models import Suite

    call_command("migrate", verbosity=0)
    key = f"benchmark-{os.getpid()}"
    import_values(key, read_suite("mhc", data, templates_only=True), format_name="mhc")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, processor = time.perf_counter(), time.process_time()
    report = generate_cases(Suite.objects.get(key=key))
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    made, speed = report.generated, report.generated / processor
    print(f"{connection.vendor}: {made:,} cases, {processor:.2f} s of processor time, {wall:.2f} s on the clock")
    print(f"{speed:,.0f} cases per second of processor time (claim: {CLAIM:,}); memory grew by {grown:.0f} MB")
    return 0 if speed >= CLAIM else 1


if __name__ == "__main__":
    sys.exit(main())
