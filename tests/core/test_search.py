"""One search over everything, and nothing in it that the person may not see."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from core.search.finding import LONGEST, MOST, SEARCHES, find
from curation.models import Suite, TestCase
from evaluation.models import DetectionModel
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
WORKSHOP = {"Suites", "Releases", "Templates", "Cases"}


@pytest.fixture
def suite(mira):
    return make_suite("small", by=mira)


def kinds(user, words):
    return set(find(user, words))


def test_a_maintainer_finds_suites_releases_templates_cases_and_models(suite, mira):
    make_release(suite, by=mira)
    DetectionModel.objects.create(key="small-bert", name="Small BERT")
    found = find(mira, "small")
    assert {"Suites", "Releases", "Models"} <= set(found)
    assert found["Suites"][0].url == suite.get_absolute_url()
    case = TestCase.objects.of(suite).first()
    [hit] = find(mira, case.key)["Cases"]
    assert case.functionality.title in hit.detail
    worded = find(mira, "really like")
    assert [hit.title for hit in worded["Templates"]] == ["2"]
    assert len(worded["Cases"]) == 2


def test_a_release_is_found_by_its_full_name(suite, mira):
    make_release(suite, "1.0.0", by=mira)
    make_candidate(suite, "2.0.0", by=mira)
    assert [hit.title for hit in find(mira, "small@2")["Releases"]] == ["small@2.0.0"]


def test_annotators_and_visitors_find_no_case_template_or_draft(suite, mira, ana, vic):
    make_candidate(suite, "2.0.0", by=mira)
    text = TestCase.objects.of(suite).first().text
    for person in (ana, vic, AnonymousUser()):
        assert kinds(person, text) <= {"Help"}
        assert kinds(person, "small") & WORKSHOP == set()
    make_release(suite, "3.0.0", by=mira)
    for person in (ana, vic, AnonymousUser()):
        assert [hit.title for hit in find(person, "small")["Releases"]] == ["small@3.0.0"]
        assert kinds(person, text) <= {"Help"}


def test_what_is_private_is_found_by_its_owner_only(mira, emil):
    from evaluation.models import Dataset

    Dataset.objects.create(key="mild-posts", title="Mild posts", owner=mira)
    assert "Data sets" in find(mira, "mild posts")
    assert "Data sets" not in find(emil, "mild posts")


def test_few_of_each_kind_are_shown_with_a_fixed_number_of_queries(suite, mira, django_assert_max_num_queries):
    for number in range(MOST + 3):
        Suite.objects.create(key=f"other-{number}", name=f"Small suite {number}")
    mira.is_maintainer  # noqa: B018  (the roles are read once per request)
    with django_assert_max_num_queries(len(SEARCHES) + 2):
        assert len(find(mira, "small")["Suites"]) == MOST


def test_nothing_is_looked_up_without_words(mira, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert find(mira, "   ") == {}


def test_long_and_odd_words_find_nothing_and_break_nothing(mira):
    assert find(mira, "x" * 10 * LONGEST) == {}
    assert find(mira, "100% _ ' \" @") == {}


def test_texts_stay_covered_until_the_person_uncovers_them(suite, mira):
    client = Client()
    client.force_login(mira)
    case = TestCase.objects.of(suite).first()
    assert case.text not in client.get("/search/", {"q": case.key}).content.decode()
    client.cookies["texts"] = "shown"
    assert case.text in client.get("/search/", {"q": case.key}).content.decode()


def test_htmx_gets_only_the_list(suite, mira):
    client = Client()
    client.force_login(mira)
    page = client.get("/search/", {"q": "small"}).content.decode()
    part = client.get("/search/", {"q": "small"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" in page
    assert "<html" not in part
    assert suite.name in part
    assert "No results for" in client.get("/search/", {"q": "zebrafish"}).content.decode()
