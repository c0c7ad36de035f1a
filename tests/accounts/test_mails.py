"""Mails: links lead to the site, and a mail server that fails shows on no page."""

import re
import socket

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.fixture
def dead_mail_server(settings) -> None:
    """A port where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = probe.getsockname()[1]
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"


def ask_for_reset(client, email: str):
    return client.post(reverse("account_reset_password"), {"email": email}, follow=True)


def test_a_dead_mail_server_is_no_error_page_and_tells_nothing_about_accounts(client, ana, dead_mail_server, caplog):
    EmailAddress.objects.create(user=ana, email=ana.email, primary=True, verified=True)
    known, unknown = (ask_for_reset(client, email) for email in (ana.email, "stranger@example.org"))
    assert known.status_code == unknown.status_code == 200
    assert known.redirect_chain == unknown.redirect_chain == [(reverse("account_reset_password_done"), 302)]
    pages = [re.sub(r'csrf\S+ (value|content)="\w+', "", page.content.decode()) for page in (known, unknown)]
    assert pages[0] == pages[1]
    assert caplog.text.count("mail_not_sent") == 2
    assert ana.email not in caplog.text


def test_links_in_mails_lead_to_the_site_and_not_to_the_host_of_the_request(client, ana, settings, mailoutbox):
    settings.SITE_URL = "https://touchstone.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    EmailAddress.objects.create(user=ana, email=ana.email, primary=True, verified=True)
    client.post(reverse("account_reset_password"), {"email": ana.email}, headers={"host": "attacker.example"})
    assert "https://touchstone.example.org/account/password/reset/key/" in mailoutbox[0].body
    assert "attacker" not in mailoutbox[0].body + mailoutbox[0].subject


def test_links_of_invitations_lead_to_the_site(client, admin, settings):
    settings.SITE_URL = "https://touchstone.example.org"
    client.force_login(admin)
    wanted = {"role": "annotator", "language": ""}
    assert (
        "https://touchstone.example.org/account/join/"
        in client.post(reverse("accounts:invitations"), wanted).content.decode()
    )
    made = client.post("/api/v1/invitations/", wanted, content_type="application/json")
    assert made.json()["link"].startswith("https://touchstone.example.org/account/join/")
