"""Models against groups of annotators, on page, API and command; without agreement no join is possible."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import LinkedAnswers, Participation
from annotation.people.onboarding import unlink_answers
from evaluation.models import EvaluationRun
from tests.annotation.test_perspectives import label_as_two_groups, make_draft
from tests.evaluation.factories import allow_models, run_model

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/results/group-labels/"


@pytest.fixture
def suite():
    from tests.annotation.factories import make_suite

    return make_suite(templates=4, per_template=2, raters=14, threshold=8)


@pytest.fixture
def campaign(suite, mira):
    from annotation.campaigns.opening import open_campaign

    return open_campaign(make_draft(suite, mira), by=mira)


@pytest.fixture
def run(campaign, suite, mira, settings) -> EvaluationRun:
    """Six women call every text hateful, as the model does; six men only those that are."""
    from tests.curation.releases.factories import make_release

    label_as_two_groups(campaign)
    allow_models(settings)
    release = make_release(suite, by=mira, policy="mark", without_labels="include")
    return run_model(release, "always_hateful", name="Always", by=mira)


def as_(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_page_api_and_command_say_whose_labels_a_model_is_close_to(run, mira, client):
    key = run.release.key
    found = as_(mira).get(ADDRESS, {"release": key, "by": "gender", "model": "Always"}).json()
    women, men = found["models"]["Always"]["Woman"], found["models"]["Always"]["Man"]
    assert (women["disagreement"], men["disagreement"]) == (0.0, 0.5)
    assert men["disagreement_difference"] == pytest.approx(0.5)
    assert men["disagreement_p_value"] < 0.05
    assert women["jensen_shannon"] < men["jensen_shannon"]
    out = StringIO()
    call_command("soft_labels", key, "--by", "gender", "--model", "Always", "--json", stdout=out)
    assert json.loads(out.getvalue())["models"] == found["models"]
    out = StringIO()
    call_command("soft_labels", key, stdout=out)
    assert "Woman: 6 annotators, 48 labels on 8 cases; Jensen-Shannon 0.000" in out.getvalue()
    client.force_login(mira)
    html = client.get(reverse("evaluation:group-labels", args=key.split("@"))).content.decode()
    assert "Woman" in html
    assert "50.0%" in html
    scores = client.get(reverse("evaluation:results"), {"release": key, "tab": "scores"}).content.decode()
    assert reverse("evaluation:group-labels", args=key.split("@")) in scores
    groups = client.get(reverse("annotation:suite-perspectives", args=[run.release.suite.key])).content.decode()
    assert reverse("evaluation:group-labels", args=key.split("@")) in groups


def test_a_withdrawn_agreement_counts_at_once(run, mira):
    for one in Participation.objects.filter(linked_answers__answers__gender="Woman")[:2]:
        unlink_answers(one)
    found = as_(mira).get(ADDRESS, {"release": run.release.key, "by": "gender"}).json()
    assert (found["models"], "no two groups" in found["reason"]) == ({}, True)


def test_without_agreement_there_is_nothing_to_compare(run, mira, client):
    LinkedAnswers.objects.all().delete()
    found = as_(mira).get(ADDRESS, {"release": run.release.key, "by": "gender"}).json()
    assert (found["models"], found["reason"][:12]) == ({}, "No annotator")
    client.force_login(mira)
    html = client.get(reverse("evaluation:group-labels", args=run.release.key.split("@"))).content.decode()
    assert "Nothing to compare" in html


def test_nothing_about_groups_is_stored_with_results(run):
    assert "Woman" not in json.dumps(run.report.values)
    assert "Woman" not in json.dumps(run.release.facts)


def test_it_is_for_the_workshop(run, vic, ana, client):
    page = reverse("evaluation:group-labels", args=run.release.key.split("@"))
    for user in (vic, ana):
        client.force_login(user)
        assert client.get(page).status_code == 403
        assert as_(user).get(ADDRESS, {"release": run.release.key}).status_code == 403
    assert APIClient().get(ADDRESS, {"release": run.release.key}).status_code in (401, 403)
    client.logout()
    assert client.get(page).status_code == 302


def test_an_unknown_question_is_refused_with_those_there_are(run, mira):
    refused = as_(mira).get(ADDRESS, {"release": run.release.key, "by": "shoe size"})
    assert refused.status_code == 422
    assert "age, gender, origin" in refused.json()["title"]
    with pytest.raises(CommandError, match="no question 'shoe size'"):
        call_command("soft_labels", run.release.key, "--by", "shoe size")
