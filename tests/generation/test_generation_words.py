"""What is kept of candidates and runs is shown in each reader's language; what models and files get stays as it is."""

import csv
import html
import io
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.test import Client

from core import text
from core.reader import READER
from core.text import Text
from generation.candidates import deciding
from generation.candidates.listing import candidates_as_table
from generation.checks.screening import screen_run
from generation.models import GenerationRun
from generation.prompts.services import note_of, versions_of
from generation.runs.options import PlanOptions
from generation.runs.planning import make_plan, start_plan
from generation.runs.providers import read_uploaded_provider
from tests.generation import factories as ground
from tests.generation.test_generation_deciding import candidate, make_run

pytestmark = pytest.mark.django_db
MARK = "\N{SECTION SIGN}"  # begins each text in the language of the tests


@pytest.fixture
def run(db) -> GenerationRun:
    return make_run(ground.make_suite())


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def foreign(monkeypatch) -> None:
    """A reader of another language, in which each text begins with a mark."""
    language = replace(
        READER,
        gettext=lambda message: MARK + message,
        ngettext=lambda one, many, count: MARK + (one if count == 1 else many),
    )
    monkeypatch.setattr(text, "_reader", language)


def page(person, address: str) -> str:
    client = Client()
    client.force_login(person)
    return client.get(address).content.decode()


def test_a_reason_that_is_offered_is_kept_as_a_text_and_others_as_they_were_written(run, mira, monkeypatch, foreign):
    offered = deciding.REASONS[0]
    for number, reason in ((1, str(offered)), (2, str.__str__(offered)), (3, "a bit dull")):
        deciding.reject_candidate(candidate(run, number), by=mira, reason=reason)
    kept = [candidate(run, number).reason for number in (1, 2, 3)]
    assert kept == [offered, offered, "a bit dull"]
    assert [type(reason) for reason in kept] == [Text, Text, str]
    assert f": {offered}" in page(mira, candidate(run, 1).get_absolute_url())
    monkeypatch.undo()
    assert MARK not in page(mira, candidate(run, 1).get_absolute_url())


def test_a_written_reason_is_never_taken_for_a_text_of_ours(run, mira):
    written = '{"__text__": {"message": "%(x)s", "values": {"a": 1}}}'
    deciding.reject_candidate(candidate(run, 1), by=mira, reason=written)
    assert candidate(run, 1).reason.strip() == written


def test_findings_and_the_reasons_of_rules_are_shown_to_each_reader(run, mira, foreign):
    screen_run(run)
    deciding.decide_by_rule(run, "reject_found", by=mira)
    rejected = candidate(run, 4)
    assert rejected.reason == "screening: e-mail address: max@example.org"
    shown = page(mira, rejected.get_absolute_url())
    assert f"{MARK}screening: {MARK}{MARK}e-mail address: max@example.org" in shown
    client = Client()
    client.force_login(mira)
    answer = client.get(f"/api/v1/generation-runs/{run.key}/candidates/4/").json()
    assert answer["findings"] == [
        {"check": "personal_data", "problem": f"{MARK}{MARK}e-mail address: max@example.org", "other": ""}
    ]
    assert answer["reason"].startswith(MARK)


def test_files_and_provenance_stay_english(run, mira, foreign):
    screen_run(run)
    deciding.decide_by_rule(run, "reject_found", by=mira)
    header, rows = candidates_as_table(run, run.candidates.order_by("number"), threshold=0.5)
    table = io.StringIO()
    csv.writer(table).writerows([header, *rows])
    assert "screening: e-mail address: max@example.org" in table.getvalue()
    assert "personal_data: e-mail address: max@example.org" in table.getvalue()
    assert MARK not in table.getvalue()
    run.candidates.filter(number=1).update(checks={"scores": {}})
    deciding.edit_candidate(candidate(run, 1), by=mira, text="Women sing in the choir.")
    case = deciding.accept_candidate(candidate(run, 1), by=mira)
    case.refresh_from_db()
    assert case.provenance["checks"] == {"reason": "The text was edited after it was checked."}


def test_why_a_run_stopped_and_what_a_plan_skipped_is_shown_to_each_reader(server, mira, foreign):
    suite = ground.make_suite()
    provider = read_uploaded_provider(
        server.provider_yaml(price={"input_per_million": 9.0, "output_per_million": 9.0}, budget=0.0)
    )
    options = PlanOptions(
        suite="written", functionalities=("slur_h", "ident_pos_nh"), languages=("en",), groups=("women",), wanted=3
    )
    (run,) = start_plan(make_plan(suite, options, provider=provider), by=mira)
    ground.perform(run)
    run.refresh_from_db()
    assert run.stopped_because == "The budget of 0.0 is used up: 0.0 spent."
    assert run.plan is not None
    (skipped,) = run.plan.skipped_reasons
    assert str(skipped).count(MARK) == 2
    assert str(skipped) in html.unescape(page(mira, run.plan.get_absolute_url()))
    client = Client()
    client.force_login(mira)
    answer = client.get(f"/api/v1/generation-plans/{run.plan.key}/").json()
    assert answer["skipped"] == [str(skipped)]
    assert answer["runs"][0]["stopped_because"].startswith(MARK)


def test_models_are_asked_in_the_same_words_whoever_starts_the_run(server, mira, foreign):
    ground.finished_run(ground.make_suite(), server, by=mira, wanted=3)
    assert MARK not in str(server.seen)


def test_the_notes_of_the_prompts_that_come_with_touchstone_are_shown_to_each_reader(mira, foreign):
    ground.make_suite()
    for language in ("en", "de"):
        (version,) = versions_of(language, "ident_pos_nh")
        assert note_of(version) == version.note
        assert str(note_of(version)) == MARK + version.note
