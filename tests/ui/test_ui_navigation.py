"""Who sees which entries, and that pages that do not exist yet are left out."""

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser

from ui.navigation import SECTIONS, account_links, is_within, sections_for
from ui.roles import ALL_ROLES, roles_of


def every_page_exists(url_name: str) -> str:
    return f"/{url_name.replace(':', '/')}/"


def titles(roles: frozenset[str], resolve=every_page_exists) -> list[str]:
    return [link.title for section in sections_for(roles, resolve=resolve) for link in section.links]


def person(*roles: str, **facts: object) -> SimpleNamespace:
    return SimpleNamespace(is_authenticated=True, role_grants=frozenset((role, "de") for role in roles), **facts)


def test_a_visitor_sees_only_what_is_published():
    assert titles(roles_of(AnonymousUser())) == ["Releases", "Results"]


def test_an_annotator_sees_labelling_but_nothing_that_would_unblind_them():
    assert titles(roles_of(person("annotator"))) == ["Annotate", "Releases", "Results"]


def test_an_expert_sees_authoring_but_not_people():
    shown = titles(roles_of(person("expert")))
    assert {"Lexicon", "Templates", "Cases", "Campaigns"} <= set(shown)
    assert not {"People", "Audit", "Models", "Annotate"} & set(shown)


def test_an_evaluator_sees_models_and_results_but_no_workshop():
    assert titles(roles_of(person("evaluator"))) == ["Releases", "Models", "Results", "Jobs"]


def test_a_maintainer_sees_everything_but_labelling_and_stored_data():
    everything = [entry.title for _, entries in SECTIONS for entry in entries]
    others = {"Annotate", "Stored data", "Webhooks"}
    assert titles(roles_of(person("maintainer"))) == [title for title in everything if title not in others]


def test_an_administrator_sees_everything():
    assert roles_of(person(is_superuser=True)) == ALL_ROLES
    assert titles(ALL_ROLES) == [entry.title for _, entries in SECTIONS for entry in entries]


def test_an_entry_without_a_page_is_left_out_and_so_is_an_empty_section():
    def only_suites(url_name: str) -> str | None:
        return "/suites/" if url_name == "curation:suites" else None

    assert titles(ALL_ROLES, only_suites) == ["Suites"]
    assert len(sections_for(ALL_ROLES, resolve=only_suites)) == 1


def test_no_page_at_all_gives_no_navigation():
    assert sections_for(ALL_ROLES, resolve=lambda url_name: None) == ()
    assert account_links(resolve=lambda url_name: None) == ()


@pytest.mark.parametrize(
    ("path", "url", "expected"),
    [
        ("/suites/", "/suites/", True),
        ("/suites/hatecheck/", "/suites/", True),
        ("/suites-archive/", "/suites/", False),
        ("/", "/", True),
        ("/suites/", "/", False),
    ],
)
def test_an_entry_is_current_on_its_page_and_below(path, url, expected):
    assert is_within(path, url) is expected


def test_the_navigation_reads_the_roles_of_a_real_account(client, emil):
    client.force_login(emil)
    response = client.get("/")
    assert response.status_code == 200
    assert emil.name in response.content.decode()
    assert response.context["navigation"] == sections_for(roles_of(emil), path="/")
