"""Somebody brings data and vectors, sees a latent split, trains on it, and publishes it."""

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from core.jobs import services as jobs
from core.models import Job
from curation.catalogue import loading as catalogue
from curation.models import Release
from evaluation.models import Experiment, Split
from tests.evaluation.attacks.factories import as_csv, rows

pytestmark = pytest.mark.browser


@pytest.fixture
def uploads(transactional_db, settings, tmp_path):
    settings.VAR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "uploads"
    catalogue.load_catalogue()
    return tmp_path


def shot(page, name: str) -> None:
    """Pictures to look at, where somebody asks for them."""
    folder = os.environ.get("SHOTS")
    if folder:
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1440, "height": 900})


def work(kind: str, **options) -> None:
    """What a worker would do."""
    done = jobs.perform(Job.objects.filter(kind=kind, state="queued").get().key, worker="test", **options)
    assert done is not None
    assert done.state == "done", done.error


def regions(number: int) -> bytes:
    """Vectors in four regions of the plane, with some noise: a latent split hides one of them."""
    random = np.random.default_rng(1)
    places = np.array([[0, 0], [6, 0], [0, 6], [6, 6]])[[row % 4 for row in range(number)]]
    content = io.BytesIO()
    np.save(content, (places + random.normal(size=(number, 2))).astype("float32"))
    return content.getvalue()


def test_from_data_to_a_published_split(page, sign_in, uploads, mira, violations, is_too_wide):
    sign_in(page, mira)
    page.goto("/datasets/new/")
    page.get_by_label("Title").fill("Mild posts")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "posts.csv", "mimeType": "text/csv", "buffer": as_csv()}
    )
    page.locator("select[name=language], input[name=language]").first.evaluate("node => { node.value = 'en' }")
    page.get_by_role("button", name="Import").click()
    page.get_by_role("heading", name="Mild posts").wait_for()

    page.goto("/splits/")
    shot(page, "splits-empty")
    assert violations(page) == []
    page.get_by_role("link", name="Build a split").first.click()
    page.get_by_role("link", name="Mild posts").click()
    page.get_by_label("Vectors (.npy)").set_input_files(
        {"name": "v.npy", "mimeType": "application/octet-stream", "buffer": regions(len(rows()))}
    )
    page.get_by_label("Independent share").fill("0.1")
    page.get_by_text("Clusters", exact=True).click()
    page.get_by_label("Most clusters").fill("8")
    page.get_by_text("How the encoder makes the vectors").click()
    page.get_by_text("Measurements and picture").click()
    shot(page, "split-new")
    assert violations(page) == []
    assert not is_too_wide(page)
    page.get_by_role("button", name="Build").click()
    page.get_by_text("Waits for a free worker").wait_for()
    work("evaluation.build_split")
    page.get_by_role("heading", name="Picture").wait_for()

    split = Split.objects.get()
    for colour in ("part", "label"):
        drawing = page.get_by_role("img", name=f"coloured by {colour}")
        drawing.scroll_into_view_if_needed()
        drawing.evaluate("node => node.decode()")
        assert drawing.evaluate("node => node.naturalWidth") > 300
    page.wait_for_load_state("networkidle")
    shot(page, "split")
    assert violations(page) == []
    counts = page.get_by_role("table", name="Examples by part and class")
    assert counts.get_by_role("row").nth(2).inner_text().split() == ["Test", "4", "7", "11"]
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download everything").click()
    assert "test.jsonl" in zipfile.ZipFile(taken.value.path()).namelist()
    with page.expect_download() as taken:
        page.get_by_role("link", name="eval_card.md").click()
    assert "shift type" in Path(taken.value.path()).read_text(encoding="utf-8")

    page.goto("/splits/new/?dataset=" + split.dataset.key)
    page.get_by_label("Method").select_option("random")
    page.get_by_label("Independent share").fill("0.1")
    page.get_by_role("button", name="Build").click()
    work("evaluation.build_split")
    page.get_by_role("heading", name="Classes").wait_for()
    page.get_by_role("link", name="Train on this split").click()
    for choice in page.get_by_role("checkbox").all():
        choice.check()
    shot(page, "experiment-new")
    assert violations(page) == []
    page.get_by_role("button", name="Train").click()
    work("evaluation.run_experiment")
    page.goto(Experiment.objects.get().get_absolute_url())
    page.get_by_role("heading", name="Results").wait_for()
    shot(page, "experiment")
    assert violations(page) == []
    assert not is_too_wide(page)

    page.goto(split.get_absolute_url())
    page.get_by_text("Make a release").click()
    page.get_by_label("Key", exact=True).fill("mild-split")
    page.get_by_label("Licence").fill("CC0-1.0")
    page.get_by_role("button", name="Build the release").click()
    page.wait_for_url("**/releases/mild-split/1.0.0/**")
    work("curation.build_release")
    page.reload()
    shot(page, "split-release")
    page.get_by_role("link", name="Publish …").click()
    page.get_by_label("Reason for publishing with open points").fill("A split of data that was labelled elsewhere.")
    page.get_by_role("button", name="Publish permanently").click()
    page.get_by_text("Published").first.wait_for()
    release = Release.objects.get()
    assert release.state == "published"
    page.get_by_role("link", name="Downloads").click()
    with page.expect_download() as taken:
        page.locator("a[href*='/downloads/csv/']").first.click()
    assert any(name.endswith("annexes/split/eval_card.md") for name in zipfile.ZipFile(taken.value.path()).namelist())
    page.goto(split.get_absolute_url())
    page.get_by_role("link", name="mild-split@1.0.0").wait_for()
    shot(page, "split-published")
    assert violations(page) == []
    page.goto("/splits/")
    shot(page, "splits")
    assert violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    for address in ("/splits/", split.get_absolute_url(), Experiment.objects.get().get_absolute_url()):
        page.goto(address)
        assert not is_too_wide(page), address
