"""Pages of splits: building with every choice, publishing, and what an experiment says."""

import json

import pytest
from django.urls import reverse

from core.models import Job
from core.text import KEPT
from curation.catalogue import loading as catalogue
from curation.models import Release
from curation.releases.services import publish_release
from evaluation.artefacts.services import folder_of
from evaluation.models import Split
from evaluation.splits import experiments
from evaluation.splits.options import ExperimentOptions
from evaluation.splits.services import picture_of
from tests.evaluation.attacks.factories import finish, make_dataset, make_split
from tests.evaluation.splits.factories import FEW, vectors_upload
from tests.html import one_line

pytestmark = pytest.mark.django_db
CHOICES = {"method": "closest", "share": 0.1, "independent_share": 0.1, "seed": 1, "k_min": 3, "k_max": 6}
RELEASE = {"key": "mild-split", "version": "1.0.0", "name": "Mild split", "licence": "CC0-1.0", "language": "en"}


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def page(client, mira):
    catalogue.load_catalogue()
    client.force_login(mira)
    return client


def new_split(dataset) -> str:
    return reverse("evaluation:split-new") + f"?dataset={dataset.key}"


def test_the_form_offers_every_representation(page, mira):
    shown = page.get(new_split(make_dataset(mira))).content.decode()
    for words in (
        "Linear bottleneck, trained with the encoder",
        "UMAP",
        "Mean of the tokens",
        "10, 50 or 200 in the paper",
    ):
        assert words in shown


@pytest.mark.parametrize(("method", "is_proven"), [("subset_sum", True), ("closest", False)])
def test_only_a_subset_sum_is_said_to_be_proven_best(page, mira, method, is_proven):
    split = make_split(mira, method=method, vectors=vectors_upload(), **FEW)
    assert ("proven best" in page.get(split.get_absolute_url()).content.decode()) == is_proven


def test_a_split_from_uploaded_vectors_lends_them_to_the_next(page, mira):
    dataset = make_dataset(mira)
    page.post(new_split(dataset), {**CHOICES, "vectors": vectors_upload(), "keywords": "lousy\n\n awful "})
    first = Split.objects.get()
    finish(first.job)
    assert first.choices["keywords"] == ["lousy", "awful"]
    assert first.title in page.get(new_split(dataset)).content.decode()
    page.post(new_split(dataset), {**CHOICES, "method": "subset_sum", "vectors_of": first.key})
    second = Split.objects.exclude(pk=first.pk).get()
    finish(second.job)
    second.refresh_from_db()
    assert second.report["dimensions"] == 6
    vectors = page.get(reverse("evaluation:split-file", args=[second.key, "vectors.npy"]))
    assert b"".join(vectors.streaming_content).startswith(b"\x93NUMPY")


def test_what_is_wrong_is_said_at_its_field_and_the_section_stands_open(page, mira):
    answer = page.post(new_split(make_dataset(mira)), {**CHOICES, "k_min": 1, "vectors": vectors_upload()})
    assert answer.status_code == 422
    sections = {title: is_open for title, _, is_open in answer.context["form"].sections()}
    assert sections["Clusters"]
    assert not sections["How the encoder makes the vectors"]


def test_a_split_is_made_a_release_and_published(page, mira):
    split = make_split(mira, independent_share=0.1)
    shown = page.get(split.get_absolute_url()).content.decode()
    assert "Make a release" in shown
    answer = page.post(reverse("evaluation:split-release", args=[split.key]), RELEASE)
    release = Release.objects.get()
    assert answer.url == release.get_absolute_url()
    finish(Job.objects.get(kind="curation.build_release"))
    release.refresh_from_db()
    publish_release(release, by=mira, reason="For a test.")
    again = page.get(split.get_absolute_url()).content.decode()
    assert "mild-split@1.0.0" in again
    assert "Make a release" not in again
    assert page.get(release.get_absolute_url()).status_code == 200


def test_a_release_that_cannot_be_made_says_why(page, mira, client, emil):
    split = make_split(mira)
    url = reverse("evaluation:split-release", args=[split.key])
    assert "not a version" in page.post(url, {**RELEASE, "version": "first"}, follow=True).content.decode()
    assert "Language: " in page.post(url, {**RELEASE, "language": "xx"}, follow=True).content.decode()
    assert not Release.objects.exists()
    assert page.get(url).status_code == 405
    client.force_login(emil)
    assert client.post(url, RELEASE).status_code in (403, 404)


def test_an_experiment_shows_both_measures_and_the_correlations(page, mira):
    dataset = make_dataset(mira)
    splits = [make_split(mira, dataset=dataset, independent_share=0.1)]
    for seed_share in (0.1, 0.15, 0.2):
        splits.append(
            make_split(mira, dataset=dataset, method="closest", vectors=vectors_upload(), share=seed_share,
                       independent_share=0.1, **FEW)
        )  # fmt: skip
    experiment = experiments.request_experiment(splits, ExperimentOptions(trainer="linear", seeds=[1, 2]), by=mira)
    finish(experiment.job)
    shown = page.get(experiment.get_absolute_url()).content.decode()
    for words in ("Accuracy, independent", "Correlations with the drop"):
        assert words in shown
    assert "Pearson" not in shown  # nothing varies on data this easy
    for form, begins in (("tex", b"% Results on splits"), ("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("svg", b"<svg")):
        address = reverse("evaluation:experiment-sheet", args=[experiment.key, form])
        assert address in shown
        assert page.get(address).content.startswith(begins)
    for number, split in enumerate(splits):
        result = split.results.first()
        split.results.update(test={**result.test, "f1_by_class": {"abusive": 0.9 - number / 10}})
    assert "Pearson" in page.get(experiment.get_absolute_url()).content.decode()


def test_the_page_of_a_split_costs_the_same_with_and_without_releases(page, mira, django_assert_max_num_queries):
    split = make_split(mira)
    page.post(reverse("evaluation:split-release", args=[split.key]), RELEASE)
    with django_assert_max_num_queries(14):
        page.get(split.get_absolute_url())


def test_the_picture_has_the_words_of_the_reader_and_its_file_stays(page, mira):
    split = make_split(mira, method="closest", vectors=vectors_upload(), independent_share=0.1, **FEW)
    drawn = page.get(reverse("evaluation:split-picture", args=[split.key, "part", "svg"])).content.decode()
    for name in ("Training", "Test", "Independent"):
        assert f">{name}</text>" in drawn
    assert ">train</text>" in picture_of(split, "part").read_text(encoding="utf-8")
    for form, begins in (("pdf", b"%PDF-"), ("png", b"\x89PNG")):
        assert page.get(reverse("evaluation:split-picture", args=[split.key, "part", form])).content.startswith(begins)
    labels = page.get(reverse("evaluation:split-picture", args=[split.key, "label", "svg"])).content
    assert labels == picture_of(split, "label").read_bytes()


def test_what_names_the_vectors_is_kept_as_a_text_and_english_in_files_and_api(page, mira):
    upload = vectors_upload()
    upload.name = "mine.npy"
    split = make_split(mira, method="closest", vectors=upload, **FEW)
    assert split.report["representation"][KEPT]["message"] == "imported %(file)s %(checksum)s"
    written = json.loads((folder_of(split) / "report.json").read_text(encoding="utf-8"))
    assert written["representation"].startswith("imported mine.npy ")
    assert page.get(f"/api/v1/splits/{split.key}/").json()["report"]["representation"] == written["representation"]
    assert written["representation"] in (folder_of(split) / "eval_card.md").read_text(encoding="utf-8")
    shown = page.get(split.get_absolute_url()).content.decode()
    assert written["representation"] in shown
    assert "Vectors: The file does not say which data set the vectors belong to. Make sure" in one_line(shown)
