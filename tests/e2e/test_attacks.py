"""Attacks in a real browser: own data in, sets built, a registered model under them, files out, answers in."""

import os
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from evaluation.models import Attack, AttackScore
from tests.evaluation.attacks import factories as ground

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("TOUCHSTONE_SHOTS", "")
SIX = {"f1_o.tsv", "hashtag_check.tsv", "quoting_a_to_n.tsv", "corr_n_to_n.tsv", "corr_a_to_a.tsv", "flip_n_to_a.tsv"}


def look(page: Page, name: str, violations, is_too_wide) -> None:
    """No complaint of axe, not too wide for a phone; pictures where a folder is named."""
    assert violations(page) == []
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert not is_too_wide(page), (name, width)
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"{name}-{width}.png"), full_page=True)


def test_from_own_data_to_scores_of_two_models(page, sign_in, mira, tmp_path, violations, is_too_wide):
    ground.make_model(tmp_path, name="Linear words", by=mira)
    (tmp_path / "posts.csv").write_bytes(ground.as_csv())
    sign_in(page, mira)
    page.goto("/datasets/new/")
    page.get_by_label("Title").fill("Mild posts")
    page.locator("input[type=file]").first.set_input_files(tmp_path / "posts.csv")
    look(page, "dataset-new", violations, is_too_wide)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Mild posts")).to_be_visible()
    look(page, "dataset", violations, is_too_wide)

    page.get_by_role("link", name="Build an attack").click()
    page.get_by_label("Title").fill("Mild attack")
    page.get_by_label("Seed").fill("7")
    look(page, "attack-new", violations, is_too_wide)
    page.get_by_role("button", name="Build").click()
    expect(page.get_by_text("Waits for a free worker")).to_be_visible()
    ground.finish(Attack.objects.get().job)
    expect(page.get_by_role("heading", name="What was built")).to_be_visible(timeout=10_000)

    scores = page.get_by_role("region", name="Scores by model")
    expect(page.get_by_label("Model", exact=True)).to_contain_text("Linear words")
    page.get_by_role("button", name="Start the attack").click()
    expect(page.get_by_text("is being asked")).to_be_visible()
    ground.finish(AttackScore.objects.get().job)
    expect(page.locator("svg circle").first).to_be_visible(timeout=10_000)
    assert page.locator(".attack-chart svg[role=img] circle").count() == 5
    expect(scores.get_by_role("row", name="Linear words")).to_contain_text("%")

    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download the sets").click()
    files = []
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert {Path(name).name for name in archive.namelist()} >= SIX
        for name in archive.namelist():
            if name.endswith(".tsv"):
                lines = archive.read(name).decode().split("\n")[:-1]
                files.append(tmp_path / Path(name).name)
                files[-1].write_text("".join(f"{line}\t{line[-1]}\n" for line in lines))
    page.get_by_text("Upload the answers of a model that runs elsewhere").click()
    page.get_by_label("Name of the model").fill("All right")
    page.get_by_label("Answer files").set_input_files(files)
    page.get_by_role("button", name="Score the answers").click()
    expect(page.get_by_text("All right is scored.")).to_be_visible()
    expect(scores.get_by_role("row", name="All right")).to_contain_text("100")
    assert page.locator(".attack-chart svg[role=img] circle").count() == 10

    page.get_by_text("Upload the answers of a model that runs elsewhere").click()
    page.get_by_label("Name of the model").fill("In part")
    page.get_by_label("Answer files").set_input_files(files[:1])
    page.get_by_role("button", name="Score the answers").click()
    expect(scores.get_by_role("row", name="In part")).to_contain_text("undefined")
    look(page, "attack", violations, is_too_wide)

    scores.get_by_role("row", name="Linear words").get_by_role("link").nth(1).click()
    expect(page.get_by_role("heading", name="Abuse quoted in counter speech")).to_be_visible()
    expect(page.get_by_role("link", name="Download the answers")).to_be_visible()
    look(page, "attack-posts", violations, is_too_wide)

    page.goto("/attacks/")
    look(page, "attacks", violations, is_too_wide)
    page.goto("/models/linear-words/attacks/")
    expect(page.get_by_role("row", name="Mild attack")).to_be_visible()
    look(page, "attack-model", violations, is_too_wide)
