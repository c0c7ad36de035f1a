"""Data sets, attacks, splits and experiments for programs."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from core.models import Job
from curation.models import Suite
from evaluation.attacks import scores as attack_scores
from evaluation.attacks.answers import answers_archive
from evaluation.models import Attack, Dataset, Split
from tests.evaluation.attacks.factories import finish, make_attack, make_dataset, make_model, make_split, upload

pytestmark = pytest.mark.django_db
ROOT = "/api/v1"


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


@pytest.fixture
def api(mira) -> APIClient:
    return api_of(mira)


@pytest.mark.parametrize("name", ["datasets", "attacks", "splits", "experiments"])
def test_nothing_is_public_and_a_missing_thing_is_not_found(api, name):
    assert APIClient().get(f"{ROOT}/{name}/").status_code == 401
    assert api.get(f"{ROOT}/{name}/").json()["count"] == 0
    assert api.get(f"{ROOT}/{name}/nothing/").status_code == 404


def test_strangers_see_nothing_and_experts_cannot_build(mira, emil):
    attack, split = make_attack(mira, built=False), make_split(mira, built=False)
    api = api_of(emil)
    for url in (f"attacks/{attack.key}", f"attacks/{attack.key}/sets", f"splits/{split.key}/files"):
        assert api.get(f"{ROOT}/{url}/").status_code == 404
    answer = api.post(f"{ROOT}/datasets/", {"title": "Mine", "file": upload()}, format="multipart")
    assert answer.status_code == 403
    assert answer.json()["code"] == "not_allowed"


def test_data_is_imported_and_deleted(api):
    answer = api.post(f"{ROOT}/datasets/", {"title": "Mine", "file": upload()}, format="multipart")
    assert answer.status_code == 201
    told = answer.json()
    assert told["counts"]["test"] == {"abusive": 10, "fine": 20}
    assert "file" not in told
    assert api.delete(f"{ROOT}/datasets/{told['key']}/").status_code == 204
    assert not Dataset.objects.exists()


def test_parts_come_in_files_of_their_own_or_by_lists_of_ids(api):
    values = {"title": "Files", "file": upload(60, "a.csv"), "test_file": upload(30, "b.csv")}
    told = api.post(f"{ROOT}/datasets/", values, format="multipart").json()
    assert {part: sum(found.values()) for part, found in told["counts"].items()} == {"train": 60, "test": 30}
    file = SimpleUploadedFile("all.csv", b"nr,text,label\n1,a,x\n2,b,y\n")
    values = {"title": "Ids", "file": file, "id_column": "nr", "test_ids": SimpleUploadedFile("ids.txt", b"2\n")}
    told = api.post(f"{ROOT}/datasets/", values, format="multipart").json()
    assert told["counts"] == {"all": {"x": 1}, "test": {"y": 1}}
    values = {"title": "Ids", "file": upload(), "test_ids": SimpleUploadedFile("ids.txt", b"\xff\n")}
    answer = api.post(f"{ROOT}/datasets/", values, format="multipart")
    assert (answer.status_code, "ids.txt, row 1: the file is not UTF-8" in answer.json()["title"]) == (422, True)


def test_a_bad_file_says_where(api):
    file = SimpleUploadedFile("bad.csv", b"text,label\na,x\n,y\n")
    answer = api.post(f"{ROOT}/datasets/", {"title": "Bad", "file": file}, format="multipart")
    assert answer.status_code == 422
    assert answer.json()["fields"]["problems"][0]["row"] == 3


def test_an_attack_is_built_asked_and_scored(api, mira, tmp_path):
    dataset, version = make_dataset(mira), make_model(tmp_path)
    answer = api.post(f"{ROOT}/attacks/", {"dataset": dataset.key, "seed": 4, "abusive": ["abusive"]}, format="json")
    assert answer.status_code == 202
    told = answer.json()
    finish(Job.objects.get(key=told["job"]))
    url = f"{ROOT}/attacks/{told['key']}/"
    assert api.get(url).json()["is_built"] is True
    asked = api.post(f"{url}models/", {"model": version.model.key}, format="json")
    assert asked.status_code == 202
    finish(Job.objects.get(key=asked.json()["job"]))
    (score,) = api.get(f"{url}scores/").json()
    assert score["model"] == "Linear (version 1)"
    assert score["on_frontier"] is True
    assert 0 <= score["values"]["penalise"]["attacks"]["quo"]["rate"] <= 1
    assert zipfile.is_zipfile(io.BytesIO(api.get(f"{url}sets/").content))
    made = api.post(f"{url}suite/", {"key": "of-attack", "sample": 2}, format="json")
    assert made.status_code == 201
    assert Suite.objects.get(key="of-attack").cases.count() == 8


def test_the_posts_of_a_set_come_with_what_a_model_answered(api, mira, emil, tmp_path):
    attack = make_attack(mira)
    score = attack_scores.request_score(attack, make_model(tmp_path), by=mira)
    finish(score.job)
    address = f"/api/v1/attacks/{attack.key}/posts/"
    posts = api.get(address, {"set": "flip", "model": score.name}).json()
    assert posts["count"] == attack.manifest["sets"]["flip"]["posts"]
    assert set(posts["results"][0]) == {"line", "text", "abusive", "answer"}
    wrong = api.get(address, {"set": "quo", "model": score.name, "show": "wrong"}).json()["results"]
    assert all(post["answer"] and not post["abusive"] for post in wrong)
    assert api.get(address, {"set": "quo", "model": "nobody"}).status_code == 404
    assert api_of(emil).get(address, {"set": "quo"}).status_code == 404


def test_answers_are_replaced_only_where_that_is_said(api, mira, tmp_path):
    attack = make_attack(mira)
    finish(attack_scores.request_score(attack, make_model(tmp_path), by=mira).job)
    archive = answers_archive(attack.scores.get())
    url = f"{ROOT}/attacks/{attack.key}/"

    def hand_in(**more):
        values = {"name": "Elsewhere", "archive": SimpleUploadedFile("answers.zip", archive), **more}
        return api.post(f"{url}answers/", values, format="multipart")

    assert hand_in().status_code == 201
    refused = hand_in()
    assert (refused.status_code, refused.json()["code"]) == (409, "answers_there")
    assert hand_in(replace=True).status_code == 201
    assert len(api.get(f"{url}scores/").json()) == 2
    told = [score for score in api.get(f"{url}scores/", {"show": "all"}).json() if score["model"] == "Elsewhere"]
    assert [score["replaced_at"] is None for score in told].count(True) == 1
    assert len(told) == 2


def test_an_attack_says_why_it_cannot_be_built(api, mira):
    dataset = make_dataset(mira)
    answer = api.post(f"{ROOT}/attacks/", {"dataset": dataset.key, "abusive": ["rude"]}, format="json")
    assert answer.status_code == 422
    assert "No row is labelled 'rude'" in answer.json()["title"]
    assert api.post(f"{ROOT}/attacks/", {"dataset": "nothing"}, format="json").status_code == 404
    assert not Attack.objects.exists()


def test_a_model_nobody_registered_is_refused(api, mira):
    attack = make_attack(mira)
    answer = api.post(f"{ROOT}/attacks/{attack.key}/models/", {"model": "x"}, format="json")
    assert answer.status_code == 422
    assert answer.json()["fields"]["model"] == ["No such model or version is registered."]


def test_a_split_is_built_and_handed_out(api, mira):
    dataset = make_dataset(mira)
    answer = api.post(f"{ROOT}/splits/", {"dataset": dataset.key, "method": "random"}, format="json")
    assert answer.status_code == 202
    finish(Job.objects.get(key=answer.json()["job"]))
    url = f"{ROOT}/splits/{answer.json()['key']}/"
    told = api.get(url).json()
    assert told["report"]["class_counts"] == {"abusive": 4, "fine": 8}
    assert "indices" not in told
    assert len(api.get(f"{url}indices/").json()["test"]) == 12
    assert zipfile.is_zipfile(io.BytesIO(api.get(f"{url}files/").content))


def test_a_split_says_what_it_needs(api, mira):
    answer = api.post(f"{ROOT}/splits/", {"dataset": make_dataset(mira).key, "method": "closest"}, format="json")
    assert answer.status_code == 422
    assert "needs vectors" in answer.json()["title"]
    assert not Split.objects.exists()


def test_an_experiment_gives_results_and_a_summary(api, mira):
    split = make_split(mira)
    answer = api.post(f"{ROOT}/experiments/", {"splits": [split.key], "seeds": [1, 2]}, format="json")
    assert answer.status_code == 202
    finish(Job.objects.get(key=answer.json()["job"]))
    told = api.get(f"{ROOT}/experiments/{answer.json()['key']}/").json()
    assert [result["seed"] for result in told["results"]] == [1, 2]
    assert told["summary"][0]["test_macro_f1"]["mean"] > 0.5


def test_the_command_imports_one_file_or_a_file_per_part(tmp_path, capsys, mira):
    (tmp_path / "a.csv").write_bytes(upload(40).read())
    call_command("import_dataset", "From a file", "--path", str(tmp_path / "a.csv"), "--owner", mira.email, "--json")
    assert Dataset.objects.get().owner == mira
    call_command("import_dataset", "Parts", "--train", str(tmp_path / "a.csv"), "--test", str(tmp_path / "a.csv"))
    assert Dataset.objects.get(title="Parts").counts["test"] == Dataset.objects.get(title="Parts").counts["train"]
    with pytest.raises(CommandError, match="--path"):
        call_command("import_dataset", "Nothing")
    with pytest.raises(CommandError, match="does not exist"):
        call_command("import_dataset", "Gone", "--path", str(tmp_path / "gone.csv"))
    (tmp_path / "ids.txt").write_bytes("é\n".encode("latin-1"))
    with pytest.raises(CommandError, match=r"ids\.txt, row 1: the file is not UTF-8"):
        call_command(
            "import_dataset", "Ids", "--path", str(tmp_path / "a.csv"), "--test-ids", str(tmp_path / "ids.txt")
        )
