"""What is stored for later readers is shown to each of them in their own language."""

from datetime import UTC, datetime

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from accounts.models import Scope
from accounts.options import TokenOptions
from core.bulk import insert_rows
from core.errors import BadInput, WrongState
from core.jobs import services as jobs
from core.jobs.facts import facts_of, problems_of
from core.jobs.models import JobState
from core.jobs.running import KINDS, RunningJob, light_work
from core.models import Delivery, Job, Notification
from core.notifications.models import Happening
from core.notifications.services import notify
from core.options import Options, OptionsRefused, option, refuse
from core.options.declaring import declared
from core.options.forms import OptionsForm
from core.options.serializers import serializer_field
from core.text import _

REQUIRED = "This field is required."
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
GERMAN = "Dieses Feld ist erforderlich."


@pytest.fixture
def failing():
    @light_work("tests.refuses", title=_(REQUIRED))
    def refuses(job: RunningJob) -> None:
        job.report(1, 2, _(REQUIRED))
        raise BadInput(_("Row %(row)s: %(problem)s", row=3, problem=_(REQUIRED)), problems=[{"problem": _(REQUIRED)}])

    yield "tests.refuses"
    del KINDS["tests.refuses"]


@pytest.mark.django_db
def test_a_job_fails_in_the_language_of_who_reads_it(failing, mira, client):
    asked = jobs.request_job(failing, {}, title=_(REQUIRED), by=mira)
    jobs.perform(asked.key, worker="test")
    job = Job.objects.get(pk=asked.pk)
    assert (job.title, job.message, job.error, job.kind_title) == (REQUIRED, REQUIRED, f"Row 3: {REQUIRED}", REQUIRED)
    with translation.override("de"):
        assert [f"{text}" for text in (job.title, job.message, job.kind_title)] == [GERMAN] * 3
        assert f"{job.reason}" == f"Zeile 3: {GERMAN}"
        assert f"{problems_of(job)[0].problem}" == GERMAN
    row = Notification.objects.get(user=mira)
    assert (row.title, row.text) == (f"“{REQUIRED}” failed", f"Row 3: {REQUIRED}")
    with translation.override("de"):
        assert (f"{row.title}", f"{row.text}") == (f"„{GERMAN}“ ist fehlgeschlagen", f"Zeile 3: {GERMAN}")
    client.force_login(mira)
    answer = client.get(f"/api/v1/jobs/{job.key}/").json()
    assert (answer["title"], answer["error"]) == (REQUIRED, f"Row 3: {REQUIRED}")
    assert answer["result"]["fields"]["problems"] == [{"problem": REQUIRED}]


@pytest.mark.django_db
def test_a_mail_that_waits_in_the_outbox_is_written_in_the_language_of_who_gets_it(mira, settings):
    settings.EMAIL_URL = "smtp://localhost"
    notify(Happening.NOTE, [mira], key="note", title=_(REQUIRED), text=_(REQUIRED))
    context = {**Delivery.objects.get().payload, "person": mira}
    with translation.override("de"):
        assert render_to_string("core/notifications/mail.txt", context).count(GERMAN) == 2
    assert render_to_string("core/notifications/mail.txt", context).count(REQUIRED) == 2


@pytest.mark.django_db
def test_many_rows_keep_their_sentences(mira):
    facts = {
        "user": mira.pk,
        "kind": "note",
        "key": "n",
        "title": _(REQUIRED),
        "text": "3",
        "url": "",
        "created_at": NOON,
    }
    insert_rows(Notification, list(facts), [list(facts.values())])
    row = Notification.objects.get()
    with translation.override("de"):
        assert [f"{text}" for text in (row.title, row.text)] == [GERMAN, "3"]


@pytest.mark.django_db
def test_a_state_that_allows_no_step_is_named_as_pages_name_it(mira):
    job = Job.objects.create(kind="tests", title="Count", requested_by=mira, state=JobState.DONE)
    error = WrongState(job, now=job.state, wanted=JobState.CANCELLED)
    assert str(error) == "Count is 'Done' and cannot become 'Stopped'."
    assert error.fields == {"now": "done", "wanted": "cancelled"}


def test_facts_of_a_result_have_readable_names_and_values():
    result = {
        "dry_run": True,
        "state": "open",
        "new": {"cases": 3, "entries": 0},
        "languages": ["de", "en"],
        "skipped": [["c-1", "too long"]],
        "cost": 0.123456,
        "own_name": None,
        "measures": [{"name": "x"}],
        "warnings": [],
    }
    assert facts_of(Job(state=JobState.DONE, result=result)) == [
        ("Dry run", "yes"),
        ("Added", "Cases: 3"),
        ("Languages", "de, en"),
        ("Skipped", "c-1: too long"),
        ("Cost", "0.1235"),
        ("Own name", "none"),
        ("Warnings", "none"),
    ]
    assert facts_of(Job(state=JobState.FAILED, result=result)) == []


def test_the_place_of_a_problem_is_named():
    found = [
        {"file": "a.csv", "row": 12345, "column": "text", "problem": "it is empty", "fix": "fill it"},
        {"language": "de", "template": "t-1", "problem": "it is empty", "severity": "warning"},
    ]
    problems = problems_of(Job(state=JobState.FAILED, result={"fields": {"problems": found}}))
    assert [one.place for one in problems] == ["a.csv, row 12345, column text", "de t-1"]
    assert [one.is_warning for one in problems] == [False, True]


class SignOptions(Options):
    """What stands on a sign."""

    words: str = option("", label=_(REQUIRED), help=_(REQUIRED), unless_given=_(REQUIRED), longest=5)
    scope: Scope = option(Scope.READ, help="Who reads it.")


class SignForm(OptionsForm[SignOptions]):
    options = SignOptions


def test_a_form_of_options_is_in_the_readers_language_and_the_api_stays_english():
    words = next(one for one in declared(SignOptions) if one.name == "words")
    with translation.override("de"):
        drawn = str(SignForm())
        assert f'field__label" for="id_words">{GERMAN}' in " ".join(drawn.split()).replace("> ", ">")
        assert f"{GERMAN} Voreinstellung: {GERMAN}" in drawn
        assert serializer_field(words).help_text == f"{REQUIRED} Default: {REQUIRED}."
    assert {type(label) for _value, label in declared(TokenOptions)[1].choices} == {type(_("x"))}


def test_a_refused_option_is_told_in_the_readers_language():
    with pytest.raises(OptionsRefused) as refused:
        SignOptions(words="too long")
    assert refused.value.title == "words: Use at most 5 characters."

    def rule() -> None:
        refuse(_(REQUIRED), about="words")

    class Ruled(SignOptions):
        def model_post_init(self, context: object) -> None:
            rule()

    with pytest.raises(OptionsRefused) as refused, translation.override("de"):
        Ruled()
    with translation.override("de"):
        assert str(refused.value) == f"words: {GERMAN}"
        assert refused.value.as_problem()["fields"]["words"] == [GERMAN]
