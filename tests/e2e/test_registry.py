"""Somebody chooses a model by name, and puts models and runs away."""

import os
from pathlib import Path

import pytest

from evaluation.models import DetectionModel
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model

pytestmark = pytest.mark.browser


@pytest.fixture
def release(transactional_db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def shot(page):
    def take(name: str) -> None:
        for width in (1440, 390) if os.environ.get("SHOTS") else ():
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=Path(os.environ["SHOTS"]) / f"{name}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1440, "height": 900})

    return take


def test_a_model_is_chosen_by_name(page, sign_in, mira, violations, is_too_wide, shot):
    sign_in(page, mira)
    page.goto("/models/")
    page.get_by_role("link", name="Models by name").click()
    page.locator("details#llama-guard-3-8b > summary").click()
    page.locator("details#openai-moderation > summary").click()
    page.locator("#llama-guard-3-8b").get_by_text("applies the model's chat template").wait_for()
    shot("presets")
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 900})
    assert not is_too_wide(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("#llama-guard-3-8b").get_by_role("link", name="Register this model").click()
    assert page.get_by_label("Location").input_value() == "preset:llama-guard-3-8b"
    assert "model: meta-llama/Llama-Guard-3-8B" in page.get_by_label("More settings").input_value()
    shot("preset-new")


def test_a_run_is_archived_and_a_model_deleted(page, sign_in, release, mira, violations, is_too_wide, shot):
    run = run_model(release, "by_word", name="Words", by=mira)
    sign_in(page, mira)
    page.goto(run.get_absolute_url())
    page.get_by_role("button", name="Archive").click()
    page.get_by_text("This run is archived").wait_for()
    shot("run-archived")
    assert violations(page) == []
    page.goto("/models/words/")
    page.get_by_role("link", name="Show 1 archived one").click()
    page.get_by_role("heading", name="Archived results").wait_for()
    shot("model-archive")
    assert violations(page) == []
    assert not is_too_wide(page)
    page.get_by_role("button", name="Archive").click()
    page.goto("/models/?archived")
    page.get_by_role("link", name="Words").click()
    page.get_by_text("This model is archived").wait_for()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("Deleted.").wait_for()
    assert not DetectionModel.objects.exists()
    shot("models-empty")
