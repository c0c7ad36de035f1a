"""The page of results for 36,582 cases and 10 models, from stored measures.

Claim: under 300 ms. A release of that size is built in a database of its own from made-up sentences with the shape of
Multilingual HateCheck (ten languages, 27 functionalities, seven target groups), ten models answer at random but
differently well, and the page is asked for as a signed-in maintainer, queries and template included.

    python -m benchmarks.report_page [--cases 36582] [--models 10] [--rounds 9]
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CLAIM = 0.3  # seconds
LANGUAGES = ("ar", "zh", "nl", "fr", "de", "hi", "it", "pl", "pt", "es")
TARGETS = ("women", "gay people", "trans people", "Muslims", "immigrants", "Black people", "disabled people")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=36_582)
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "TOUCHSTONE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "ERROR",
            "ALLOWED_HOSTS": "testserver,localhost",
        }
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        release = build(options.cases)
        for number in range(options.models):
            add_model(release, number)
        measure(release, rounds=options.rounds)


def build(cases: int) -> Any:
    """A published release of so many cases, made directly: what is measured is reading."""
    from curation.models import Release, ReleaseCase, Suite

    suite = Suite.objects.create(key="big", name="Big")
    release = Release.objects.create(suite=suite, version="1.0.0", min_agree=0)
    made = []
    for number in range(cases):
        functionality = number % 27
        label = "hateful" if functionality < 18 else "non-hateful"
        made.append(
            ReleaseCase(
                release=release, position=number, key=f"c{number}", language=LANGUAGES[number * 10 // cases],
                functionality=f"f{functionality:02d}_{'h' if label == 'hateful' else 'nh'}",
                functionality_class=f"class {functionality // 3}", text=f"Mild sentence number {number}.", label=label,
                targets=[TARGETS[number % 7]], template=str(number // 7),
                template_text="I like [identity:Number=Plur].", is_about_identity=True,
                focus_lemma=f"word {number % 400}", origin="template", labels_given=[label] * 3,
                text_hash=f"{number:032x}",
                sha256=f"{number:064x}", direction="general" if number % 2 else "directed",
            )
        )  # fmt: skip
    ReleaseCase.objects.bulk_create(made, batch_size=500)
    Release.objects.filter(pk=release.pk).update(state="published", sha256="0" * 64, facts={"included": cases})
    return Release.objects.select_related("suite").get(pk=release.pk)


def add_model(release: Any, number: int) -> None:
    """A finished run whose answers are right with a chance of its own."""
    from django.utils import timezone

    from evaluation.models import DetectionModel, EvaluationRun, ModelVersion
    from evaluation.runners import Answer
    from evaluation.runs.answers import store_answers
    from evaluation.runs.scoring import score_run

    chance = random.Random(number)
    model = DetectionModel.objects.create(key=f"m{number}", name=f"Model {number}")
    version = ModelVersion.objects.create(model=model, number=1, spec="upload", fingerprint=str(number))
    run = EvaluationRun.objects.create(release=release, model_version=version, state="running")
    other = {"hateful": "non-hateful", "non-hateful": "hateful"}
    answers = []
    for case_id, label in release.cases.values_list("id", "label"):
        is_right = chance.random() < 0.55 + 0.04 * (number % 10)
        said = label if is_right else other[label]
        answers.append((case_id, Answer(said, score=chance.random() / 2 + (0.5 if said == "hateful" else 0))))
    store_answers(run, answers)
    started = time.perf_counter()
    score_run(run)
    sys.stderr.write(f"model {number}: measured in {time.perf_counter() - started:.1f} s\n")
    EvaluationRun.objects.filter(pk=run.pk).update(state="done", finished_at=timezone.now())


def measure(release: Any, *, rounds: int) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    from accounts.models import RoleGrant, User
    from evaluation.models import Report

    mira = User.objects.create_user("mira@example.org", None, name="Mira")
    RoleGrant.objects.create(user=mira, role="maintainer", language="")
    client = Client()
    client.force_login(mira)
    address = reverse("evaluation:results") + f"?release={release.key}"
    with CaptureQueriesContext(
        connection,
    ) as queries:
        size = len(client.get(address).content)
    asked = len(queries)
    times, processor = [], time.process_time()
    for _ in range(rounds):
        started = time.perf_counter()
        response = client.get(address)
        times.append(time.perf_counter() - started)
        assert response.status_code == 200
    processor = (time.process_time() - processor) / rounds
    stored = sum(len(str(values)) for values in Report.objects.values_list("values", flat=True))
    median = statistics.median(times)
    sys.stdout.write(
        f"{release.cases.count():,} cases, {Report.objects.count()} models: median {1000 * median:.0f} ms, "
        f"best {1000 * min(times):.0f} ms, processor {1000 * processor:.0f} ms, {asked} queries, "
        f"page {size / 1000:.0f} kB, "
        f"stored {stored / 1e6:.1f} MB. "
        f"Claim {1000 * CLAIM:.0f} ms: {'met' if median < CLAIM else 'NOT met'}\n"
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    main()
