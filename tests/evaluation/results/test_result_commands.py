"""What pages of results can do, by command: ranking, sharing, handing out answers; the newest release by its name."""

import csv
import json

import pytest
from django.core.management import CommandError, call_command

from curation.finding import find_release
from curation.releases.services import withdraw_release
from evaluation.models import DetectionModel, SharedReport
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model


@pytest.fixture
def release(db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def runs(release, mira):
    return [
        run_model(release, "by_word", name="Words", by=mira),
        run_model(release, "no_word_for_it", name="Odd", by=mira),
    ]


def told(capsys, *arguments):
    capsys.readouterr()
    call_command(*map(str, arguments), "--json")
    return json.loads(capsys.readouterr().out)


def test_the_ranking_is_that_of_the_api(runs, client, capsys):
    DetectionModel.objects.update(on_leaderboard=True)
    key = runs[0].release.key
    found = told(capsys, "leaderboard", key)
    assert found == client.get(f"/api/v1/leaderboard/?release={key}").json()
    call_command("leaderboard", key)
    assert "Words" in capsys.readouterr().out


def test_without_public_models_the_ranking_says_so(runs, capsys):
    call_command("leaderboard", runs[0].release.key)
    assert "is public yet" in capsys.readouterr().out


def test_results_are_shared_by_a_link_that_can_be_withdrawn(runs, capsys, client, settings):
    settings.SITE_URL = "https://tests.example"
    made = told(capsys, "share", runs[0].release.key, "--models", "Words")
    assert made["url"].startswith("https://tests.example/results/shared/")
    assert client.get(made["url"].removeprefix("https://tests.example")).status_code == 200
    assert told(capsys, "share", "--withdraw", made["token"])["withdrawn"] is True
    assert not SharedReport.objects.usable().exists()
    with pytest.raises(CommandError, match="Name a release"):
        call_command("share")


def test_answers_are_written_as_a_file_that_can_be_imported_again(runs, tmp_path, capsys):
    out = tmp_path / "answers.csv"
    run = runs[0]
    assert told(capsys, "export_predictions", run.release.key, "--model", "Words", "--out", out)["run"] == run.key
    rows = list(csv.DictReader(out.open()))
    assert len(rows) == run.predictions.count()
    again = told(capsys, "import_predictions", run.release.key, "--model", "Again", "--path", out)
    assert again["models"]["Again"]["overall"]["accuracy"] == run.report.values["overall"]["accuracy"]


def test_latest_is_the_release_that_was_published_last(release, mira):
    newer = make_release(release.suite, "1.1.0", cascade="none", by=mira)
    assert find_release(f"{release.suite.key}@latest") == newer
    withdraw_release(newer, reason="A mistake in the cases.", by=mira)
    assert find_release(f"{release.suite.key}@latest") == release, "a withdrawn one is not offered"


def test_a_suite_without_releases_has_no_latest_one(db, mira):
    suite = make_suite(by=mira)
    with pytest.raises(Exception, match="has no releases yet"):
        find_release(f"{suite.key}@latest")
