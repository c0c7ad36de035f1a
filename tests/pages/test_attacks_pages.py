"""Pages of data sets, attacks, splits and experiments."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from curation.models import Suite
from evaluation.models import Attack, Dataset, Experiment, Split
from evaluation.services import attack_scores
from tests.attack_ground import finish, make_attack, make_dataset, make_model, make_split, upload

pytestmark = pytest.mark.django_db
LISTS = ["evaluation:datasets", "evaluation:attacks", "evaluation:splits"]
FORMS = ["evaluation:dataset-new", "evaluation:attack-new", "evaluation:split-new"]


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def page(client, mira):
    client.force_login(mira)
    return client


@pytest.mark.parametrize("name", [*LISTS, *FORMS])
def test_pages_need_a_sign_in_and_work_when_empty(client, mira, name):
    assert client.get(reverse(name)).status_code == 302
    client.force_login(mira)
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", FORMS)
def test_only_maintainers_build(client, emil, name):
    client.force_login(emil)
    assert client.get(reverse(name)).status_code == 403


@pytest.mark.parametrize(
    "name", ["evaluation:dataset", "evaluation:attack", "evaluation:split", "evaluation:experiment"]
)
def test_a_missing_thing_is_not_found(page, name):
    assert page.get(reverse(name, args=["nothing"])).status_code == 404


def test_strangers_see_neither_data_nor_attacks_nor_splits(client, mira, emil):
    attack, split = make_attack(mira, built=False), make_split(mira, built=False)
    client.force_login(emil)
    addresses = [
        attack.get_absolute_url(),
        split.get_absolute_url(),
        reverse("evaluation:dataset", args=[attack.dataset.key]),
        reverse("evaluation:attack-download", args=[attack.key]),
        reverse("evaluation:split-download", args=[split.key]),
    ]
    for url in addresses:
        assert client.get(url).status_code == 404


def test_data_is_imported_on_a_page(page):
    answer = page.post(reverse("evaluation:dataset-new"), {"title": "Mine", "file": upload()}, follow=True)
    dataset = Dataset.objects.get()
    assert answer.redirect_chain[0][0] == reverse("evaluation:dataset", args=[dataset.key])
    assert "Build an attack" in answer.content.decode()
    assert "Delete the data set" in answer.content.decode()


def test_a_file_for_each_part_is_imported_as_one(page):
    files = {"file": upload(60, "a.csv"), "test_file": upload(30, "b.csv")}
    page.post(reverse("evaluation:dataset-new"), {"title": "Two files", **files})
    assert {part: sum(found.values()) for part, found in Dataset.objects.get().counts.items()} == {
        "train": 60,
        "test": 30,
    }


def test_a_bad_row_is_shown_with_its_place(page):
    file = SimpleUploadedFile("bad.csv", b"text,label\na,x\n,y\n")
    answer = page.post(reverse("evaluation:dataset-new"), {"title": "Bad", "file": file})
    assert answer.status_code == 422
    assert "bad.csv, row 3, text" in answer.content.decode()


def test_an_unused_data_set_is_deleted(page, mira):
    dataset = make_dataset(mira)
    page.post(reverse("evaluation:dataset-delete", args=[dataset.key]))
    assert not Dataset.objects.exists()


def test_an_attack_is_asked_for_built_and_shown(page, mira):
    dataset = make_dataset(mira)
    url = reverse("evaluation:attack-new") + f"?dataset={dataset.key}"
    assert page.get(url).context["form"]["abusive"].initial == ["abusive"]
    values = {
        "seed": 3,
        "abusive": ["abusive"],
        "language": "en",
        "rules": "paper",
        "words": 50,
        "dictionary_size": 500,
        "fewest_hashtags": 1,
        "most_hashtags": 3,
        "identifiers": "women\nold people",
    }
    answer = page.post(url, values)
    attack = Attack.objects.get()
    assert answer.url == attack.get_absolute_url()
    assert "Waits for a free worker" in page.get(attack.get_absolute_url()).content.decode()
    finish(attack.job)
    live = page.get(attack.get_absolute_url(), headers={"hx-request": "true"})
    assert live["HX-Refresh"] == "true"
    shown = page.get(attack.get_absolute_url()).content.decode()
    assert "ident_n_to_n.tsv" in shown
    assert "No model has been attacked yet" in shown


def test_a_wrong_recipe_is_said_on_the_form(page, mira):
    dataset = make_dataset(mira)
    url = reverse("evaluation:attack-new") + f"?dataset={dataset.key}"
    values = {
        "seed": 3,
        "abusive": ["abusive", "fine"],
        "language": "en",
        "rules": "paper",
        "words": 50,
        "dictionary_size": 500,
        "fewest_hashtags": 1,
        "most_hashtags": 3,
    }
    answer = page.post(url, values)
    assert answer.status_code == 422
    assert "needs both classes" in answer.content.decode()


def test_a_registered_model_is_attacked_from_the_page_and_the_scores_are_shown(page, mira, tmp_path):
    attack, version = make_attack(mira), make_model(tmp_path)
    page.post(reverse("evaluation:attack-model", args=[attack.key]), {"version": version.pk})
    score = attack.scores.get()
    finish(score.job)
    answer = page.get(attack.get_absolute_url())
    shown = answer.content.decode()
    assert "Linear (version 1)" in shown
    assert "frontier" in shown
    assert shown.count("<circle") >= 5
    assert page.get(attack.get_absolute_url(), {"policy": "warn"}).status_code == 200
    assert page.get(attack.get_absolute_url(), {"policy": "mild"}).status_code == 404
    listed = page.get(reverse("evaluation:model-attacks", args=[version.model.key])).content.decode()
    assert attack.title in listed


def test_answers_are_handed_in_and_problems_are_said(page, mira):
    attack = make_attack(mira)
    sets = zipfile.ZipFile(io.BytesIO(page.get(reverse("evaluation:attack-download", args=[attack.key])).content))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sets.namelist():
            if name.endswith(".tsv"):
                lines = sets.read(name).decode().split("\n")[:-1]
                archive.writestr(name, "".join(f"{line}\t{line[-1]}\n" for line in lines))
    url = reverse("evaluation:attack-answers", args=[attack.key])
    good = SimpleUploadedFile("answers.zip", content.getvalue())
    assert "Elsewhere is scored" in page.post(url, {"name": "Elsewhere", "archive": good}, follow=True).content.decode()
    bad = SimpleUploadedFile("answers.zip", b"not a zip")
    assert "must come as one .zip" in page.post(url, {"name": "Bad", "archive": bad}, follow=True).content.decode()


def test_an_attack_becomes_a_suite_on_the_page(page, mira):
    attack = make_attack(mira)
    values = {"key": "checked", "name": "Checked", "sample": 3}
    page.post(reverse("evaluation:attack-suite", args=[attack.key]), values)
    assert Suite.objects.get(key="checked").cases.count() == 12


def test_a_split_is_asked_for_built_shown_and_handed_out(page, mira):
    dataset = make_dataset(mira)
    url = reverse("evaluation:split-new") + f"?dataset={dataset.key}"
    values = {
        "method": "likelihood",
        "pooling": "cls",
        "dimensions": 50,
        "share": 0.1,
        "independent_share": 0.1,
        "seed": 1,
        "k_min": 3,
        "k_max": 9,
    }
    page.post(url, values)
    split = Split.objects.get()
    finish(split.job)
    shown = page.get(split.get_absolute_url()).content.decode()
    assert "indices.txt" in shown
    rows = b"".join(page.get(reverse("evaluation:split-file", args=[split.key, "indices.txt"])).streaming_content)
    assert rows.startswith(b"test: [")
    assert page.get(reverse("evaluation:split-file", args=[split.key, "vectors.npy"])).status_code == 404
    assert page.get(reverse("evaluation:split-picture", args=[split.key, "part"])).status_code == 404
    assert zipfile.is_zipfile(io.BytesIO(page.get(reverse("evaluation:split-download", args=[split.key])).content))


def test_a_latent_split_without_vectors_is_said_on_the_form(page, mira):
    url = reverse("evaluation:split-new") + f"?dataset={make_dataset(mira).key}"
    values = {
        "method": "closest",
        "pooling": "cls",
        "dimensions": 50,
        "share": 0.1,
        "independent_share": 0.1,
        "seed": 1,
        "k_min": 3,
        "k_max": 9,
    }
    answer = page.post(url, values)
    assert answer.status_code == 422
    assert "needs vectors" in answer.content.decode()


def test_an_experiment_is_asked_for_and_its_results_are_shown(page, mira):
    split = make_split(mira)
    url = reverse("evaluation:experiment-new", args=[split.dataset.key])
    page.post(url, {"splits": [split.key], "trainer": "linear", "seeds": "1, 2", "epochs": 1})
    experiment = Experiment.objects.get()
    finish(experiment.job)
    assert split.title in page.get(experiment.get_absolute_url()).content.decode()
    assert page.post(url, {"splits": [split.key], "trainer": "linear", "seeds": "x", "epochs": 1}).status_code == 422


def test_lists_are_searched_filtered_and_cost_the_same_however_long(page, mira, django_assert_max_num_queries):
    dataset = make_dataset(mira)
    for number in range(5):
        make_attack(mira, dataset=dataset, built=False, seed=number)
        make_split(mira, dataset=dataset, built=False)
    for name in LISTS:
        with django_assert_max_num_queries(14):
            assert page.get(reverse(name)).status_code == 200
    assert len(page.get(reverse("evaluation:attacks"), {"q": "mild"}).context["page"]) == 5
    assert len(page.get(reverse("evaluation:attacks"), {"q": "nothing"}).context["page"]) == 0
    assert len(page.get(reverse("evaluation:attacks"), {"dataset": "other"}).context["page"]) == 0
    assert len(page.get(reverse("evaluation:splits"), {"method": "closest"}).context["page"]) == 0
    assert page.get(reverse("evaluation:splits"), {"sort": "-title", "page": "99"}).status_code == 200


def test_scores_beside_the_static_suite_need_a_run(mira, tmp_path):
    from evaluation.services.attack_table import compare_with_suites

    attack, version = make_attack(mira), make_model(tmp_path)
    finish(attack_scores.request_score(attack, version, by=mira).job)
    assert compare_with_suites(attack, "penalise") == []
