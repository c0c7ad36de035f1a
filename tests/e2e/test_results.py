"""Somebody registers a model, runs it with live progress, compares two models and takes the report home."""

import os
from pathlib import Path

import pytest

from core.jobs import services as jobs
from core.models import Job
from evaluation.models import EvaluationRun
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model

pytestmark = pytest.mark.browser


@pytest.fixture
def release(transactional_db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def shot(page, name: str) -> None:
    """Pictures to look at, where somebody asks for them."""
    folder = os.environ.get("SHOTS")
    if folder:
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1440, "height": 900})


def test_from_a_model_to_its_report(page, sign_in, release, mira, violations, is_too_wide):
    run_model(release, "always_hateful", name="Always", by=mira)
    sign_in(page, mira)
    page.goto("/models/")
    page.get_by_role("link", name="Register a model").first.click()
    page.get_by_label("Name").fill("Words")
    page.get_by_label("Location").fill("python:tests.evaluation.factories:by_word")
    shot(page, "model-new")
    assert violations(page) == []
    page.get_by_role("button", name="Check and register").click()
    page.wait_for_url("**/jobs/**")
    jobs.perform(Job.objects.get(kind="evaluation.register").key, worker="test")
    page.get_by_role("link", name="See the result").click()

    page.get_by_label("Texts, one on each line").fill("I like rain.")
    page.get_by_role("button", name="Ask the model").click()
    page.get_by_text("A worker asks the model").wait_for()
    jobs.perform(Job.objects.get(kind="evaluation.try").key, worker="test")
    page.locator("#tried").get_by_text("non-hateful").wait_for()
    shot(page, "model")
    assert violations(page) == []

    page.get_by_role("button", name="Run version 1").click()
    page.get_by_text("Waiting for a free worker").wait_for()
    seen = []

    def look(done: int, total: int | None, message: str) -> None:
        if message == "asking the model" and not seen:
            page.get_by_text("asking the model").wait_for()
            seen.append(page.locator("progress").get_attribute("max"))

    run = EvaluationRun.objects.get(model_version__model__name="Words")
    jobs.perform(run.job.key, worker="test", on_progress=look)
    page.get_by_text("Macro F1").first.wait_for()
    assert seen == ["6"]
    page.wait_for_load_state("networkidle")
    shot(page, "run")
    assert violations(page) == []
    assert not is_too_wide(page)
    for tab in ("Groups, labels and F1", "Charts", "Scores"):
        page.get_by_role("link", name=tab).click()
        page.locator(f'.tabs a[aria-current]:text-is("{tab}")').wait_for()
        assert violations(page) == []
        assert not is_too_wide(page)
    page.get_by_label("Threshold").fill("0.3")
    page.get_by_role("button", name="Show the effect").click()
    page.get_by_role("heading", name="At the threshold 0.3").wait_for()
    shot(page, "run-scores")

    page.goto("/results/")
    shot(page, "results")
    assert violations(page) == []
    for tab in ("Groups, labels and F1", "Scores", "Two dimensions"):
        page.get_by_role("link", name=tab).click()
        page.locator(f'.tabs a[aria-current]:text-is("{tab}")').wait_for()
        shot(page, f"results-{tab.split()[0].strip(',').lower()}")
        assert violations(page) == []
        assert not is_too_wide(page)
    page.get_by_label("Rows").select_option("target")
    page.get_by_role("button", name="Show").last.click()
    page.get_by_role("heading", name="Target groups by languages").wait_for()
    page.get_by_role("link", name="Functionalities").first.click()
    with page.expect_download() as taken:
        page.get_by_role("link", name="HTML").click()
    assert "Expression of strong negative emotions" in Path(taken.value.path()).read_text()
    with page.expect_download() as taken:
        page.get_by_role("link", name="PDF").click()
    assert Path(taken.value.path()).read_bytes().startswith(b"%PDF-")

    page.get_by_role("link", name="Compare two models").click()
    page.get_by_text("sign flips").first.wait_for()
    shot(page, "compare")
    assert violations(page) == []

    page.goto(EvaluationRun.objects.get(model_version__model__name="Always").get_absolute_url())
    page.get_by_role("link", name="F19 Positive statements").click()
    page.get_by_text("I like immigrants.").wait_for()
    shot(page, "cases")
    assert violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    for address in ("/results/", "/models/", page.url, "/results/leaderboard/small/1.0.0/"):
        page.goto(address)
        assert not is_too_wide(page), address
