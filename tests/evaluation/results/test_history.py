"""The history of a model by release, and stars."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.errors import NotAllowed
from evaluation.models import DetectionModel, EvaluationRun
from evaluation.registry.starring import star_model
from evaluation.results.history import history_of
from evaluation.results.reporting import newest_runs
from evaluation.runs.uploading import import_predictions
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model


@pytest.fixture
def release(db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def upload(release, tmp_path, label, mira, name="Grows"):
    file = tmp_path / f"{label}.csv"
    lines = [f"{case.key},{label if label != 'gold' else case.label}" for case in release.cases.all()]
    file.write_text("case_id,prediction\n" + "\n".join(lines))
    return import_predictions(release, file, model=name, by=mira)


def test_each_run_is_held_against_the_one_before(release, tmp_path, mira):
    upload(release, tmp_path, "hateful", mira)
    upload(release, tmp_path, "gold", mira)
    (lines,) = history_of(EvaluationRun.objects.all()).values()
    first, second = lines
    assert (first.earlier, first.change) == (None, None)
    assert second.earlier == first.run
    assert second.change == pytest.approx(1 - first.overall["accuracy"])
    assert second.as_json()["accuracy"] == 1.0


def test_the_page_of_a_model_shows_versions_with_figures_and_links_the_comparison(release, tmp_path, client, mira):
    upload(release, tmp_path, "hateful", mira)
    run = upload(release, tmp_path, "gold", mira)
    client.force_login(mira)
    page = client.get(run.model_version.model.get_absolute_url()).content.decode()
    (first, second) = EvaluationRun.objects.order_by("pk")
    assert f"first={first.key}&amp;second={second.key}" in page
    model = run.model_version.model.key
    (found,) = client.get(f"/api/v1/models/{model}/history/").json().values()
    assert [(line["run"], line["earlier"]) for line in found] == [(first.key, None), (second.key, first.key)]


def test_starred_models_are_shown_before_newer_ones(release, mira):
    for name in ("Old", "Middle", "New"):
        run_model(release, "by_word", name=name, by=mira)
    shown = [run.model_version.model.name for run in newest_runs(release, most=2)]
    assert shown == ["New", "Middle"]
    star_model(DetectionModel.objects.get(name="Old"), is_starred=True, by=mira)
    shown = [run.model_version.model.name for run in newest_runs(release, most=2)]
    assert shown == ["Old", "New"]


def test_a_star_is_given_and_taken_on_the_page_over_the_api_and_by_command(release, client, mira):
    run_model(release, "by_word", name="Old", by=mira)
    model = DetectionModel.objects.get(name="Old")
    client.force_login(mira)
    client.post(reverse("evaluation:model-star", args=[model.key]), {"is_starred": "yes"})
    assert DetectionModel.objects.get().is_starred
    answer = client.post(f"/api/v1/models/{model.key}/star/", {"off": True}, content_type="application/json")
    assert answer.json()["is_starred"] is False
    call_command("star", "Old")
    assert DetectionModel.objects.get().is_starred
    call_command("star", "Old", "--off")
    assert not DetectionModel.objects.get().is_starred


def test_only_maintainers_give_stars(release, emil, mira):
    run_model(release, "by_word", name="Old", by=mira)
    with pytest.raises(NotAllowed):
        star_model(DetectionModel.objects.get(), is_starred=True, by=emil)
