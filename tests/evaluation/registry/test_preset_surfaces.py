"""Models by name on the page, over the API and by the command."""

import json

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.urls import reverse

from core.jobs import services as jobs
from core.models import Job
from curation.models import Release
from evaluation.models import DetectionModel, EvaluationRun
from evaluation.runners.preset_files import preset_names
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.runners.recorded import chat
from tests.evaluation.stub_server import Reply, server

pytestmark = pytest.mark.django_db
API = "/api/v1/model-presets/"


@pytest.fixture
def release(settings, tmp_path, mira) -> Release:
    settings.VAR, settings.ALLOWED_MODEL_HOSTS = tmp_path, ["127.0.0.1"]
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def address():
    with server(lambda n, body: Reply(body=chat("unsafe\nS10"))) as (url, _):
        yield f"{url.rsplit('/', 1)[0]}/v1"


def test_the_page_lists_every_preset_and_leads_maintainers_to_the_form(client, mira):
    page = client.get(reverse("evaluation:model-presets")).content.decode()
    assert all(f'id="{name}"' in page for name in preset_names())
    assert "names the category S10 (Hate)" in page
    assert "Register this model" not in page
    client.force_login(mira)
    assert "?preset=llama-guard-3-8b" in client.get(reverse("evaluation:model-presets")).content.decode()


def test_the_form_begins_with_the_chosen_preset(client, mira):
    client.force_login(mira)
    form = client.get(f"{reverse('evaluation:model-new')}?preset=llama-guard-3-8b").context["form"]
    assert form.initial["spec"] == "preset:llama-guard-3-8b"
    assert yaml.safe_load(form.initial["more_settings"])["model"] == "meta-llama/Llama-Guard-3-8B"
    assert client.get(f"{reverse('evaluation:model-new')}?preset=nobody").status_code == 200


def test_what_the_form_begins_with_can_be_registered_and_run(client, mira, release, address):
    client.force_login(mira)
    form = client.get(f"{reverse('evaluation:model-new')}?preset=llama-guard-3-8b").context["form"]
    given = form.initial | {"more_settings": f"url: {address}\nmodel: ours", "release": release.key}
    assert client.post(reverse("evaluation:model-new"), given).status_code == 302
    registration = jobs.perform(Job.objects.get(kind="evaluation.register").key, worker="test")
    assert registration.error == ""
    run = EvaluationRun.objects.get()
    jobs.perform(run.job.key, worker="test")
    run.refresh_from_db()
    assert run.environment["preset"] == "llama-guard-3-8b"
    assert run.report.values["by_label"]["hateful"]["accuracy"] == 1.0


def test_the_api_lists_and_shows_presets(client):
    listed = client.get(API).json()
    assert [preset["name"] for preset in listed] == preset_names()
    shown = client.get(f"{API}qwen3guard-gen-0.6b/").json()
    assert shown["settings"]["rule"]["counted"] == ["Unethical Acts"]
    assert shown["documentation"][0] == "https://huggingface.co/Qwen/Qwen3Guard-Gen-0.6B"
    assert client.get(f"{API}nobody/").status_code == 404


def test_the_command_lists_presets_and_refuses_an_unknown_one(capsys):
    call_command("models", "--json")
    assert [preset["name"] for preset in json.loads(capsys.readouterr().out)["presets"]] == preset_names()
    call_command("models", "wildguard")
    assert "https://arxiv.org/abs/2406.18495" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no preset 'nobody'"):
        call_command("models", "nobody")


def test_a_preset_is_evaluated_by_the_command_of_the_server(release, address, capsys):
    call_command("evaluate", release.key, "--model", f"preset:llama-guard-3-8b?url={address}", "--json")
    capsys.readouterr()
    model = DetectionModel.objects.get()
    assert (model.name, model.versions.get().description["preset"]) == ("llama-guard-3-8b", "llama-guard-3-8b")
