"""In which language and with which formats a reader gets pages."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import formats, translation

from accounts.interface_language import browser_language, interface_language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("en-US,en;q=0.9", "en"),
        ("de-AT,de;q=0.8,en;q=0.5", "de"),
        ("ja,fr;q=0.5", "fr"),
        ("ja", "en"),
        ("zh-CN,en;q=0.5", "zh-hans"),
        ("hi-Latn", "hi-latn"),
        ("*", "en"),
        ("x" * 2000, "en"),
        ("en-US,de;q=0.9", "en"),
    ],
)
def test_the_first_language_of_the_browser_that_we_have_wins(accepted, language):
    assert browser_language(accepted) == language


@pytest.mark.parametrize(
    ("code", "language"),
    [("zh", "zh-hans"), ("hi-Latn", "hi-latn"), ("hi", "hi"), ("tr", ""), ("", ""), ("x" * 99, "")],
)
def test_a_campaigns_language_has_the_nearest_interface_language(code, language):
    assert interface_language(code) == language


def test_numbers_follow_the_locale_and_form_fields_stay_readable_for_browsers():
    with translation.override("de"):
        assert formats.number_format(1234.5, decimal_pos=1, force_grouping=True) == "1.234,5"
        assert "%Y-%m-%d" in formats.get_format("DATE_INPUT_FORMATS")


def test_english_dates_mean_the_same_in_every_country():
    with translation.override("en"):
        assert formats.date_format(date(2026, 3, 4), "SHORT_DATE_FORMAT") == "4 Mar 2026"


def page_language(client, **headers) -> str:
    return client.get(reverse("account_login"), headers=headers).headers["Content-Language"]


@pytest.mark.django_db
def test_the_switch_counts_more_than_the_browser_before_signing_in(client):
    assert page_language(client, accept_language="fr") == "fr"
    client.post(reverse("accounts:language"), {"language": "ar"})
    assert page_language(client, accept_language="fr") == "ar"


@pytest.mark.django_db
def test_a_right_to_left_language_turns_the_page_round(client):
    client.post(reverse("accounts:language"), {"language": "ar"})
    page = client.get(reverse("account_login")).content.decode()
    assert '<html lang="ar" dir="rtl"' in page


@pytest.mark.django_db
def test_the_account_remembers_the_language_for_every_browser(client, emil):
    client.force_login(emil)
    client.post(reverse("accounts:language"), {"language": "pl"})
    emil.refresh_from_db()
    assert emil.language == "pl"
    client.cookies.pop("touchstone_language")
    assert client.get(reverse("home"), headers={"accept-language": "fr"}).headers["Content-Language"] == "pl"


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["tlh", "", "../../etc", "en\n"])
def test_an_unknown_language_changes_nothing(client, language):
    response = client.post(reverse("accounts:language"), {"language": language})
    assert (response.status_code, response.cookies.get("touchstone_language")) == (302, None)


@pytest.mark.django_db
def test_the_switch_never_leads_to_another_site(client):
    response = client.post(
        reverse("accounts:language"), {"language": "de"}, headers={"referer": "https://elsewhere.example/"}
    )
    assert response.url == "/"
