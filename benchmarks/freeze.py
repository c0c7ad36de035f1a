"""Freezing and exporting Multilingual HateCheck: seconds (and processor seconds) for its ten languages.

Run `python -m benchmarks.freeze [PATH_TO_MHC]` (about two minutes): templates and words are imported into a fresh
database, all cases are generated, the labels of the released languages are attached by text, then the suite is frozen
under `mark`, published, verified and exported in every format. Works on SQLite in a temporary folder; give
DATABASE_URL for PostgreSQL. On a busy machine look at the processor time.
"""

import ast
import csv
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

FOLDERS = {
    "ar": "arabic",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "nl": "dutch",
    "pt": "portuguese",
    "zh": "mandarin",
}


def timed(what: str, function: Callable[[], object]) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    function()
    print(f"{what:22} {time.perf_counter() - wall:6.2f} s  (processor {time.process_time() - processor:5.2f} s)")


def attach_labels(suite: object, mhc: Path) -> int:
    """The released labels, found again by language, template and text."""
    from curation.cases.verdicts import VerdictValue, record_verdicts
    from curation.models import TestCase

    cases = {
        (language, template, text): (pk, gold)
        for pk, language, template, text, gold in TestCase.objects.filter(suite=suite).values_list(
            "pk", "language__code", "template__key", "text", "gold_label"
        )
    }
    verdicts = []
    for language, folder in FOLDERS.items():
        with (mhc / folder / "final_cases.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found = cases.get((language, row["templ_id"], row["test_case"]))
                if found:
                    labels = tuple(ast.literal_eval(row["label_annotated"]))
                    agreeing = sum(label == found[1] for label in labels)
                    verdicts.append(VerdictValue(found[0], labels, agreeing, row["label_annotated_maj"]))
    return record_verdicts(verdicts, source="released labels")


def main(mhc: Path) -> None:
    with tempfile.TemporaryDirectory() as var:
        os.environ.setdefault("TOUCHSTONE_VAR", var)
        os.environ.setdefault("LOG_LEVEL", "ERROR")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        sys.path.insert(0, str(Path(__file__).parents[1]))
        import django

        django.setup()
        from django.core.management import call_command

        from curation.models import Suite
        from curation.publishing.export import FORMATS
        from curation.releases.building import build_release
        from curation.releases.export import export_release
        from curation.releases.services import publish_release, request_release
        from curation.releases.verifying import verify_release

        call_command("migrate", verbosity=0)
        with open(os.devnull, "w") as nowhere:
            call_command(
                "import_suite", "mhc", format="mhc", path=mhc, templates_only=True, stdout=nowhere, stderr=nowhere
            )
            call_command("generate_cases", "mhc", stdout=nowhere, stderr=nowhere)
        suite = Suite.objects.get(key="mhc")
        suite.raters, suite.threshold = 3, 3
        suite.save()
        labelled = attach_labels(suite, mhc)
        release = request_release(suite, "1.0.0", policy="mark", min_agree=3, by=None)
        timed("freeze", lambda: build_release(release))
        print(f"{release.facts['included']:,} cases, {labelled:,} of them labelled, sha256 {release.sha256}")
        timed("publish", lambda: publish_release(release, by=None))
        timed("verify", lambda: verify_release(release))
        for name in FORMATS:
            timed(f"export {name}", lambda name=name: export_release(release, Path(var) / name, formats=[name]))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "data" / "mhc")
