"""Freezing, publishing, verifying and exporting through the database as suites grow: seconds and peak memory.

    python -m benchmarks.release_growth                    # 100,000 cases
    python -m benchmarks.release_growth 100000 1000000     # and a million (about ten minutes)

Claims: memory stays under 1 GB and is flat (at a million cases at most a quarter more than at 100,000), and processor
time grows no faster than the number of cases (a seventh more is taken for noise; where others use the machine, it can
be a third: measure again). Works on SQLite in a temporary folder; give DATABASE_URL for PostgreSQL. Every step runs in
a process of its own, so that peaks do not add up. The cases are made up: ten languages, seven groups, ten cases per
template, five labels each, one case in fifty disputed.
"""

import argparse
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

LIMIT_MB = 1_000
MORE_MEMORY = 1.25
MORE_TIME_PER_CASE = 1.15
STEPS = ("build", "publish", "verify", "csv", "jsonl", "parquet", "huggingface", "croissant", "mhc")
LANGUAGES = ("ar", "de", "es", "fr", "hi", "it", "nl", "pl", "pt", "zh")
PER_TEMPLATE = 10
GROUPS = 7


def fill(count: int) -> None:
    """A suite of so many labelled cases, written as fast as the database takes them."""
    from django.core.management import call_command
    from django.utils import timezone

    from core.bulk import JsonText, insert_rows
    from curation.authoring.models import TemplateVersion
    from curation.models import (
        CaseVerdict,
        Functionality,
        Language,
        Suite,
        TargetGroup,
        Template,
        TemplateVariant,
        TestCase,
    )
    from curation.morphology.identity import text_hash

    call_command("load_catalogue", verbosity=0, stdout=io.StringIO())
    suite = Suite.objects.create(key="growth", name="Growth", licence="CC-BY-4.0")
    languages = list(Language.objects.filter(code__in=LANGUAGES).order_by("code").values_list("pk", "code"))
    functionalities = list(Functionality.objects.order_by("pk").values_list("pk", "gold_label"))
    now, nothing, empty = timezone.now(), JsonText("{}"), JsonText("null")
    for language, _ in languages:
        TargetGroup.objects.bulk_create(TargetGroup(language_id=language, name=f"group {n}") for n in range(GROUPS))
    targets = {
        language: list(TargetGroup.objects.filter(language=language).values_list("pk", flat=True))
        for language, _ in languages
    }
    templates = range(1, count // PER_TEMPLATE + 1)

    def place(template: int) -> tuple[int, str, int, str]:
        language, code = languages[template % len(languages)]
        return language, code, *functionalities[template % len(functionalities)]

    wording = "Sentence number {n} with [identity], neither kind nor unkind."
    insert_rows(
        Template,
        ("id", "suite", "language", "functionality", "key", "position", "refers_to", "relation", "source_text",
         "direction", "focus_words", "focus_lemma", "drafts", "extra"),
        ((n, suite.pk, place(n)[0], place(n)[2], str(n), n, *[""] * 6, nothing, nothing) for n in templates),
    )  # fmt: skip
    insert_rows(
        TemplateVersion,
        ("id", "template", "number", "state", "defaults", "reason", "created_at"),
        ((n, n, 1, "draft", "", "", now) for n in templates),
    )
    insert_rows(
        TemplateVariant,
        ("id", "version", "features", "text", "position"),
        ((n, n, "", wording.format(n=n), 0) for n in templates),
    )
    TemplateVersion.objects.update(state="approved")

    def cases() -> Iterator[tuple[Any, ...]]:
        for number in range(1, len(templates) * PER_TEMPLATE + 1):
            template = (number - 1) // PER_TEMPLATE + 1
            language, code, functionality, _ = place(template)
            text = f"Sentence number {number} of this benchmark, neither kind nor unkind."
            provenance = JsonText(
                f'{{"features": "Number=Plur", "form": "group {number % 97}", "template_version": 1}}'
            )
            yield (
                number, suite.pk, language, functionality, f"{code}-{number}", text, "template", "ready",
                targets[language][number % GROUPS], template, template, True, "", "", "", "", text_hash(text),
                f"{number:032x}", provenance, empty, number, now,
            )  # fmt: skip

    insert_rows(
        TestCase,
        ("id", "suite", "language", "functionality", "key", "text", "origin", "state", "target", "template", "variant",
         "is_about_identity", "refers_to", "direction", "focus_words", "focus_lemma", "text_hash", "identity_hash",
         "provenance", "extra", "position", "created_at"),
        cases(),
    )  # fmt: skip

    def verdicts() -> Iterator[tuple[Any, ...]]:
        other = {"hateful": "non-hateful", "non-hateful": "hateful"}
        for number in range(1, len(templates) * PER_TEMPLATE + 1):
            gold = place((number - 1) // PER_TEMPLATE + 1)[3]
            agreeing = 2 if number % 50 == 0 else 5
            labels = JsonText(json.dumps([gold] * agreeing + [other[gold]] * (5 - agreeing)))
            yield number, "benchmark", labels, 5, agreeing, gold if agreeing > 2 else other[gold], 0, "", "", now

    insert_rows(
        CaseVerdict,
        ("case", "source", "labels", "raters", "agreeing", "majority", "flagged_unrealistic", "adjudicated", "reason",
         "decided_at"),
        verdicts(),
    )  # fmt: skip


def step(name: str, folder: Path) -> None:
    """One step of a release's life."""
    from curation.models import Release, Suite
    from curation.releases.building import build_release
    from curation.releases.export import export_release
    from curation.releases.services import publish_release, request_release
    from curation.releases.verifying import verify_release

    if name == "build":
        build_release(request_release(Suite.objects.get(key="growth"), "1.0.0", policy="mark", by=None))
        return
    release = Release.objects.get(suite__key="growth", version="1.0.0")
    if name == "publish":
        publish_release(release, by=None)
    elif name == "verify":
        assert verify_release(release).is_intact
    else:
        export_release(release, folder / name, formats=[name])


def measure(name: str, folder: Path, count: int) -> dict[str, float]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import transaction

    start, processor = time.perf_counter(), time.process_time()
    if name == "fill":
        call_command("migrate", verbosity=0)
        with transaction.atomic():
            fill(count)
    else:
        step(name, folder)
    return {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - processor,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def in_subprocess(name: str, folder: str, count: int) -> dict[str, float]:
    environment = {**os.environ, "TOUCHSTONE_VAR": folder, "LOG_LEVEL": "ERROR"}
    environment.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = [sys.executable, "-m", "benchmarks.release_growth", "--step", name, folder, str(count)]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    measured: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    return measured


def main(counts: list[int], steps: Sequence[str]) -> int:
    print(f"{'step':12} {'cases':>9} {'seconds':>8} {'CPU s':>7} {'cases/CPU s':>12} {'MB':>6}")
    found: dict[int, dict[str, dict[str, float]]] = {}
    for count in sorted(counts):
        with tempfile.TemporaryDirectory() as folder:
            in_subprocess("fill", folder, count)
            for name in steps:
                measured = found.setdefault(count, {})[name] = in_subprocess(name, folder, count)
                speed = count / measured["processor"]
                print(
                    f"{name:12} {count:9,} {measured['seconds']:8.1f} {measured['processor']:7.1f} {speed:12,.0f} "
                    f"{measured['megabytes']:6.0f}",
                    flush=True,
                )
    worst = max(measured["megabytes"] for by_step in found.values() for measured in by_step.values())
    print(f"peak {worst:.0f} MB, claim: under {LIMIT_MB:,} MB")
    grows_as_claimed = [grew_as_claimed(name, found) for name in steps if len(found) > 1]
    return 0 if worst < LIMIT_MB and all(grows_as_claimed) else 1


def grew_as_claimed(name: str, found: dict[int, dict[str, dict[str, float]]]) -> bool:
    """Compares a step on the largest suite with itself on the smallest."""
    least, most = min(found), max(found)
    memory = found[most][name]["megabytes"] / found[least][name]["megabytes"]
    time_per_case = found[most][name]["processor"] / found[least][name]["processor"] / (most / least)
    bytes_per_case = (found[most][name]["megabytes"] - found[least][name]["megabytes"]) * 2**20 / (most - least)
    print(
        f"{name:12} {most:,} cases against {least:,}: memory x {memory:.2f} ({bytes_per_case:.0f} bytes per case; "
        f"claim: x {MORE_MEMORY}), processor time per case x {time_per_case:.2f} (claim: x {MORE_TIME_PER_CASE})"
    )
    return memory <= MORE_MEMORY and time_per_case <= MORE_TIME_PER_CASE


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps(measure(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))))
    else:
        parser = argparse.ArgumentParser()
        parser.add_argument("counts", type=int, nargs="*", default=[100_000])
        parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
        options = parser.parse_args()
        sys.exit(main(options.counts, options.steps))
