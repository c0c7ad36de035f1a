"""The whole way with real processes: register, run, lose the worker in the middle, finish, compare, take it home."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import PASSWORD
from tests.services.workers import Instance

pytestmark = pytest.mark.browser
CASES = 1500
CHUNK = 256
PATIENCE = 60_000  # milliseconds; a busy machine needs long to start a process
SLOW = "tests.evaluation.factories:slow"
ALWAYS = "tests.evaluation.factories:always_hateful"
PREPARE = f"""
import json
from django.core.management import call_command
from accounts.models import RoleGrant, User
from curation.models import Release
from tests.evaluation.factories import run_model
call_command("import_suite", "big", "--format", "csv", "--path", "{{table}}", "--language", "en")
call_command("freeze", "big", "--release", "1.0.0", "--min-agree", "0")
mira = User.objects.create_user("mira@example.org", "{PASSWORD}", name="Mira")
RoleGrant.objects.create(user=mira, role="maintainer", language="")
run_model(Release.objects.by_key("big@1.0.0").get(), "always_hateful", name="Always", by=mira)
print(json.dumps("ready"))
"""
FOUND = """
import json
from evaluation.models import EvaluationRun, RunChunk
run = EvaluationRun.objects.get(model_version__model__name="Slow")
cases = list(run.predictions.values_list("release_case_id", flat=True))
print(json.dumps([run.state, run.job.attempts, len(cases), len(set(cases)), RunChunk.objects.count()]))
"""


@pytest.fixture
def instance(tmp_path) -> Iterator[Instance]:
    found = Instance(tmp_path, "filesystem://")
    found.environment["ALLOWED_COMMAND_MODELS"] = f"{SLOW},{ALWAYS}"
    table = tmp_path / "cases.csv"
    lines = [
        f"derog_neg_emote_h,I dislike rain number {number}.,hateful"
        if number % 3
        else f"profanity_nh,I like rain number {number}.,non-hateful"
        for number in range(CASES)
    ]
    table.write_text("\n".join(["functionality,test_case,label_gold", *lines]) + "\n")
    assert found.python(PREPARE.format(table=table)) == "ready"
    yield found
    found.end()


@pytest.fixture
def page(chromium: Browser, instance: Instance) -> Iterator[Page]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    instance.start_web(port)
    context = chromium.new_context(base_url=f"http://127.0.0.1:{port}", viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield context.new_page()
    context.close()


def asked(instance: Instance) -> list[str]:
    """The cases the model was asked about, as far as it came; the few texts of the check are not among them."""
    return [line for line in (instance.folder / "asked.txt").read_text().splitlines() if "rain number" in line]


def watch_progress(page: Page) -> int:
    """Look at the bar, which moves by itself, until the first part of the run is done; how far it was then."""
    bar = page.locator(f"#run progress[max='{CASES}']")
    bar.wait_for()
    while (done := int(float(bar.get_attribute("value") or 0))) < CHUNK:
        page.wait_for_timeout(100)
    return done


def test_a_run_on_the_page_survives_the_death_of_its_worker(instance: Instance, page: Page):
    first = instance.start_worker()
    page.goto("/account/login/?next=/models/")
    page.get_by_label("Email").fill("mira@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Register a model").first.click()
    page.get_by_label("Name").fill("Slow")
    page.get_by_label("Location").fill(f"python:{SLOW}")
    page.get_by_role("button", name="Check and register").click()
    page.get_by_role("link", name="See the result").click()
    page.get_by_role("button", name="Run version 1").click()

    seen = watch_progress(page)
    instance.kill(first)
    assert CHUNK <= seen < CASES
    asked_before = len(asked(instance))
    assert CHUNK <= asked_before < CASES
    expect(page.get_by_text("asking the model")).to_be_visible()

    instance.start_worker()
    expect(page.get_by_text("Macro F1").first).to_be_visible()
    assert instance.python(FOUND) == ["done", 2, CASES, CASES, 0]
    assert len(set(asked(instance))) == CASES
    # Only the chunk that was in the dead worker's hands may have been asked again.
    assert len(asked(instance)) <= CASES + CHUNK

    page.goto("/results/?release=big@1.0.0")
    for name, begins in (("HTML", b"<!doctype html>"), ("PDF", b"%PDF-")):
        with page.expect_download() as taken:
            page.get_by_role("link", name=name).click()
        assert Path(taken.value.path()).read_bytes().lower().startswith(begins.lower())
    page.get_by_role("link", name="Compare two models").click()
    page.get_by_text("sign flips").first.wait_for()
    assert {"Always", "Slow"} <= set(page.locator("dl.stats dt").all_inner_texts())
