"""Every list of the API has pages by number, and by cursor where its rows are rows of a table."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import get_resolver
from rest_framework.test import APIClient

from accounts.models import User
from tests.curation.authoring.factories import make_suite, write_template

pytestmark = pytest.mark.django_db
PEOPLE = "/api/v1/people/"


def pages(client: APIClient, address: str, **query: object) -> list[list[dict]]:
    """Follow `next` to the end."""
    found, answer = [], client.get(address, query).json()
    while True:
        found.append(answer["results"])
        if not answer["next"]:
            return found
        answer = client.get(answer["next"]).json()


def list_addresses() -> list[str]:
    """The addresses of the API without parts to fill in."""
    found = []

    def walk(patterns, before: str) -> None:
        for one in patterns:
            address = before + str(one.pattern).removeprefix("^").removesuffix("$")
            if hasattr(one, "url_patterns"):
                walk(one.url_patterns, address)
            elif address.startswith("api/v1/") and not re.search(r"[<(\\]", address):
                found.append(f"/{address}")

    walk(get_resolver().url_patterns, "")
    return sorted(set(found))


@pytest.fixture
def api(admin) -> APIClient:
    client = APIClient()
    client.force_authenticate(admin)
    return client


@pytest.fixture
def people(db) -> list[User]:
    return User.objects.bulk_create(User(email=f"p{number}@example.org") for number in range(25))


def test_a_cursor_leads_to_every_row_once_in_the_order_they_were_made(api, people):
    found = pages(api, PEOPLE, cursor="", page_size=10)
    keys = [person["id"] for page in found for person in page]
    assert [len(page) for page in found] == [10, 10, len(keys) - 20]
    assert keys == sorted(keys)
    assert set(keys) == set(User.objects.values_list("pk", flat=True))


def test_a_row_that_is_added_or_removed_meanwhile_moves_no_other(api, people):
    first = api.get(PEOPLE, {"cursor": "", "page_size": 10}).json()
    User.objects.filter(pk=first["results"][0]["id"]).delete()
    User.objects.create(email="late@example.org")
    rest = pages(api, first["next"])
    seen = [person["id"] for page in [first["results"], *rest] for person in page]
    assert len(seen) == len(set(seen))
    assert set(User.objects.values_list("pk", flat=True)) <= set(seen)


def test_pages_of_a_cursor_are_not_counted(api, people, django_assert_max_num_queries):
    answer = api.get(PEOPLE, {"cursor": ""}).json()
    assert set(answer) == {"next", "previous", "results"}


def test_a_cursor_and_a_page_number_exclude_each_other(api):
    refused = api.get(PEOPLE, {"cursor": "", "page": 2})
    assert refused.status_code == 400
    assert "not both" in refused.json()["fields"]["cursor"][0]


def test_a_cursor_that_is_none_is_refused(api, people):
    assert api.get(PEOPLE, {"cursor": "nonsense"}).status_code == 404


def test_filters_stay_on_the_pages_of_a_cursor(api, people):
    answer = api.get(PEOPLE, {"cursor": "", "page_size": 5, "q": "p1"}).json()
    assert parse_qs(urlsplit(answer["next"]).query)["q"] == ["p1"]
    emails = [person["email"] for page in pages(api, PEOPLE, cursor="", page_size=5, q="p1") for person in page]
    assert sorted(emails) == sorted(f"p{number}@example.org" for number in (1, *range(10, 20)))


def test_every_list_answers_a_cursor_or_says_that_it_has_none(api, admin, people):
    write_template(make_suite(), "Ich mag [identity].", by=admin)
    wrong = {}
    paged = 0
    for address in list_addresses():
        plain = api.get(address)
        if plain.status_code != 200 or "application/json" not in plain["Content-Type"]:
            continue
        if not isinstance(plain.json(), dict) or "results" not in plain.json() or "count" not in plain.json():
            continue
        paged += 1
        by_cursor = api.get(address, {"cursor": ""})
        if by_cursor.status_code == 200:
            if len(by_cursor.json()["results"]) != len(plain.json()["results"]):
                wrong[address] = "another number of rows"
        elif by_cursor.status_code != 400 or "cursor" not in by_cursor.json()["fields"]:
            wrong[address] = by_cursor.status_code
    assert wrong == {}
    assert paged > 20
