"""Something of everything, in several states: the demo, and what it does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services.invitations import invite
from accounts.services.tokens import create_token
from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.models import Campaign
from core.jobs.models import JobState
from core.jobs.services import perform, request_job
from core.models import Job
from core.notifications.models import Delivery, Notification
from core.notifications.services import add_webhook
from curation.authoring.services import submit_version
from curation.models import Release, Suite
from curation.releases.access import request_access
from curation.releases.options import AccessOptions
from curation.releases.services import request_release, withdraw_release
from evaluation.models import EvaluationRun
from evaluation.results.sharing import share_report
from evaluation.runs.models import RunState
from evaluation.splits.experiments import request_experiment
from evaluation.splits.options import ExperimentOptions
from generation.models import GenerationRun, Prompt
from generation.runs.models import RunState as GenerationState
from tests.annotation import factories as annotation
from tests.curation.authoring import factories as authoring
from tests.curation.releases.factories import make_candidate, make_release, make_suite
from tests.evaluation.attacks.factories import finish, make_attack, make_dataset, make_split
from tests.evaluation.factories import allow_models, registered
from tests.generation import factories as generation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ENTRY = "?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x"


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def fill_curation(mira: User, emil: User) -> None:
    suite = authoring.make_suite("mild")
    drafted, submitted = (
        authoring.write_template(suite, text, by=emil)
        for text in ("Ich meide [identity:Number=Plur].", "Ich mag [identity:Number=Plur].")
    )
    assert drafted
    submit_version(authoring.newest(submitted), by=emil)
    mine = authoring.write_template(suite, "Ich sehe [identity:Number=Plur].", by=mira)
    submit_version(authoring.newest(mine), by=mira)
    demo = Suite.objects.get(key="demo")
    request_release(demo, "0.2.0", by=mira)
    Release.objects.filter(pk=request_release(demo, "0.3.0", by=mira).pk).update(state="building")
    make_candidate(demo, "0.4.0", by=mira)
    other = make_suite("other")
    withdraw_release(make_release(other, "1.0.0", by=mira), reason="A mistake.", by=mira)
    asked = make_release(make_suite("asked"), "1.0.0", by=mira, access="request", terms="For research.")
    request_access(asked, AccessOptions(reason="For a study.", accepts_terms=True), by=emil)
    import_job = request_job("curation.import_suite", {"dry_run": True}, title="A rehearsal", by=mira)
    Job.objects.filter(pk=import_job.pk).update(state="done")


def fill_core(settings, admin: User, ana: User, emil: User, mira: User) -> None:
    for state in JobState.values:
        Job.objects.create(kind="curation.build_release", title=f"A {state} job", state=state, error="Out of memory.")
    for person in (ana, emil, mira, admin):
        create_token(person, name="my notebook", scope="read")
        Notification.objects.create(user=person, kind="job_failed", key="one", title="It failed", url="/jobs/")
    invite(role="expert", language="de", by=mira)
    settings.ALLOWED_WEBHOOK_HOSTS = ["a1b2.example.org"]
    webhook = add_webhook("https://a1b2.example.org/", by=admin)
    Delivery.objects.create(
        key="call:1", channel="webhook", kind="job_failed", webhook=webhook, state="failed", payload={}
    )


def fill_evaluation(settings, mira: User) -> None:
    dataset = make_dataset(mira)
    for built in (True, False):
        make_attack(mira, dataset=dataset, built=built)
    splits = [make_split(mira, dataset=dataset, built=built) for built in (True, False)]
    experiment = request_experiment(splits[:1], ExperimentOptions(trainer="linear", seeds=(1,)), by=mira)
    finish(experiment.job)
    allow_models(settings)
    version, release = registered("by_word", name="Word list"), Release.objects.get(suite__key="demo", version="0.1.0")
    share_report(release, list(EvaluationRun.objects.filter(release=release, state="done")), by=mira)
    for state in set(RunState.values) - {"done"}:
        EvaluationRun.objects.create(release=release, model_version=version, state=state, created_by=mira)


def fill_generation(server: generation.Server, mira: User) -> None:
    suite = generation.make_suite()
    generation.add_template(suite)
    client, run = signed_in(mira), generation.finished_run(suite, server, by=mira)
    client.post(reverse("generation:candidates-rule", args=[run.key]), {"rule": "accept_clean"})
    generation.finished_run(suite, server, by=mira, functionality="ident_neutral_nh")
    generation.start_plan(generation.make_plan(suite, server), by=mira, keep_plan=True)
    prompt = Prompt.objects.filter(language__code="en").first()
    for state in GenerationState.values:
        GenerationRun.objects.create(
            suite=suite, language=prompt.language, functionality=prompt.functionality, prompt=prompt, provider={},
            model="test-writer", wanted=3, state=state,
        )  # fmt: skip
    ask_for_jobs(client, server)


def ask_for_jobs(client: Client, server: generation.Server) -> None:
    """A trial, a comparison and an expansion, each twice: done, and still waiting."""
    trial = {"versions": ["1"], "suite": "written", "group": "women", "count": "3", "provider": server.provider_yaml()}
    sets = {"first_suite": "written", "second_suite": "written", "first_origin": "", "second_origin": ""}
    asked: Sequence[tuple[str, Mapping[str, object]]] = [
        (reverse("generation:prompt-try", args=["en", "ident_pos_nh"]), trial),
        (reverse("generation:diversity"), sets),
        (reverse("generation:expansion"), {"suite": "written", "language": "en", "seed": "0"}),
    ]
    for address, values in asked:
        for is_done in (True, False):
            answer = client.post(address, values)
            assert answer.status_code == 302, answer.content.decode()
            if is_done:
                assert perform(answer["Location"].split("/")[-2], worker="test").state == "done"


def fill_annotation(mira: User) -> Campaign:
    """Campaigns that are paused and drafted, and one with everything that annotators meet; return that one."""
    suite = annotation.make_suite(templates=4, per_template=3)
    paused = annotation.make_open_campaign(suite, mira)
    Campaign.objects.filter(pk=paused.pk).update(state="paused")
    draft = create_campaign(suite, title="A draft", by=mira, language="en", raters=2, threshold=2)
    whole = create_campaign(
        suite, title="Labels", by=mira, language="en", mode="crowd", raters=2, threshold=2, asks_demographics=True,
        completion_code="a1b2", platform="prolific", pass_mark=0.5,
    )  # fmt: skip
    for campaign in (draft, whole):
        for role in (Role.TRAINING, Role.TEST):
            add_own_items(campaign, role, [KnownAnswer(f"I like our {role} street.", "non-hateful", "It is.")], by=mira)
    return open_campaign(whole, by=mira)
