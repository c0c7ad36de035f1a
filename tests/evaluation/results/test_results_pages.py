"""Pages of models and results: each works, refuses a stranger, handles a missing thing and says why."""

import csv
import json
from io import StringIO
from urllib.parse import quote

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.jobs import services as jobs
from core.models import Job
from core.web import COOKIE
from curation.models import ReleaseCase, ReleaseDownload
from evaluation.models import DetectionModel, EvaluationRun, SharedReport
from evaluation.reports.tables import Cell, Line, Table
from evaluation.runners import parse_spec
from evaluation.runners.loading import RUNNERS
from evaluation.runs.models import RunState
from evaluation.runs.services import request_run
from evaluation.templatetags.results import heat_cells
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, registered, run_model
from tests.html import one_line

pytestmark = pytest.mark.django_db
SPEC = "python:tests.evaluation.factories:by_word"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def words(release, mira) -> EvaluationRun:
    return run_model(release, "by_word", name="Words", by=mira)


@pytest.fixture
def always(release, mira) -> EvaluationRun:
    return run_model(release, "always_hateful", name="Always", by=mira)


def address(name: str, *arguments: object, **query: str) -> str:
    more = "&".join(f"{key}={quote(value)}" for key, value in query.items())
    return reverse(f"evaluation:{name}", args=arguments) + (f"?{more}" if more else "")


def text_of(response) -> str:
    assert response.status_code == 200, response.content.decode()[-2000:]
    return one_line(response.content.decode())


def test_the_picture_shows_models_beside_the_trivial_baselines(client, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("results")))
    for piece in ("Words", "Always", "always hateful", "always non-hateful", "below-chance", "best"):
        assert piece in page
    assert page.index("Fails 2 of 3 functionalities; worst: Positive statements") < page.index("<table")
    assert "Fails none of 3 functionalities.<" in page
    assert "F19 Positive statements using protected group identifiers" in page
    assert ">ident_pos_nh<" not in page
    groups = text_of(client.get(address("results", tab="groups")))
    assert groups.index("Target groups") < groups.index("Labels")


def test_the_picture_takes_the_same_queries_for_any_number_of_runs(
    client, release, words, mira, django_assert_max_num_queries
):
    client.force_login(mira)
    for number in range(3):
        run_model(release, "always_hateful", name=f"Another {number}", by=mira)
    client.get(address("results", tab="crossed"))
    for tab in ("functionalities", "groups", "scores", "crossed"):
        with django_assert_max_num_queries(13):
            assert client.get(address("results", tab=tab)).status_code == 200


def test_results_are_crossed_by_any_two_dimensions(client, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("results", tab="crossed", rows="label", columns="functionality", of=always.key)))
    assert "Labels by functionalities: Always" in page
    assert "Positive statements using protected group identifiers" in page
    cases = address("run-cases", always.key, label="non-hateful", functionality="ident_pos_nh")
    assert cases.replace("&", "&amp;") in page
    assert "cross=label%2Cfunctionality" in page
    assert "Choose two different" in text_of(
        client.get(address("results", tab="crossed", rows="label", columns="label"))
    )
    assert client.get(address("results", tab="crossed", rows="colour", columns="label")).status_code == 422


def test_scores_have_a_tab_and_a_chosen_operating_point(client, release, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("results", tab="scores")))
    for piece in ("AUROC", "average precision", "precision if 1% of texts are positive", "where F1 is best"):
        assert piece in page
    run = text_of(client.get(address("run", words.key, threshold="0.3", prevalence="0.02")))
    assert "At the threshold 0.3" in run
    assert "precision if 2% of texts are hateful" in run
    assert client.get(address("run", words.key, prevalence="2")).status_code == 422


@pytest.mark.parametrize(("count", "opened"), [(2, " open"), (3, "")])
def test_many_runs_that_are_not_finished_do_not_push_the_picture_away(client, release, words, mira, count, opened):
    version = registered("slow", name="Slow")
    EvaluationRun.objects.bulk_create(
        EvaluationRun(key=f"run-{number}", release=release, model_version=version) for number in range(count)
    )
    client.force_login(mira)
    page = text_of(client.get(address("results")))
    assert f'<details class="section no-print"{opened}> <summary>Unfinished runs ({count})' in page


def test_visitors_see_only_what_is_public(client, words, always):
    DetectionModel.objects.filter(name="Words").update(on_leaderboard=True)
    page = text_of(client.get(address("results")))
    assert "Words" in page
    assert "Always" not in page
    assert client.get(address("run", words.key)).status_code == 200
    assert client.get(address("run", always.key)).status_code == 404
    assert client.get(address("results", release="none@1")).status_code == 404


def test_nothing_yet_says_what_to_do(client, mira):
    client.force_login(mira)
    assert "No models have been evaluated yet" in text_of(client.get(address("results")))
    assert "Register a model" in text_of(client.get(address("models")))


def test_a_finished_run_has_figures_charts_and_downloads(client, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("run", always.key)))
    for piece in ("Macro F1", "Contrast pairs", "/download/latex/", "Fails 2 of 3 functionalities", "Charts"):
        assert piece in page
    for tab, piece in (("groups", "Target groups"), ("pictures", "charts/confusion.svg")):
        assert piece in text_of(client.get(address("run", always.key, tab=tab)))
    scores = text_of(client.get(address("run", always.key, tab="scores")))
    assert "Against the labels of annotators" in scores
    assert "Operating point" not in scores  # this model gives no scores
    chart = client.get(address("run-chart", always.key, "confusion", "svg"))
    assert chart["Content-Type"] == "image/svg+xml"
    assert b"<svg" in chart.content
    assert client.get(address("run-chart", always.key, "nothing", "svg")).status_code == 404


def test_one_clicks_down_to_the_cases_that_fail(client, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("run-cases", always.key)))
    case = ReleaseCase.objects.filter(release=always.release, label="non-hateful").first()
    assert reverse("curation:lineage", args=["small", "1.0.0", case.key]) in page
    assert "dislike" not in page
    assert "No cases found" in text_of(client.get(address("run-cases", always.key, functionality="derog_neg_emote_h")))
    immigrants = text_of(client.get(address("run-cases", always.key, show="all", target="immigrants")))
    assert "immigrants" in immigrants
    assert "I dislike women" not in immigrants


def test_a_run_says_why_answers_could_not_be_used(client, release, mira):
    run = run_model(release, "no_word_for_it", name="Odd", by=mira)
    client.force_login(mira)
    page = text_of(client.get(run.get_absolute_url()))
    assert "cases got no usable answer and are not counted as right. Most frequent error:" in page
    assert f"{address('run-cases', run.key)}?show=unanswered" in page
    assert "nasty" in page
    assert "nasty" in text_of(client.get(address("run-cases", run.key, show="unanswered")))


def test_a_waiting_run_shows_progress_and_can_be_stopped_and_go_on(client, release, mira):
    from evaluation.runs.services import request_run
    from tests.evaluation.factories import registered

    run = request_run(release, registered("by_word", name="Words"), by=mira)
    client.force_login(mira)
    assert "Waiting for a free worker" in text_of(client.get(address("run", run.key)))
    client.post(address("run-stop", run.key))
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert "Resume" in text_of(client.get(address("run", run.key)))
    client.post(address("run-resume", run.key))
    run.refresh_from_db()
    assert run.state == RunState.QUEUED
    jobs.perform(run.job.key, worker="test")
    assert client.get(address("run-progress", run.key))["HX-Refresh"] == "true"
    assert "Macro F1" in text_of(client.get(address("run", run.key)))


def test_a_model_is_registered_by_a_worker_tried_and_run(client, release, mira):
    client.force_login(mira)
    form = {"name": "Words", "spec": "python:tests.evaluation.factories:by_word", "more_settings": "threshold: 0.5"}
    response = client.post(address("model-new"), {**form, "trained_on": "en"})
    job = Job.objects.get(kind="evaluation.register")
    assert response.url == job.get_absolute_url()
    job = jobs.perform(job.key, worker="test")
    assert job.result == {"model": "words", "version": 1}, job.error
    assert job.result_url == address("model", "words")
    page = text_of(client.get(job.result_url))
    assert "Trained on en" in page
    tried = client.post(address("model-try", "words"), {"texts": "I like rain.\nI dislike rain."})
    job = jobs.perform(Job.objects.get(kind="evaluation.try").key, worker="test")
    assert "A worker asks" in text_of(tried)
    answers = text_of(client.get(address("model-tried", "words", job.key)))
    assert answers.index("I like rain.") < answers.index("non-hateful")
    started = client.post(address("model-run", "words"), {"release": release.key})
    assert started.url == EvaluationRun.objects.get().get_absolute_url()


def test_a_model_that_cannot_be_loaded_is_not_remembered_and_the_job_says_why(client, release, mira):
    client.force_login(mira)
    client.post(address("model-new"), {"name": "No", "spec": "python:os:getcwd"})
    job = jobs.perform(Job.objects.get().key, worker="test")
    assert "not listed in the settings" in job.error
    assert not DetectionModel.objects.exists()
    refused = client.post(address("model-new"), {"name": "No", "spec": "nonsense"})
    assert refused.status_code == 422
    assert "does not name a model" in refused.content.decode()
    assert 'value="No"' in refused.content.decode()


@pytest.mark.parametrize("name", ["model-new", "upload"])
def test_only_maintainers_register_and_upload(client, release, emil, name):
    client.force_login(emil)
    assert client.get(address(name)).status_code == 403


def test_an_expert_may_look_but_not_run_or_share(client, words, emil):
    client.force_login(emil)
    assert "Words" in text_of(client.get(address("results")))
    assert client.post(address("model-run", "words"), {"release": words.release.key}).status_code == 403
    assert client.post(address("share"), {"run": words.key}).status_code == 403


def test_two_models_are_compared_with_what_is_significant(client, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=always.key)))
    assert "sign flips" in page
    assert "McNemar" not in page
    assert "Smallest difference" in page
    assert "too few templates to tell: fewer than 5 differ" in page
    assert "may be chance" not in page


def test_two_releases_are_compared_on_one_model(client, release, words, mira):
    second = make_release(release.suite, "1.1.0", cascade="closure", by=mira)
    other = run_model(second, "by_word", name="Words", by=mira)
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=other.key)))
    assert "within 3 points" in page
    assert "Only in small@1.0.0: ident_pos_nh" in page


def test_two_releases_show_intervals_and_groups(client, release, words, mira):
    second = make_release(release.suite, "1.1.0", cascade="none", by=mira)
    other = run_model(second, "always_hateful", name="Words", by=mira)
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=other.key)))
    assert "small@1.1.0 minus small@1.0.0" in page
    assert '−100.0</span> <span class="interval">(−100.0 to' in page
    assert "Target groups" in page
    assert "two versions of the model" in page


def test_the_newest_models_are_shown_and_how_many_are_not(client, release, words, always, mira, monkeypatch):
    monkeypatch.setattr("evaluation.results.views.results.MOST_MODELS", 2)
    newest = run_model(release, "always_hateful", name="Newest", by=mira)
    client.force_login(mira)
    answer = client.get(address("results"))
    assert [run.key for run in answer.context["runs"]] == [newest.key, always.key]
    assert "2 of 3 models are shown: starred ones, then the newest." in text_of(answer)
    chosen = client.get(address("results", model="words"))
    assert [run.key for run in chosen.context["runs"]] == [words.key]
    assert "models are shown" not in text_of(chosen)


def test_a_model_that_ran_again_counts_as_new(client, release, words, always, mira, monkeypatch):
    monkeypatch.setattr("evaluation.results.views.results.MOST_MODELS", 1)
    again = run_model(release, "by_word", name="Words", by=mira)
    client.force_login(mira)
    assert [run.key for run in client.get(address("results")).context["runs"]] == [again.key]


def test_a_run_is_not_compared_with_itself(client, words, mira):
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=words.key)))
    assert "cannot be compared with itself" in page
    assert "sign flips" not in page


def test_a_run_is_offered_beside_another_on_its_release(client, release, words, always, mira):
    second = make_release(release.suite, "1.1.0", cascade="none", by=mira)
    run_model(second, "by_word", name="Words", by=mira)
    client.force_login(mira)
    context = client.get(address("compare", first=words.key)).context
    assert (context["first_key"], context["second_key"]) == (words.key, always.key)


def test_the_leaderboard_is_opt_in_and_marks_uploads(client, release, words, always, mira):
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert "No public results yet" in page
    DetectionModel.objects.update(on_leaderboard=True)
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert page.index("Words") < page.index("Always")
    assert "computed here" in page
    assert client.get(address("leaderboard", "small", "9.9.9")).status_code == 404


def test_trivial_models_stand_on_the_leaderboard_where_their_macro_f1_puts_them(client, release, words):
    DetectionModel.objects.update(on_leaderboard=True)
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert page.index(">Words") < page.index(">always hateful")
    words.report.values["overall"]["macro_f1"] = 0.1
    words.report.save(update_fields=["values"])
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert page.index(">always hateful") < page.index(">Words")


def test_a_comparison_stands_beside_the_trivial_models_and_leads_to_the_cases(client, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=always.key)))
    assert "always non-hateful" in page
    assert f"{address('run-cases', always.key)}?functionality=ident_pos_nh" in page


def test_cases_are_found_by_class_and_focus_word(client, words, mira):
    client.force_login(mira)
    case = ReleaseCase.objects.filter(release=words.release).first()
    page = address("run-cases", words.key, show="all", **{"class": case.functionality_class})
    found = client.get(page).context["page"].object_list
    assert {row.release_case.functionality_class for row in found} == {case.functionality_class}
    assert (
        client.get(address("run-cases", words.key, show="all", focus_word="no such")).context["page"].paginator.count
        == 0
    )


def test_the_leaderboard_leads_only_where_one_may_go(client, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    release = make_release(make_suite(by=mira), cascade="none", by=mira, access="request")
    run = run_model(release, "by_word", name="Words", by=mira)
    DetectionModel.objects.update(on_leaderboard=True)
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert "Words" in page
    assert run.get_absolute_url() not in page
    client.force_login(mira)
    assert run.get_absolute_url() in text_of(client.get(address("leaderboard", "small", "1.0.0")))


def upload_of(release, **changes: str) -> SimpleUploadedFile:
    lines = ["case_id,prediction"]
    lines += [f"{key},{changes.get(key, 'hateful')}" for key in release.cases.values_list("key", flat=True)]
    return SimpleUploadedFile("mine.csv", "\n".join(lines).encode())


def test_predictions_are_uploaded_and_wrong_ones_named_with_their_rows(client, release, mira):
    client.force_login(mira)
    form = {"release": release.key, "model": "Mine", "predictions": upload_of(release)}
    done = client.post(address("upload"), form)
    run = EvaluationRun.objects.get()
    assert done.url == run.get_absolute_url()
    assert run.source == "upload"
    key = release.cases.first().key
    form = {"release": release.key, "model": "Mine", "predictions": upload_of(release, **{key: "perhaps"})}
    refused = client.post(address("upload"), form)
    assert refused.status_code == 422
    assert "perhaps" in refused.content.decode()


def test_an_uploaded_file_of_scores_says_how_it_was_read(client, release, mira):
    client.force_login(mira)
    file = upload_of(release, **dict.fromkeys(release.cases.values_list("key", flat=True), "0.75"))
    form = {"release": release.key, "model": "Mine", "predictions": file, "threshold": "0.8", "column": "prediction"}
    page = text_of(client.post(address("upload"), form, follow=True))
    assert EvaluationRun.objects.get().report.values["by_label"]["hateful"]["accuracy"] == 0.0
    assert "Mine" in page
    file = upload_of(release, **dict.fromkeys(release.cases.values_list("key", flat=True), "0.75"))
    page = text_of(client.post(address("upload"), {**form, "predictions": file, "threshold": ""}, follow=True))
    assert "read as scores" in page


def test_a_label_map_that_is_none_is_refused_at_its_field(client, release, mira):
    client.force_login(mira)
    form = {"release": release.key, "model": "Mine", "predictions": upload_of(release), "label_map": "severe"}
    refused = client.post(address("upload"), form)
    assert refused.status_code == 422
    assert "is not a pair" in refused.content.decode()


@pytest.mark.parametrize("file_format", ["html", "latex", "csv", "json", "junit"])
def test_results_are_downloaded(client, words, mira, file_format):
    client.force_login(mira)
    response = client.get(address("download", file_format, run=words.key))
    assert response["Content-Disposition"].startswith('attachment; filename="report-small-1.0.0.')
    if file_format == "json":
        assert json.loads(response.content)["models"]["Words"]["overall"]["accuracy"] == 1.0


def test_a_download_of_nothing_is_refused(client, words):
    assert client.get(address("download", "csv")).status_code == 422


def test_a_run_one_may_not_see_is_named_and_not_left_out_silently(client, words, always, mira):
    assert client.get(address("download", "csv", run=words.key)).status_code == 404
    client.force_login(mira)
    refused = client.get(address("download", "csv") + f"?run={words.key}&run=run-none")
    assert refused.status_code == 404
    assert "run-none" in refused.content.decode()


def test_a_maintainer_finds_the_links_that_were_shared(client, words, mira, emil):
    client.force_login(mira)
    link = client.post(address("share"), {"run": words.key}).url
    assert link in client.get(address("results")).content.decode()
    client.force_login(emil)
    assert link not in client.get(address("results")).content.decode()
    client.force_login(mira)
    client.post(link + "withdraw/")
    assert link not in client.get(address("results")).content.decode()


def test_a_link_opens_without_an_account_until_it_is_withdrawn(client, words, mira):
    client.force_login(mira)
    link = client.post(address("share"), {"run": words.key}).url
    assert len(SharedReport.objects.get().token) >= 30
    client.logout()
    page = text_of(client.get(link))
    assert "Words" in page
    assert "I like" not in page
    assert client.get(address("download", "csv", link=SharedReport.objects.get().token)).status_code == 200
    client.force_login(mira)
    client.post(link + "withdraw/")
    client.logout()
    assert client.get(link).status_code == 404


def test_a_page_rounds_as_the_documents_do():
    cell = Cell(115 / 400, 400, 115)
    assert cell.printed == "28.8"
    assert "28.8%" in heat_cells(Line("a", "a", "", 400, (cell,)))


def test_each_figure_of_the_heat_map_leads_to_its_failing_cases(client, words, always, mira):
    client.force_login(mira)
    page = client.get(address("results")).content.decode()
    for run in (words, always):
        assert f'href="{address("run-cases", run.key)}?functionality=ident_pos_nh"' in page
    failing = text_of(client.get(address("run-cases", always.key, functionality="ident_pos_nh")))
    assert "3 cases of" in failing


def test_the_figure_of_a_slur_leads_to_its_cases_within_the_functionality(words):
    line = Line("b*tch", "b*tch", "", 4, (Cell(0.5, 4, 2),))
    table = Table("by_slur.slur_reclaimed_nh", "Words", "", ("words",), (), (line,))
    wanted = "?functionality=slur_reclaimed_nh&amp;focus_word=b%2Atch"
    assert f"{address('run-cases', words.key)}{wanted}" in heat_cells(line, table, [words])


def test_who_may_not_read_the_cases_gets_no_links_to_them(client, words, mira):
    client.force_login(mira)
    link = client.post(address("share"), {"run": words.key}).url
    client.logout()
    assert address("run-cases", words.key) not in client.get(link).content.decode()


def test_failing_cases_are_downloaded_as_filtered(client, always, mira, vic):
    client.force_login(mira)
    found = client.get(address("run-cases-file", always.key, label="non-hateful"))
    rows = list(csv.DictReader(StringIO(b"".join(found.streaming_content).decode())))
    assert len(rows) == 4
    assert {(row["label_gold"], row["prediction"]) for row in rows} == {("non-hateful", "hateful")}
    assert ReleaseDownload.objects.get().user == mira
    client.force_login(vic)
    assert client.get(address("run-cases-file", always.key)).status_code == 404


def test_texts_of_cases_are_covered_until_asked_for(client, always, mira):
    DetectionModel.objects.update(on_leaderboard=True)
    visitor = client.get(address("run-cases", always.key)).content.decode()
    assert visitor.count('<details class="cover">') == 4
    client.force_login(mira)
    assert "data-covered" in client.get(address("run-cases", always.key)).content.decode()
    client.cookies[COOKIE] = "shown"
    assert "data-covered" not in client.get(address("run-cases", always.key)).content.decode()


def test_two_runs_of_one_model_stand_side_by_side_in_a_document(client, release, words, mira):
    newer = run_model(release, "always_hateful", name="Words", by=mira)
    client.force_login(mira)
    found = client.get(address("download", "json") + f"?run={words.key}&run={newer.key}")
    assert [values["overall"]["accuracy"] for values in json.loads(found.content)["models"].values()] == [1.0, 2 / 6]


def test_the_button_that_stops_a_run_outlives_the_redrawing_of_progress(client, release, mira):
    run = request_run(release, registered("by_word", name="Words"), by=mira)
    client.force_login(mira)
    stop = f'action="{address("run-stop", run.key)}"'
    assert stop in client.get(run.get_absolute_url()).content.decode()
    assert stop not in client.get(address("run-progress", run.key)).content.decode()
    client.post(address("run-stop", run.key))
    assert stop not in client.get(run.get_absolute_url()).content.decode()


@pytest.mark.parametrize("release_key", ["abc", "", "0", "99999"])
def test_a_release_that_is_none_is_not_found(client, words, mira, release_key):
    client.force_login(mira)
    refused = client.post(address("model-run", "words"), {"release": release_key}, follow=True)
    assert "Release: " in text_of(refused)
    assert EvaluationRun.objects.count() == 1
    assert client.get(address("model-estimate", "words", release=release_key)).status_code == 404


def test_words_that_are_no_language_codes_are_refused(client, words, mira):
    client.force_login(mira)
    refused = client.post(address("model", "words"), {"description": "", "trained_on": "en, english"})
    assert refused.status_code == 422
    assert "no language code" in refused.content.decode()
    new = client.post(address("model-new"), {"name": "New", "spec": SPEC, "trained_on": "german"})
    assert (new.status_code, "no language code" in new.content.decode()) == (422, True)
    assert client.post(address("model", "words"), {"description": "", "trained_on": "en, pt-BR"}).status_code == 302
    assert DetectionModel.objects.get(key="words").trained_on == ["en", "pt-BR"]


def test_every_example_of_the_form_is_a_description_that_can_be_read(client, mira):
    from evaluation.runners import RunnerSettings
    from evaluation.runners.descriptions import read_chat_description, read_http_description

    client.force_login(mira)
    page = text_of(client.get(address("model-new")))
    secrets = {"EXAMPLE_API_KEY": "k", "PERSPECTIVE_API_KEY": "k", "SEVERITY_API_KEY": "k"}
    settings = RunnerSettings(environment=secrets)
    for example in (example for runner in RUNNERS for example in runner.examples):
        assert example.title in page
        kind, _, target = example.spec.partition(":")
        given = yaml.safe_load(example.settings or "{}")
        if kind == "http":
            assert read_http_description(given | ({"preset": target} if target else {}), settings=settings).url
        elif kind == "chat":
            assert read_chat_description({"model": target, **given}, settings=settings).price
        else:
            assert parse_spec({"kind": kind, "model": target, **given}).kind == kind


def test_fields_of_the_form_go_into_the_description(client, release, mira):
    client.force_login(mira)
    form = {"name": "Mine", "spec": "hf:owner/name", "revision": "abc",
            "labels": "LABEL_0=non-hateful, LABEL_1=hateful", "threshold": "0.4", "dtype": "int8"}  # fmt: skip
    assert client.post(address("model-new"), form).status_code == 302
    assert Job.objects.get(kind="evaluation.register").payload["spec"] == {
        "kind": "hf", "model": "owner/name", "revision": "abc", "threshold": 0.4, "dtype": "int8",
        "labels": {"LABEL_0": "non-hateful", "LABEL_1": "hateful"},
    }  # fmt: skip


def test_a_description_cannot_name_a_secret_of_this_installation(monkeypatch, settings):
    from evaluation.registry.services import runner_settings

    monkeypatch.setenv("SECRET_KEY", "ours")
    monkeypatch.setenv("SOME_API_KEY", "theirs")
    environment = runner_settings().environment
    assert environment["SOME_API_KEY"] == "theirs"
    assert "SECRET_KEY" not in environment
