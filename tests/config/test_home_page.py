"""The home page says what waits for the person, with numbers, and asks the database a fixed number of times."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotation.models import Assignment, Participation
from config.demo import load_demo
from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.models import Release
from curation.releases.models import ReleaseState
from curation.releases.services import request_release
from evaluation.models import EvaluationRun
from tests.annotation.factories import make_open_campaign, make_suite


@pytest.fixture
def demo(db) -> None:
    load_catalogue()
    load_demo()


def home_of(email: str) -> str:
    client = Client()
    client.force_login(User.objects.get(email=email))
    return client.get("/").content.decode()


def test_an_annotator_goes_straight_to_the_campaign_they_are_in(demo):
    page = home_of("ana@demo.example")
    assert 'href="/label/demo-en/"' in page
    assert "Start labelling" in page
    assert 'href="/campaigns/' not in page


def test_an_ended_participation_is_no_task(demo):
    Participation.objects.filter(annotator__user__email="ana@demo.example").update(state="ended")
    page = home_of("ana@demo.example")
    assert 'href="/label/demo-en/"' not in page
    assert 'href="/label/"' in page


def test_a_maintainer_sees_campaigns_with_progress_candidates_and_the_newest_results(demo):
    suite = Release.objects.get().suite
    waiting = request_release(suite, "0.2.0", by=None)
    Release.objects.filter(pk=waiting.pk).update(state=ReleaseState.CANDIDATE)
    page = home_of("mira@demo.example")
    assert 'href="/campaigns/demo-en/"' in page
    assert "demo-en-pilot" not in page, "what is over needs nobody"
    done = Assignment.objects.filter(campaign__key="demo-en", state="done").count()
    assert str(done) in page, "labels so far"
    assert "demo@0.2.0 is ready to be published" in page
    run = EvaluationRun.objects.order_by("-finished_at", "-pk").first()
    assert run is not None
    assert run.get_absolute_url() in page
    assert f"{100 * run.report.values['overall']['accuracy']:.1f}% right on demo@0.1.0" in page


def test_an_expert_is_led_to_the_suites_and_to_no_campaign_of_others(demo):
    page = home_of("emil@demo.example")
    assert "Write templates" in page
    assert "Freeze a release" not in page


def test_work_under_way_is_shown_to_whoever_may_see_it(demo, vic):
    mira = User.objects.get(email="mira@demo.example")
    Job.objects.create(kind="curation.build_release", title="Build demo@0.3.0", requested_by=mira, done=2, total=10)
    assert "Build demo@0.3.0" in home_of("mira@demo.example")
    assert "Build demo@0.3.0" not in home_of(vic.email)


def test_more_campaigns_cost_no_more_queries(demo, mira, client, django_assert_max_num_queries):
    client.force_login(mira)
    client.get("/")
    with CaptureQueriesContext(connection) as before:
        client.get("/")
    for number in range(3):
        make_open_campaign(make_suite(key=f"more-{number}"), mira, key=f"more-{number}")
    with django_assert_max_num_queries(len(before)):
        client.get("/")
