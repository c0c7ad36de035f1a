"""Lists and pages answer every role, whatever state the things on them are in: facts are empty until work is done."""

import pytest
from django.urls import reverse

from annotation.campaigns.models import CampaignState
from annotation.models import Campaign
from core.jobs.models import JobState
from core.models import Job
from curation.models import Release
from curation.releases.services import request_release, withdraw_release
from evaluation.models import EvaluationRun, Split
from evaluation.runs.models import RunState
from generation.models import GenerationRun, Prompt
from generation.runs.models import RunState as GenerationState
from tests.annotation import factories as annotation_factories
from tests.curation.releases.factories import make_candidate, make_release, make_suite
from tests.evaluation.attacks.factories import make_attack, make_dataset, make_split
from tests.evaluation.factories import allow_models, registered
from tests.generation import factories as generation_factories

pytestmark = pytest.mark.django_db
ROLES = ["visitor", "vic", "ana", "emil", "mira", "admin"]
MANAGING_ROLES = ["mira", "admin"]
PARTS = [
    *("release", "release-cases", "release-statement", "release-datasheet", "release-downloads", "release-changes"),
    *("release-access", "release-progress", "release-publish", "release-withdraw", "release-statement-edit"),
]


@pytest.fixture
def visit(request, client, tmp_path, settings):
    """The client of a role, signed in unless it is a visitor."""
    settings.VAR = tmp_path

    def sign_in(role: str):
        if role != "visitor":
            client.force_login(request.getfixturevalue(role))
        return client

    return sign_in


@pytest.fixture
def releases(mira) -> list[Release]:
    """One in every state, a draft that failed, and one that was withdrawn."""
    suite = make_suite(by=mira)
    request_release(suite, "0.1.0", by=mira)
    Release.objects.filter(pk=request_release(suite, "0.2.0", by=mira).pk).update(facts={"failure": "It was stopped."})
    Release.objects.filter(pk=request_release(suite, "0.3.0", by=mira).pk).update(state="building")
    make_candidate(suite, "0.4.0", by=mira)
    make_release(suite, "0.5.0", by=mira)
    withdraw_release(make_release(suite, "0.6.0", by=mira), reason="A mistake.", by=mira)
    return list(Release.objects.order_by("version"))


@pytest.mark.parametrize("role", ROLES)
def test_the_list_of_releases_answers_with_a_release_in_every_state(visit, releases, role):
    client = visit(role)
    answer = client.get(reverse("curation:releases"))
    assert answer.status_code == 200
    page = answer.content.decode()
    sees_all = role in ("emil", "mira", "admin")
    assert [release.version for release in releases if f"small/{release.version}/" in page] == (
        ["0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0"] if sees_all else ["0.5.0", "0.6.0"]
    )
    assert page.count("not built") == (3 if sees_all else 0)
    assert 'class="undefined"' not in page


@pytest.mark.parametrize("role", ROLES)
def test_every_part_of_a_release_answers_in_every_state(visit, releases, role):
    client = visit(role)
    for release in releases:
        for part in PARTS:
            answer = client.get(reverse(f"curation:{part}", args=[release.suite.key, release.version]))
            assert answer.status_code in (200, 302, 403, 404), (release.version, release.state, part)
            assert b'class="undefined"' not in answer.content, (release.version, release.state, part)
        seen = client.get(release.get_absolute_url()).status_code
        is_public = release.state == "published"
        assert seen == (200 if is_public or role in ("emil", "mira", "admin") else 404), release.version


@pytest.mark.parametrize("role", MANAGING_ROLES)
@pytest.mark.parametrize("total", [None, 7])
def test_jobs_answer_in_every_state(visit, role, total):
    client = visit(role)
    for state in JobState.values:
        Job.objects.create(kind="curation.build_release", title=f"A {state} job", state=state, total=total)
    page = client.get(reverse("core:jobs"))
    assert page.status_code == 200
    for job in Job.objects.all():
        assert job.title in page.content.decode()
        assert client.get(job.get_absolute_url()).status_code == 200
        assert client.get(reverse("core:job-progress", args=[job.key])).status_code in (200, 286)


@pytest.mark.parametrize("role", MANAGING_ROLES)
def test_splits_and_attacks_answer_before_and_after_they_are_built(visit, mira, role):
    client = visit(role)
    dataset = make_dataset(mira)
    for state in JobState.values:
        for subject in (
            make_split(mira, dataset=dataset, built=False),
            make_attack(mira, dataset=dataset, built=False),
        ):
            Job.objects.filter(pk=subject.job_id).update(state=state, error="It ran out of memory.")
            assert client.get(subject.get_absolute_url()).status_code == 200
    built = [make_split(mira, dataset=dataset), make_attack(mira, dataset=dataset)]
    for subject in built:
        assert client.get(subject.get_absolute_url()).status_code == 200
    for name in ("splits", "attacks", "datasets"):
        page = client.get(reverse(f"evaluation:{name}"))
        assert page.status_code == 200
        assert 'class="undefined"' not in page.content.decode()
    assert Split.objects.count() == len(JobState.values) + 1


@pytest.mark.parametrize("role", ["emil", "mira", "admin"])
def test_results_and_models_answer_with_runs_in_every_state(visit, mira, role, settings):
    client = visit(role)
    allow_models(settings)
    release = make_release(make_suite(by=mira), by=mira)
    version = registered("by_word", name="Word list")
    for state in set(RunState.values) - {"done"}:
        run = EvaluationRun.objects.create(release=release, model_version=version, state=state, created_by=mira)
        assert client.get(run.get_absolute_url()).status_code == 200
        assert client.get(reverse("evaluation:run-progress", args=[run.key])).status_code in (200, 286)
    for name in ("models", "results"):
        assert client.get(reverse(f"evaluation:{name}")).status_code == 200
    assert client.get(reverse("evaluation:model", args=[version.model.key])).status_code == 200


@pytest.mark.parametrize("role", ["emil", "mira", "admin"])
def test_generation_answers_with_runs_in_every_state(visit, mira, role):
    client = visit(role)
    suite = generation_factories.make_suite()
    prompt = Prompt.objects.filter(language__code="en").first()
    for state in GenerationState.values:
        run = GenerationRun.objects.create(
            suite=suite, language=prompt.language, functionality=prompt.functionality, prompt=prompt, provider={},
            model="test-writer", wanted=3, state=state,
        )  # fmt: skip
        assert client.get(run.get_absolute_url()).status_code == 200
    for name in ("runs", "pass-rates", "prompts", "diversity", "expansion"):
        assert client.get(reverse(f"generation:{name}")).status_code == 200


@pytest.mark.parametrize("role", ["emil", "mira", "admin"])
def test_campaigns_answer_in_every_state(visit, mira, role):
    client = visit(role)
    suite = annotation_factories.make_suite(templates=2, per_template=2)
    campaign = annotation_factories.make_open_campaign(suite, mira)
    for state in CampaignState.values:
        Campaign.objects.filter(pk=campaign.pk).update(state=state)
        for name in ("campaign", "campaign-agreement", "campaign-disputes"):
            assert client.get(reverse(f"annotation:{name}", args=[campaign.key])).status_code == 200, (state, name)
        assert client.get(reverse("annotation:campaigns")).status_code == 200
    for name in ("suite-agreement", "decision", "exclusions"):
        assert client.get(reverse(f"annotation:{name}", args=[suite.key])).status_code == 200
