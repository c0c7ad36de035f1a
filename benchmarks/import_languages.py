"""Import Multilingual HateCheck with all ten languages at once, against each language alone: processor time.

    python -m benchmarks.import_languages                 # with ../shared/data/mhc
    python -m benchmarks.import_languages --data FOLDER

Claim: all at once takes at most a tenth more than the sum of the parts. Three languages are shared without their
cases; they get those of another language under their own ids, so that all ten have cases and labels. Every import runs
in a process of its own, into an empty database of its own: SQLite in a temporary folder.
"""

import argparse
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MORE = 1.10
LENDER = "dutch"  # its file has neither cases by gender nor columns for them
LANGUAGES = {
    "arabic": "ar", "dutch": "nl", "french": "fr", "german": "de", "hindi": "hi", "italian": "it", "mandarin": "zh",
    "polish": "pl", "portuguese": "pt", "spanish": "es",
}  # fmt: skip


def with_all_cases(data: Path, folder: Path) -> Path:
    """Copy the folder; a language without cases gets those of another one."""
    shutil.copytree(data, folder)
    for name in LANGUAGES:
        if not (folder / name / "final_cases.csv").exists():
            with (folder / LENDER / "final_cases.csv").open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
            lent = [[row[0].replace(LENDER, name), *row[1:]] for row in rows]
            with (folder / name / "final_cases.csv").open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([header, *lent])
    return folder


def manage(var: Path, *arguments: str) -> tuple[str, float]:
    """Run a command and return what it prints and the processor time it takes, in seconds."""
    env = os.environ | {"TOUCHSTONE_VAR": str(var)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def import_into_new(work: Path, data: Path, language: str = "") -> tuple[int, float]:
    """Return how many cases were imported into an empty database, and the processor time."""
    var = work / f"var-{language or 'all'}"
    shutil.copytree(work / "empty", var)
    chosen = ["--language", language] if language else []
    asked = ["import_suite", "mhc", "--format", "mhc", "--path", str(data), *chosen, "--json"]
    printed, seconds = manage(var, *asked)
    return json.loads(printed)["cases"], seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "mhc")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        data = with_all_cases(parser.parse_args().data, work / "data")
        (work / "empty").mkdir()
        manage(work / "empty", "migrate", "--verbosity", "0")
        manage(work / "empty", "load_catalogue")
        # Python and Django alone, taken off every import
        start = min(manage(work / "empty", "load_catalogue")[1] for _ in range(3))
        parts = 0.0
        for name, code in LANGUAGES.items():
            cases, seconds = import_into_new(work, data, code)
            parts += seconds - start
            print(f"{name:12} {cases:6,} cases {seconds - start:7.2f} s")
        cases, seconds = import_into_new(work, data)
    whole = seconds - start
    print(f"{'the parts':12} {'':6}       {parts:7.2f} s")
    print(f"{'all at once':12} {cases:6,} cases {whole:7.2f} s   {whole / parts:.2f} of the parts (at most {MORE})")
    return 0 if whole <= MORE * parts else 1


if __name__ == "__main__":
    raise SystemExit(main())
