"""Models and runs are archived, restored and deleted, on pages, over the API and by command."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import Action, AuditEvent
from accounts.services.tokens import create_token
from core.errors import ChangedMeanwhile, NotAllowed
from core.search.finding import find
from evaluation.models import Attack, AttackScore, Dataset, DetectionModel, EvaluationRun, Prediction
from evaluation.registry.archiving import ModelArchived, StillNeeded, archive, delete_subject, restore
from evaluation.results.leaderboard import leaderboard_of
from evaluation.results.reporting import newest_runs
from evaluation.results.sharing import open_link, share_report, withdraw_link
from evaluation.runs.services import finished_run, request_run, start_run
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, registered, run_model

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def run(release, mira) -> EvaluationRun:
    return run_model(release, "by_word", name="Words", by=mira)


@pytest.fixture
def api(client, mira):
    token = create_token(mira, name="test", scope="write", days=1)[1]
    return lambda method, path: getattr(client, method)(f"/api/v1/{path}", headers={"authorization": f"Bearer {token}"})


class TestArchiving:
    def test_lists_hide_what_is_archived_until_it_is_restored(self, run, release, mira, client):
        client.force_login(mira)
        archive(run, by=mira)
        assert newest_runs(release) == []
        assert finished_run(release, run.model_version, {}) is None
        page = client.get(run.model_version.model.get_absolute_url()).content.decode()
        assert run.get_absolute_url() not in page
        assert "Show 1 archived one" in page
        assert (
            run.get_absolute_url()
            in client.get(f"{run.model_version.model.get_absolute_url()}?archived").content.decode()
        )
        restore(run, by=mira)
        assert newest_runs(release) == [run]

    def test_a_model_takes_its_runs_with_it(self, run, release, mira, client):
        client.force_login(mira)
        model = run.model_version.model
        DetectionModel.objects.update(on_leaderboard=True)
        archive(model, by=mira)
        assert newest_runs(release) == []
        assert leaderboard_of(release).entries == []
        listed = client.get(reverse("evaluation:models")).content.decode()
        assert model.get_absolute_url() not in listed
        assert "Show 1 archived one" in listed
        assert model.get_absolute_url() in client.get(f"{reverse('evaluation:models')}?archived").content.decode()
        assert not any(hit.title == "Words" for hits in find(mira, "Words").values() for hit in hits)

    def test_an_archived_model_is_neither_run_nor_registered_again(self, run, release, mira):
        archive(run.model_version.model, by=mira)
        version = run.model_version
        version.refresh_from_db()
        for step in (lambda: start_run(release, version, by=mira), lambda: registered("by_word", name="Words")):
            with pytest.raises(ModelArchived, match=r"Words is archived\. Restore it first\."):
                step()

    def test_a_shared_report_still_shows_it(self, run, release, mira):
        shared = share_report(release, [run], by=mira)
        archive(run, by=mira)
        archive(run.model_version.model, by=mira)
        assert open_link(shared.token)[1] == [run]

    def test_the_second_of_two_people_is_told(self, run, mira):
        archive(EvaluationRun.objects.get(pk=run.pk), by=mira)
        with pytest.raises(ChangedMeanwhile):
            archive(run, by=mira)

    def test_a_run_at_work_is_stopped_first(self, release, mira):
        waiting = request_run(release, registered("by_word", name="Words"), by=mira)
        for subject in (waiting, waiting.model_version.model):
            for step in (archive, delete_subject):
                with pytest.raises(StillNeeded, match=f"1 run is not finished: {waiting.key}. Stop it first."):
                    step(subject, by=mira)

    def test_it_refuses_a_stranger(self, run, vic):
        for step in (archive, restore, delete_subject):
            with pytest.raises(NotAllowed):
                step(run, by=vic)


class TestDeleting:
    def test_a_run_goes_with_its_answers_and_the_log_says_so(self, run, mira):
        delete_subject(run, by=mira)
        assert not EvaluationRun.objects.exists()
        assert not Prediction.objects.exists()
        event = AuditEvent.objects.get(action=Action.RUN_DELETED)
        assert (event.subject_key, event.actor) == (run.key, mira)

    def test_a_model_goes_with_all_its_runs(self, run, mira):
        delete_subject(run.model_version.model, by=mira)
        assert not DetectionModel.objects.exists()
        assert not EvaluationRun.objects.exists()

    def test_what_a_shared_report_shows_is_kept_until_its_link_is_withdrawn(self, run, release, mira):
        shared = share_report(release, [run], by=mira)
        for subject in (run, run.model_version.model):
            with pytest.raises(StillNeeded, match=f"A shared report shows 1 run: {run.key}. Withdraw its link first"):
                delete_subject(subject, by=mira)
        withdraw_link(shared.token, by=mira)
        delete_subject(run, by=mira)
        assert not EvaluationRun.objects.exists()

    def test_a_model_that_was_attacked_is_kept(self, run, mira):
        data = Dataset.objects.create(key="posts", title="Posts", owner=mira)
        attack = Attack.objects.create(title="a", seed=1, dataset=data, created_by=mira)
        AttackScore.objects.create(attack=attack, model_version=run.model_version, name="Words", values={})
        with pytest.raises(StillNeeded, match="Attacks were made on Words"):
            delete_subject(run.model_version.model, by=mira)
        assert EvaluationRun.objects.exists()


class TestSurfaces:
    def test_the_pages_archive_restore_and_delete(self, run, mira, client):
        client.force_login(mira)
        model = run.model_version.model
        for name, subject in (("run", run), ("model", model)):
            page = subject.get_absolute_url()
            assert client.post(reverse(f"evaluation:{name}-archive", args=[subject.key])).url == page
            assert "is archived: lists hide it" in client.get(page).content.decode()
            client.post(reverse(f"evaluation:{name}-restore", args=[subject.key]))
            assert "is archived: lists hide it" not in client.get(page).content.decode()
        assert client.post(reverse("evaluation:run-delete", args=[run.key])).url == model.get_absolute_url()
        assert client.post(reverse("evaluation:model-delete", args=[model.key])).url == reverse("evaluation:models")
        assert not DetectionModel.objects.exists()

    def test_the_pages_refuse_a_stranger(self, run, vic, client):
        client.force_login(vic)
        for verb in ("archive", "restore", "delete"):
            assert client.post(reverse(f"evaluation:run-{verb}", args=[run.key])).status_code in (403, 404)
        assert EvaluationRun.objects.exists()

    def test_the_page_says_why_it_is_kept(self, run, release, mira, client):
        client.force_login(mira)
        share_report(release, [run], by=mira)
        answer = client.post(reverse("evaluation:run-delete", args=[run.key]), follow=True)
        assert "A shared report shows 1 run" in answer.content.decode()

    def test_the_api_archives_restores_and_deletes(self, run, release, mira, api):
        for kind, key in (("runs", run.key), ("models", "words")):
            assert api("post", f"{kind}/{key}/archive/").json()["archived_at"]
            assert api("get", f"{kind}/").json()["results"] == []
            assert [one["key"] for one in api("get", f"{kind}/?archived=true").json()["results"]] == [key]
            assert api("post", f"{kind}/{key}/restore/").json()["archived_at"] is None
        shared = share_report(release, [run], by=mira)
        refused = api("delete", f"runs/{run.key}/")
        assert (refused.status_code, refused.json()["code"]) == (409, "still_needed")
        withdraw_link(shared.token, by=mira)
        assert api("delete", f"runs/{run.key}/").status_code == 204
        assert api("delete", "models/words/").status_code == 204

    def test_the_command_lists_archives_restores_and_deletes(self, run, capsys):
        def told(*arguments: str) -> dict:
            call_command("registry", *arguments, "--json")
            return json.loads(capsys.readouterr().out)

        assert told("list")["models"][0]["runs"][0]["key"] == run.key
        assert told("archive", run.key)["done"] == "archived"
        assert told("list")["models"][0]["runs"] == []
        assert told("list", "--archived")["models"][0]["runs"][0]["key"] == run.key
        told("restore", run.key)
        told("archive", "Words")
        assert told("list")["models"] == []
        assert told("delete", "words")["kind"] == "model"
        with pytest.raises(CommandError, match="no model and no run 'words'"):
            call_command("registry", "delete", "words")
