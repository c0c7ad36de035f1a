"""People are told what concerns them, once; mail and webhooks leave through an outbox that survives a crash."""

import json
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from core.jobs import services as jobs
from core.jobs.running import KINDS, light_work
from core.models import Delivery, Notification, Webhook
from core.notifications import delivering, services
from core.notifications.models import DeliveryState, Happening, MailTime

pytestmark = pytest.mark.django_db


class Receiver(HTTPServer):
    """A program that is called by webhooks; `answers` are the statuses it gives, then 200."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append((dict(self.headers), body))
        status = self.server.answers.pop(0) if self.server.answers else 200
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://169.254.169.254/")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.ALLOWED_WEBHOOK_HOSTS = ["127.0.0.1"]
    server = Receiver()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def _mail_is_set_up(settings) -> None:
    settings.EMAIL_URL = "smtp://localhost"


def tell(*people, kind=Happening.REVIEW_WAITING, key="en-001:2", **facts) -> int:
    told = {"title": "en-001 waits for your review", "url": "/templates/", **facts}
    return services.notify(kind, people, key=key, **told)


def test_a_person_finds_it_in_the_inbox_and_in_the_mail(ana):
    assert tell(ana) == 1
    assert delivering.deliver() == 1
    [message] = mail.outbox
    assert message.to == [ana.email]
    assert "en-001 waits for your review" in message.subject
    assert "/templates/" in message.body
    assert message.alternatives[0][1] == "text/html"
    [row] = Notification.objects.visible_to(ana)
    assert row.read_at is None


def test_telling_twice_is_telling_once(ana, emil):
    assert tell(ana) == 1
    assert tell(ana, emil) == 1
    delivering.deliver()
    delivering.deliver()
    assert sorted(message.to[0] for message in mail.outbox) == sorted([ana.email, emil.email])


def test_the_person_who_did_it_and_suspended_people_are_not_told(ana, emil):
    emil.is_active = False
    emil.save()
    assert tell(ana, emil, by=ana) == 0
    assert Delivery.objects.count() == 0


def test_nothing_is_told_when_what_happened_is_rolled_back(ana):
    from django.db import transaction

    with transaction.atomic():
        tell(ana)
        transaction.set_rollback(True)
    assert Notification.objects.count() == Delivery.objects.count() == 0


def test_people_choose_when_they_get_mail(ana, emil, mira):
    services.choose_mail(ana, {"review_waiting": MailTime.NEVER})
    services.choose_mail(emil, {"review_waiting": MailTime.DAILY})
    tell(ana, emil, mira)
    delivering.deliver()
    assert [message.to for message in mail.outbox] == [[mira.email]]
    assert delivering.queue_digests() == 1
    delivering.deliver()
    assert [message.to for message in mail.outbox[1:]] == [[emil.email]]
    assert "1 notification" in mail.outbox[1].subject
    assert "en-001 waits" in mail.outbox[1].body


def test_a_digest_comes_once_a_day_and_holds_only_what_is_new(emil, time_machine):
    services.choose_mail(emil, {"review_waiting": MailTime.DAILY})
    time_machine.move_to("2026-11-18 08:00:00+00:00", tick=False)
    tell(emil)
    assert delivering.queue_digests() == 1
    time_machine.move_to("2026-11-18 20:00:00+00:00", tick=False)
    tell(emil, key="en-002:1", title="en-002 waits for your review")
    assert delivering.queue_digests() == 0
    time_machine.move_to("2026-11-19 09:00:00+00:00", tick=False)
    assert delivering.queue_digests() == 1
    delivering.deliver()
    assert "en-002" in mail.outbox[-1].body
    assert "en-001" not in mail.outbox[-1].body
    time_machine.move_to("2026-11-20 10:00:00+00:00", tick=False)
    assert delivering.queue_digests() == 0


def test_without_a_mail_server_the_inbox_works_and_the_page_says_so(ana, settings, client):
    settings.EMAIL_URL = ""
    tell(ana)
    assert Delivery.objects.count() == 0
    client.force_login(ana)
    assert "does not send e-mail" in client.get("/inbox/").content.decode()
    assert delivering.queue_digests() == 0


def test_a_mail_that_the_server_refuses_is_tried_again_later(ana, monkeypatch, time_machine):
    tell(ana)
    refuse = ConnectionRefusedError("nothing listens there")
    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMultiAlternatives.send", lambda self: (_ for _ in ()).throw(refuse))
        assert delivering.deliver() == 0
        row = Delivery.objects.get()
        assert (row.state, row.attempts, row.answer) == ("waiting", 1, "nothing listens there")
        assert row.not_before > timezone.now()
    assert delivering.deliver() == 0, "it is not due yet"
    time_machine.move_to(row.not_before + timedelta(seconds=1))
    assert delivering.deliver() == 1


def test_after_the_last_attempt_it_has_failed_and_can_be_sent_again(ana, admin, receiver):
    receiver.answers = [500] * delivering.ATTEMPTS
    services.add_webhook(receiver.url, by=admin)
    tell(ana)
    for _ in range(delivering.ATTEMPTS):
        Delivery.objects.update(not_before=timezone.now())
        delivering.deliver()
    row = Delivery.objects.get(channel="webhook")
    assert (row.state, row.answer) == ("failed", "HTTP 500")
    services.send_again(row, by=admin)
    delivering.deliver()
    row.refresh_from_db()
    assert (row.state, row.answer) == ("sent", "HTTP 200")


def test_a_mail_left_half_sent_is_not_sent_twice_but_a_webhook_is_called_again(ana, admin, receiver):
    services.add_webhook(receiver.url, by=admin)
    tell(ana)
    past = timezone.now() - timedelta(minutes=5)
    Delivery.objects.update(state=DeliveryState.SENDING, lease_until=past, attempts=1)
    delivering.deliver()
    states = dict(Delivery.objects.values_list("channel", "state"))
    assert states == {"mail": "unsure", "webhook": "sent"}
    assert mail.outbox == []
    assert len(receiver.calls) == 1


def test_a_process_that_is_still_sending_keeps_its_message(ana):
    tell(ana)
    Delivery.objects.update(state=DeliveryState.SENDING, lease_until=timezone.now() + timedelta(minutes=1))
    assert delivering.deliver() == 0
    assert Delivery.objects.get().state == "sending"


def test_a_webhook_is_signed_and_names_its_delivery(ana, admin, receiver):
    webhook = services.add_webhook(receiver.url, kinds=["review_waiting"], by=admin)
    tell(ana, facts={"template": "en-001"})
    tell(ana, kind=Happening.JOB_FAILED, key="job-1")
    delivering.deliver()
    [(headers, body)] = receiver.calls
    event = json.loads(body)
    assert event["event"] == headers["Touchstone-Event"] == "review_waiting"
    assert event["facts"] == {"template": "en-001"}
    assert event["delivery"] == headers["Touchstone-Delivery"]
    moment, proof = (part.partition("=")[2] for part in headers["Touchstone-Signature"].split(","))
    assert proof == delivering.signature(webhook.secret, moment, body)
    assert proof != delivering.signature(webhook.secret, moment, body + b" ")


def test_webhooks_lead_only_to_listed_hosts_and_follow_no_redirect(ana, admin, receiver, settings):
    from core.errors import BadInput

    for url in (
        "http://169.254.169.254/",
        "http://localhost:1/",
        "http://127.0.0.1@evil.example/",
        "file:///etc/passwd",
    ):
        with pytest.raises(BadInput):
            services.add_webhook(url, by=admin)
    services.add_webhook(receiver.url, by=admin)
    receiver.answers = [302]
    tell(ana)
    delivering.deliver()
    assert Delivery.objects.get(channel="webhook").answer == "HTTP 302"
    settings.ALLOWED_WEBHOOK_HOSTS = []
    Delivery.objects.update(not_before=timezone.now())
    delivering.deliver()
    assert "ALLOWED_WEBHOOK_HOSTS" in Delivery.objects.get(channel="webhook").answer
    assert len(receiver.calls) == 1


def test_the_owner_of_a_failed_job_is_told_each_time_it_fails(mira):
    @light_work("tests.always_fails")
    def always_fails(job: object) -> None:
        raise ValueError("the file is empty")

    try:
        job = jobs.request_job("tests.always_fails", {}, title="Import small", by=mira)
        jobs.perform(job.key, worker="one")
        [row] = Notification.objects.visible_to(mira)
        assert row.kind == "job_failed"
        assert "Import small" in row.title
        assert "the file is empty" in row.text
        assert row.url == job.get_absolute_url()
        job.refresh_from_db()
        jobs.resume(job, by=mira)
        jobs.perform(job.key, worker="one")
        assert Notification.objects.visible_to(mira).count() == 2
    finally:
        del KINDS["tests.always_fails"]


def test_opening_a_notification_marks_it_read_and_leads_there(ana, emil):
    tell(ana)
    row = Notification.objects.get()
    client = Client()
    client.force_login(emil)
    assert client.get(row.get_absolute_url()).status_code == 404, "another person's inbox"
    client.force_login(ana)
    page = client.get("/inbox/?show=unread").content.decode()
    assert row.title in page
    assert client.get(row.get_absolute_url()).headers["Location"] == "/templates/"
    assert row.title not in client.get("/inbox/?show=unread").content.decode()


def test_pages_show_how_many_are_unread(ana, client):
    client.force_login(ana)
    assert "tabs__count" not in client.get("/inbox/").content.decode()
    tell(ana)
    assert "tabs__count" in client.get("/help/index/").content.decode()
    client.post("/inbox/read/")
    assert "tabs__count" not in client.get("/inbox/").content.decode()


def test_the_api_reads_the_inbox_of_its_owner_only(ana, emil, client):
    tell(ana)
    client.force_login(emil)
    assert client.get("/api/v1/inbox/").json()["results"] == []
    client.force_login(ana)
    [row] = client.get("/api/v1/inbox/?unread=true").json()["results"]
    assert client.post(f"/api/v1/inbox/{row['id']}/read/").json()["read_at"]
    assert client.post("/api/v1/inbox/read-all/").json() == {"read": 0}
    assert Client().get("/api/v1/inbox/").status_code in (401, 403)


def test_only_administrators_see_and_change_webhooks(mira, admin, receiver, client):
    client.force_login(mira)
    assert client.get("/webhooks/").status_code == 403
    assert client.get("/api/v1/webhooks/").status_code == 403
    client.force_login(admin)
    made = client.post("/webhooks/", {"url": receiver.url, "kinds": ["release_published"]})
    webhook = Webhook.objects.get()
    assert webhook.secret in made.content.decode()
    assert webhook.secret not in client.get("/webhooks/").content.decode()
    assert client.post("/webhooks/", {"url": "http://elsewhere.example/"}).status_code == 422
    client.post(f"/webhooks/{webhook.pk}/try/")
    delivering.deliver()
    assert json.loads(receiver.calls[0][1])["event"] == "trial"
    [row] = client.get(f"/api/v1/webhooks/{webhook.pk}/deliveries/").json()
    assert row["state"] == "sent"
    assert client.post(f"/api/v1/webhooks/{webhook.pk}/deliveries/{row['id']}/again/").status_code == 202
    assert client.post(f"/api/v1/webhooks/{webhook.pk}/deliveries/{row['id']}/again/").status_code == 409
    client.post(f"/webhooks/{webhook.pk}/remove/")
    assert Webhook.objects.count() == 0


def test_mail_choices_are_kept_and_unknown_ones_refused(ana, client):
    from core.errors import BadInput

    client.force_login(ana)
    client.post("/inbox/mail/", {"comment": "never", "note": "daily"})
    assert services.mail_times(ana)["comment"] == "never"
    assert services.mail_times(ana)["review_waiting"] == "at_once"
    with pytest.raises(BadInput):
        services.choose_mail(ana, {"comment": "weekly"})
    with pytest.raises(BadInput):
        services.choose_mail(ana, {"weather": "never"})
