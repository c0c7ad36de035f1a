"""Plans: many functionalities, groups and languages with one provider, budget, progress and table of pass rates."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from core.errors import BadInput
from core.models import Job
from curation.models import Suite, TestCase
from generation.models import GenerationPlan, GenerationRun, ProviderRequest
from generation.runs.options import PlanOptions
from generation.runs.planning import estimate_plan, make_plan, start_plan
from generation.runs.providers import read_uploaded_provider
from generation.runs.services import cancel_run, resume_run
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db
KEYS = ["ident_pos_nh", "ident_neutral_nh"]


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def suite(db) -> Suite:
    return ground.make_suite()


def plan(suite: Suite, server: ground.Server, *, provider: dict[str, Any] | None = None, **facts: Any):
    options = {"functionalities": KEYS, "languages": ["en", "de"], "groups": ["women", "Muslims"], "wanted": 3}
    chosen = PlanOptions(suite=suite.key, per_request=3, **(options | facts))
    return make_plan(suite, chosen, provider=read_uploaded_provider(server.provider_yaml(**(provider or {}))))


def perform(runs: list[GenerationRun]) -> Job:
    from core.jobs import services as jobs

    assert runs[0].job is not None
    jobs.perform(runs[0].job.key, worker="test")
    return Job.objects.get(pk=runs[0].job_id)


def test_one_job_performs_all_runs_and_its_progress_is_that_of_the_plan(suite, server, mira):
    runs = start_plan(plan(suite, server), by=mira)
    job = perform(runs)
    assert (job.state, job.done, job.total) == ("done", 24, 24)
    kept = GenerationPlan.objects.get()
    found = kept.runs.values_list("functionality__key", "language__code", "state", "wanted")
    assert sorted(found) == sorted((key, code, "done", 3) for key in KEYS for code in ("en", "de"))
    assert {run.candidates.count() for run in runs} == {6}
    assert job.result["runs"] == 4


def test_the_estimate_of_a_plan_is_the_sum_of_its_runs(suite, server):
    whole = estimate_plan(plan(suite, server))
    single = estimate_plan(plan(suite, server, functionalities=KEYS[:1], languages=["en"]))
    assert (whole.requests, single.requests) == (8, 2)
    assert whole.cost > 3 * single.cost


def test_runs_that_cannot_be_planned_are_skipped_with_the_reason(suite, server, mira):
    found = plan(suite, server, functionalities=["slur_h", *KEYS], languages=["en"])
    assert [run.functionality.key for run in found.runs] == KEYS
    assert "needs slurs" in found.skipped[0]
    runs = start_plan(found, by=mira)
    assert runs[0].plan is not None
    assert "needs slurs" in runs[0].plan.skipped_reasons[0]
    with pytest.raises(BadInput, match="needs slurs"):
        plan(suite, server, functionalities=["slur_h"], languages=["en", "de"])


def test_all_means_every_functionality_with_a_prompt(suite, server):
    found = plan(suite, server, functionalities=["all"], languages=["de"])
    slurs = [reason for reason in found.skipped if "needs slurs" in reason]
    assert (len(found.runs), len(slurs)) == (21, 3)


def test_the_budget_is_that_of_the_whole_plan(suite, server, mira):
    price = {"input_per_million": 1000.0, "output_per_million": 1000.0}
    runs = start_plan(plan(suite, server, provider={"price": price, "budget": 0.45}), by=mira)
    job = perform(runs)
    assert job.state == "failed"
    assert "budget" in job.reason
    spent = ProviderRequest.objects.paid_by(*(run.key for run in runs)).spent()
    assert 0 < spent <= 0.45
    asked = len(server.seen)
    assert 0 < asked < 8
    states = set(GenerationRun.objects.values_list("state", flat=True))
    assert "queued" in states  # further runs were not even tried


def test_a_plan_is_resumed_where_it_broke_off_and_pays_nothing_twice(suite, server, mira):
    server.answer = lambda number, body: (ground.writes_new_ones if number < 3 else ground.is_out_of_order)(
        number, body
    )
    runs = start_plan(plan(suite, server), by=mira)
    assert perform(runs).state == "failed"
    server.answer = ground.writes_new_ones
    before = len(server.seen)
    resume_run(GenerationRun.objects.get(pk=runs[-1].pk), by=mira)
    assert perform(runs).state == "done"
    assert set(GenerationRun.objects.values_list("state", flat=True)) == {"done"}
    assert len(server.seen) == before + 5


def test_a_plan_that_has_not_begun_is_cancelled_as_a_whole(suite, server, mira):
    runs = start_plan(plan(suite, server), by=mira)
    cancel_run(runs[1], by=mira)
    assert set(GenerationRun.objects.values_list("state", flat=True)) == {"stopped"}
    resume_run(runs[0], by=mira)
    assert set(GenerationRun.objects.values_list("state", flat=True)) == {"queued"}


def test_the_page_starts_shows_stops_and_resumes_a_plan(suite, server, mira, emil):
    client = Client()
    client.force_login(mira)
    wish = {
        "suite": "written", "languages": ["en", "de"], "functionalities": KEYS, "groups": ["women"], "wanted": "3",
        "per_request": "3", "provider": server.provider_yaml(),
    }  # fmt: skip
    preview = client.post(reverse("generation:run-preview"), wish).content.decode()
    assert "Runs" in preview
    answer = client.post(reverse("generation:run-new"), wish)
    found = GenerationPlan.objects.get()
    assert answer.url == found.get_absolute_url()
    client.post(reverse("generation:run-cancel", args=[found.runs.earliest("pk").key]))
    client.post(reverse("generation:run-resume", args=[found.runs.earliest("pk").key]))
    perform(list(found.runs.all()))
    page = client.get(answer.url).content.decode()
    assert page.count("Positive statements") >= 3  # two runs and a row of the table
    assert "Neutral statements" in page
    expert = Client()
    expert.force_login(emil)
    assert expert.get(answer.url).status_code == 200
    assert expert.post(reverse("generation:run-cancel", args=[found.runs.earliest("pk").key])).status_code == 403


def test_programs_start_and_read_plans(suite, server, mira, emil, ana):
    api = APIClient()
    api.force_authenticate(mira)
    wish = {"suite": "written", "functionalities": KEYS, "languages": ["en"], "groups": ["women"], "wanted": 3,
            "per_request": 3, "provider": server.provider_yaml()}  # fmt: skip
    assert api.post("/api/v1/generation-plans/estimate/", wish, format="json").json()["requests"] == 2
    started = api.post("/api/v1/generation-plans/", wish, format="json")
    assert started.status_code == 201, started.json()
    key = started.json()["key"]
    perform(list(GenerationRun.objects.filter(plan__key=key)))
    runs = api.get(f"/api/v1/generation-plans/{key}/").json()["runs"]
    assert [(run["functionality"], run["state"], run["plan"]) for run in runs] == [
        ("ident_neutral_nh", "done", key), ("ident_pos_nh", "done", key),
    ]  # fmt: skip
    cells = api.get(f"/api/v1/pass-rates/?plan={key}").json()["cells"]
    assert {cell["functionality"] for cell in cells} == set(KEYS)
    assert api.get("/api/v1/pass-rates/?plan=none").status_code == 404
    api.force_authenticate(emil)
    assert api.post("/api/v1/generation-plans/", wish, format="json").status_code == 403
    api.force_authenticate(ana)
    assert api.get(f"/api/v1/generation-plans/{key}/").status_code == 404


def generate(provider: Path, *flags: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("generate_llm", "fresh", *flags, "--provider", str(provider), "--json", stdout=out)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def test_the_command_takes_several_of_each(server, tmp_path, db):
    path = tmp_path / "provider.yaml"
    path.write_text(server.provider_yaml())
    flags = ["--functionality", KEYS[0], "--functionality", KEYS[1], "--language", "en", "--language", "de"]
    flags += ["--group", "women", "--group", "Muslims", "--n", "3", "--per-request", "3", "--accept-passing"]
    dry = generate(path, *flags, "--dry-run")
    assert (dry["requested"], dry["runs"], dry["estimate"]["requests"]) == (24, 4, 8)
    assert not Suite.objects.exists()
    result = generate(path, *flags)
    assert (result["requested"], result["candidates"], len(result["runs"])) == (24, 24, 4)
    assert result["accepted"] == TestCase.objects.count() > 0
    assert {cell["functionality"] for cell in result["pass_rates"]} == set(KEYS)
    assert set(Suite.objects.get().languages.values_list("code", flat=True)) == {"en", "de"}
    with pytest.raises(CommandError, match="is done"):
        call_command("generate_llm", "fresh", "--resume", result["plan"])
    about = TestCase.objects.filter(target__isnull=False)
    assert set(about.values_list("is_about_identity", flat=True)) == {True}


def test_the_command_says_in_words_what_it_skipped(server, tmp_path, db):
    path = tmp_path / "provider.yaml"
    path.write_text(server.provider_yaml())
    flags = ["--functionality", KEYS[0], "--functionality", "slur_h", "--group", "women", "--n", "3"]
    (skipped,) = generate(path, *flags)["skipped"]
    assert skipped.startswith("Hate expressed using a slur, English: The instruction needs slurs")
