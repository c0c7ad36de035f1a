"""Pages of data sets, attacks, splits and experiments."""

import io
import zipfile

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.text import KEPT, Text
from curation.models import Release, Suite
from evaluation.attacks import scores as attack_scores
from evaluation.datasets.services import open_dataset
from evaluation.models import Attack, Dataset, EvaluationRun, Experiment, Report, Split
from evaluation.registry.services import register_model, runner_settings
from evaluation.runners.upload import UploadRunner
from tests.evaluation.attacks.factories import finish, make_attack, make_dataset, make_model, make_split, upload
from tests.html import one_line

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


def test_lists_of_ids_tell_the_parts_of_one_file_apart(page):
    file = SimpleUploadedFile("all.csv", b"nr,text,label,topic\n1,a,x,buses\n2,b,y,songs\n3,c,x,songs\n")
    ids = {"train_ids": SimpleUploadedFile("train.txt", b"1\n2\n"), "test_ids": SimpleUploadedFile("test.txt", b"3\n")}
    values = {"title": "By ids", "file": file, "id_column": "nr", "extra_columns": "topic", **ids}
    page.post(reverse("evaluation:dataset-new"), values)
    dataset = Dataset.objects.get()
    assert dataset.counts == {"test": {"x": 1}, "train": {"x": 1, "y": 1}}
    assert open_dataset(dataset).extra["topic"] == ("buses", "songs", "songs")


def test_lists_of_ids_beside_a_file_for_each_part_are_refused(page):
    files = {"file": upload(), "test_file": upload(30), "test_ids": SimpleUploadedFile("ids.txt", b"1\n")}
    answer = page.post(reverse("evaluation:dataset-new"), {"title": "Both", **files})
    assert answer.status_code == 422
    assert "not both" in answer.content.decode()
    assert not Dataset.objects.exists()


def test_what_was_doubtful_in_a_file_is_said_on_its_page(page):
    file = SimpleUploadedFile("doubt.csv", b"id,text,label\n1,a,x\n1,b,y\n")
    answer = page.post(reverse("evaluation:dataset-new"), {"title": "Doubtful", "file": file}, follow=True)
    assert "1 id in &#x27;id&#x27; is in several rows" in answer.content.decode()


def test_a_bad_row_is_shown_with_its_place(page):
    file = SimpleUploadedFile("bad.csv", b"text,label\na,x\n,y\n")
    answer = page.post(reverse("evaluation:dataset-new"), {"title": "Bad", "file": file})
    assert answer.status_code == 422
    assert "bad.csv, row 3, column &#x27;text&#x27;" in one_line(answer.content.decode())


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
    shown = one_line(page.get(attack.get_absolute_url()).content.decode())
    assert "50 of the 500 most frequent words; offensive ones are dropped afterwards" in shown
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
    page.post(reverse("evaluation:attack-model", args=[attack.key]), {"model": version.key})
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
    for form, begins in (("tex", b"% Scores of the attack"), ("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("svg", b"<svg")):
        address = reverse("evaluation:attack-sheet", args=[attack.key, form])
        assert address in shown
        assert page.get(address).content.startswith(begins)
    tex = page.get(reverse("evaluation:attack-sheet", args=[attack.key, "tex"])).content.decode()
    score.refresh_from_db()
    assert f"{score.values['penalise']['attacks']['quo']['score']:.3f}" in tex
    assert "Corr N→N" in tex
    assert page.get(reverse("evaluation:attack-sheet", args=[attack.key, "doc"])).status_code == 404


def test_what_each_attack_asks_and_that_no_lexicon_was_given_is_said(page, mira, tmp_path):
    attack, version = make_attack(mira), make_model(tmp_path)
    page.post(reverse("evaluation:attack-model", args=[attack.key]), {"model": version.key})
    finish(attack.scores.get().job)
    shown = one_line(page.get(attack.get_absolute_url()).content.decode())
    assert "a model that now calls it abusive goes by single words" in shown
    assert "A score of 60% or more passes" in shown
    assert shown.index("No lexicon was given") < shown.index("<h2>Scores</h2>")


def right_answers(page, attack, *, left_out=()) -> SimpleUploadedFile:
    """The exchange files as the page hands them out, every line answered as it should be."""
    sets = zipfile.ZipFile(io.BytesIO(page.get(reverse("evaluation:attack-download", args=[attack.key])).content))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sets.namelist():
            if name.endswith(".tsv") and name not in left_out:
                lines = sets.read(name).decode().split("\n")[:-1]
                archive.writestr(name, "".join(f"{line}\t{line[-1]}\n" for line in lines))
    return SimpleUploadedFile("answers.zip", content.getvalue())


def test_the_page_says_how_much_information_hashtags_leave_and_what_that_means(page, mira):
    attack = make_attack(mira)
    page.post(
        reverse("evaluation:attack-answers", args=[attack.key]),
        {"name": "Elsewhere", "answers": right_answers(page, attack)},
    )
    shown = one_line(page.get(attack.get_absolute_url()).content.decode())
    assert "reads hashtags" in shown
    assert shown.split('data-label="Information left">')[1].lstrip().startswith("100.0%")
    assert "If the interval does not lie above 0, the model is not shown to read hashtags" in shown


def test_scores_of_an_earlier_version_say_that_their_hashtag_check_was_another(page, mira):
    attack = make_attack(mira)
    page.post(
        reverse("evaluation:attack-answers", args=[attack.key]),
        {"name": "Elsewhere", "answers": right_answers(page, attack)},
    )
    values = attack.scores.get().values
    for policy in values.values():
        del policy["hashtag_check"]["information"], policy["hashtag_check"]["information_ci95"]
    attack.scores.create(name="Earlier", values=values)
    assert "scored by an earlier version" in page.get(attack.get_absolute_url()).content.decode()


def test_answers_to_some_of_the_attacks_leave_the_others_undefined(page, mira):
    attack = make_attack(mira)
    url = reverse("evaluation:attack-answers", args=[attack.key])
    some = right_answers(page, attack, left_out=["flip_n_to_a.tsv"])
    answer = page.post(url, {"name": "Elsewhere", "answers": some}, follow=True)
    assert answer.status_code == 200
    assert "Flip N→A: not answered." in answer.content.decode()
    assert answer.context["rows"][0]["values"]["aaa"] is None


def test_a_language_without_our_templates_is_offered_and_chosen_for_its_data(page, mira):
    dataset = make_dataset(mira)
    dataset.language = "tr"
    dataset.save()
    url = reverse("evaluation:attack-new") + f"?dataset={dataset.key}"
    form = page.get(url).context["form"]
    assert form["language"].value() == "tr"
    values = {**{name: form[name].value() or "" for name in form.fields}, "abusive": ["abusive"]}
    said = page.post(url, values)
    assert "no quotation templates for the language &#x27;tr&#x27;" in said.content.decode()
    page.post(url, {**values, "templates": SimpleUploadedFile("tr.txt", b"Kimse <post> dememeli")})
    assert Attack.objects.get().choices["templates_name"] == "tr.txt"


def test_answers_are_handed_in_and_problems_are_said(page, mira):
    attack = make_attack(mira)
    url = reverse("evaluation:attack-answers", args=[attack.key])
    good = right_answers(page, attack)
    assert "Elsewhere is scored" in page.post(url, {"name": "Elsewhere", "answers": good}, follow=True).content.decode()
    bad = SimpleUploadedFile("answers.zip", b"not a zip")
    assert (
        "None of these is an answer file"
        in page.post(url, {"name": "Bad", "answers": bad}, follow=True).content.decode()
    )


def test_answers_are_replaced_on_the_page_only_where_that_is_said(page, mira):
    attack = make_attack(mira)
    url = reverse("evaluation:attack-answers", args=[attack.key])
    assert 'name="replace"' not in page.get(attack.get_absolute_url()).content.decode()
    first = page.post(url, {"name": "Elsewhere", "answers": right_answers(page, attack)}, follow=True)
    assert "Uploaded so far: Elsewhere" in first.content.decode()
    some = right_answers(page, attack, left_out=["flip_n_to_a.tsv"])
    refused = page.post(url, {"name": "Elsewhere", "answers": some}, follow=True).content.decode()
    assert "choose to replace them" in refused
    some.seek(0)
    shown = page.post(url, {"name": "Elsewhere", "answers": some, "replace": "on"}, follow=True).content.decode()
    assert "Replaced answers" in shown
    assert "AAA 100.0%" in shown
    assert reverse("evaluation:attack-answers-file", args=[attack.key, attack.scores.replaced().get().pk]) in shown
    assert len(page.get(reverse("evaluation:attacks")).context["page"]) == 1
    assert page.get(reverse("evaluation:attacks")).context["page"][0].model_count == 1


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
    assert page.get(reverse("evaluation:split-picture", args=[split.key, "part", "svg"])).status_code == 404
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
    from evaluation.attacks.table import compare_with_suites

    attack, version = make_attack(mira), make_model(tmp_path)
    finish(attack_scores.request_score(attack, version, by=mira).job)
    assert compare_with_suites(attack, "penalise") == []


def test_scores_stand_beside_the_newest_run_that_asks_the_same(page, mira, tmp_path):
    attack, version = make_attack(mira), make_model(tmp_path)
    finish(attack_scores.request_score(attack, version, by=mira).job)
    suite = Suite.objects.create(key="checks", name="Checks", created_by=mira)
    for number, key, accuracy in ((1, "counter_quote_nh", 0.25), (2, "counter_quote_nh", 0.375), (3, "other", 0.9)):
        release = Release.objects.create(suite=suite, version=f"{number}.0.0", min_agree=2)
        run = EvaluationRun.objects.create(release=release, model_version=version, state="done", created_by=mira)
        Report.objects.create(run=run, values={"by_functionality": {key: {"accuracy": accuracy}}})
    shown = page.get(attack.get_absolute_url())
    assert [one["static"] for one in shown.context["comparison"]] == [[("counter_quote_nh", "counter_quote_nh", 0.375)]]
    assert "37.5%" in shown.content.decode()


def test_a_model_that_answered_elsewhere_stands_beside_its_own_predictions(page, mira):
    from evaluation.attacks.table import compare_with_suites

    attack, settings = make_attack(mira), runner_settings()
    version = register_model("Elsewhere", "upload", UploadRunner("Elsewhere", settings=settings), by=mira)
    suite = Suite.objects.create(key="checks", name="Checks", created_by=mira)
    release = Release.objects.create(suite=suite, version="1.0.0", min_agree=2)
    run = EvaluationRun.objects.create(
        release=release, model_version=version, state="done", source="upload", created_by=mira
    )
    Report.objects.create(run=run, values={"by_functionality": {"counter_quote_nh": {"accuracy": 0.25}}})
    attack_scores.score_upload(attack, [right_answers(page, attack)], name="Elsewhere", by=mira)
    [one] = compare_with_suites(attack, "penalise")
    assert (one["model"], one["static"]) == ("Elsewhere", [("counter_quote_nh", 0.25)])


def test_the_posts_a_model_got_wrong_can_be_read_and_its_answers_taken_along(page, mira, client, emil):
    attack = make_attack(mira)
    score = attack_scores.score_upload(attack, [right_answers(page, attack)], name="Elsewhere", by=mira)
    shown = page.get(attack.get_absolute_url()).content.decode()
    address = reverse("evaluation:attack-posts", args=[attack.key])
    assert f"{address}?set=quo&amp;model={score.pk}" in shown
    assert "Hashtag check" in shown
    posts = page.get(address, {"set": "quo"})
    assert len(posts.context["page"].paginator.object_list) == attack.manifest["sets"]["quo"]["posts"]
    assert page.get(address, {"set": "nothing"}).status_code == 404
    right = page.get(address, {"set": "quo", "model": score.pk, "show": "all"}).context["page"]
    assert all(one.answer == one.post.abusive for one in right.paginator.object_list)
    assert "No post matches" in page.get(address, {"set": "quo", "model": score.pk}).content.decode()
    taken = page.get(reverse("evaluation:attack-answers-file", args=[attack.key, score.pk]))
    assert taken["Content-Type"] == "application/zip"
    client.force_login(emil)
    assert client.get(address).status_code == 404


def test_a_model_that_cannot_be_asked_is_not_offered(page, mira):
    attack = make_attack(mira)
    register_model("Elsewhere", "upload", UploadRunner("Elsewhere", settings=runner_settings()), by=mira)
    assert "Elsewhere" not in page.get(attack.get_absolute_url()).content.decode()
    shown = page.get(reverse("evaluation:model-attacks", args=["elsewhere"])).content.decode()
    assert "Upload answers" in shown
    assert f"Touchstone {settings.VERSION}" in shown
    assert "Start the attack</button>" not in shown


def test_notes_of_scores_are_kept_as_texts_and_told_by_page_and_api(page, mira):
    attack = make_attack(mira)
    some = right_answers(page, attack, left_out=["flip_n_to_a.tsv"])
    page.post(reverse("evaluation:attack-answers", args=[attack.key]), {"name": "In part", "answers": some})
    score = attack.scores.get()
    note = {"message": "%(attack)s: not answered.", "values": {"attack": "Flip N→A"}}
    assert score.values["penalise"]["notes"] == [{KEPT: note}]
    assert all(isinstance(text, Text) for text in score.under("penalise")["notes"])
    assert "In part: Flip N→A: not answered." in page.get(attack.get_absolute_url()).content.decode()
    [told] = page.get(f"/api/v1/attacks/{attack.key}/scores/").json()
    assert told["values"]["penalise"]["notes"] == ["Flip N→A: not answered."]
