"""Runs against a real server: every answer is kept, nothing is paid twice, money and people are respected."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from accounts.errors import NotAllowed
from core.errors import BadInput, Missing, WrongState
from core.jobs.models import JobState
from core.models import Job
from generation.candidates.deciding import accept_candidate, reject_candidate
from generation.checks.screening import screen_run
from generation.models import Candidate, Prompt, ProviderRequest
from generation.runs.algorithm.values import Record
from generation.runs.models import RunState
from generation.runs.options import RunOptions
from generation.runs.planning import estimate_plan, suggest_seed
from generation.runs.providers import read_uploaded_provider
from generation.runs.services import cancel_run, resume_run
from generation.runs.stores import DatabaseStore
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def suite(db):
    return ground.make_suite()


def test_a_run_proposes_as_many_candidates_as_were_wanted(suite, server, mira):
    run = ground.finished_run(suite, server, by=mira)
    assert run.state == RunState.DONE
    assert [item.number for item in run.candidates.order_by("number")] == list(range(1, 10))
    first = run.candidates.get(number=1)
    assert first.text == first.original_text == ground.message_of(0, 0)
    assert first.target.name == "women"
    assert first.is_clean
    assert run.counts["received"] == 9
    assert run.counts["cost"] == pytest.approx(3 * 70 * 1000 / 1_000_000)
    assert "women" in server.seen[0]["messages"][1]["content"]


def test_every_answer_is_kept_with_what_was_asked(suite, server):
    run = ground.finished_run(suite, server)
    kept = ProviderRequest.objects.paid_by(run.key)
    assert kept.count() == 3
    first = kept.get(seed=0)
    assert first.prompt_tokens == 50
    assert first.parameters["max_tokens"] == 100
    assert "Women at the" in first.raw
    assert first.user == server.seen[0]["messages"][1]["content"]
    assert first.seconds > 0


def test_the_database_refuses_to_change_an_answer_that_was_paid_for(suite, server):
    ground.finished_run(suite, server)
    with pytest.raises(DatabaseError), transaction.atomic():
        ProviderRequest.objects.update(text="other")
    with pytest.raises(DatabaseError), transaction.atomic():
        ProviderRequest.objects.all()._raw_delete("default")
    with pytest.raises(DatabaseError), transaction.atomic():
        Candidate.objects.update(original_text="other")
    with pytest.raises(DatabaseError), transaction.atomic():
        Prompt.objects.update(instruction="other")


def test_a_run_that_fails_half_way_keeps_what_it_has_and_goes_on_without_paying_twice(suite, server, mira):
    server.answer = lambda number, body: (
        ground.is_out_of_order(number, body) if number == 1 else ground.writes_new_ones(number, body)
    )
    run = ground.finished_run(suite, server, by=mira)
    assert run.state == RunState.FAILED
    assert "the key was withdrawn" in run.stopped_because
    assert run.job.state == JobState.FAILED
    assert run.candidates.count() == 3
    server.answer = ground.writes_new_ones
    resume_run(run, by=mira)
    assert run.state == RunState.QUEUED
    run = ground.perform(run)
    assert run.state == RunState.DONE
    assert run.candidates.count() == 9
    assert [body["seed"] for body in server.seen] == [0, 1, 1, 2]
    assert ProviderRequest.objects.paid_by(run.key).count() == 3
    assert (run.counts["asked"], run.counts["reused"], run.counts["failed"]) == (2, 1, 0)


def test_decisions_made_while_a_run_was_broken_survive_its_going_on(suite, server, mira):
    server.answer = lambda number, body: (
        ground.is_out_of_order(number, body) if number == 1 else ground.writes_new_ones(number, body)
    )
    run = ground.finished_run(suite, server, by=mira)
    accept_candidate(run.candidates.for_deciding().get(number=1), by=mira)
    reject_candidate(run.candidates.for_deciding().get(number=2), by=mira, reason="dull")
    server.answer = ground.writes_new_ones
    resume_run(run, by=mira)
    run = ground.perform(run)
    states = run.candidates.order_by("number").values_list("state", flat=True)
    assert list(states) == ["accepted", "rejected", *["proposed"] * 7]


def test_the_same_run_again_asks_nothing_and_marks_everything_as_known(suite, server):
    ground.finished_run(suite, server)
    again = ground.finished_run(suite, server)
    assert len(server.seen) == 3
    assert again.counts["cost"] == 0
    assert again.counts["reused"] == 3
    assert {finding["check"] for item in again.candidates.all() for finding in item.findings} == {"duplicate"}
    assert suggest_seed(suite) == 1000


def test_the_same_model_name_on_another_server_is_another_model(suite, server):
    ground.finished_run(suite, server)
    with ground.running_server() as other:
        ground.finished_run(suite, other)
        assert len(other.seen) == 3


def test_the_budget_counts_over_groups_and_attempts(suite, server, mira):
    # One request costs at most 0.1 for the answer and something for the prompt; it comes to 0.07.
    run = ground.finished_run(suite, server, by=mira, provider={"budget": 0.45}, groups=["women", "Muslims"])
    assert run.state == RunState.FAILED
    assert "budget" in run.stopped_because
    spent = ProviderRequest.objects.paid_by(run.key).spent()
    assert 0 < spent <= 0.45
    asked = len(server.seen)
    resume_run(run, by=mira)
    run = ground.perform(run)
    assert run.state == RunState.FAILED
    assert len(server.seen) == asked


def test_refusals_are_counted_and_bring_no_candidates(suite, server):
    server.answer = ground.refuses
    run = ground.finished_run(suite, server)
    assert run.state == RunState.DONE
    assert run.counts["refusals"] == 9
    assert run.candidates.count() == 0


def test_a_run_that_has_not_begun_is_stopped_at_once_and_can_resume(suite, server, mira):
    run = ground.start_run(ground.make_plan(suite, server), by=mira)
    cancel_run(run, by=mira)
    assert run.state == RunState.STOPPED
    with pytest.raises(WrongState):
        cancel_run(run, by=mira)
    resume_run(run, by=mira)
    assert ground.perform(run).state == RunState.DONE


def test_a_run_stopped_in_the_middle_keeps_its_answers_as_candidates(suite, server, mira, monkeypatch):
    run = ground.start_run(ground.make_plan(suite, server), by=mira)
    keep = DatabaseStore.keep

    def keep_and_ask_to_stop(self: DatabaseStore, record: Record) -> None:
        keep(self, record)
        Job.objects.filter(pk=run.job_id).update(cancel_requested=True)

    monkeypatch.setattr("core.jobs.running.REPORT_EVERY", 0.0)
    monkeypatch.setattr(DatabaseStore, "keep", keep_and_ask_to_stop)
    run = ground.perform(run)
    assert run.state == RunState.STOPPED
    assert run.job.state == JobState.CANCELLED
    assert run.candidates.count() == 3


def test_the_estimate_is_an_upper_bound_and_leaves_out_what_is_there(suite, server):
    plan = ground.make_plan(suite, server)
    estimate = estimate_plan(plan)
    assert estimate.requests == 3
    run = ground.finished_run(suite, server)
    assert run.counts["cost"] <= estimate.cost
    again = estimate_plan(plan)
    assert (again.requests, again.reused, again.cost) == (0, 3, 0)


def test_the_estimate_tells_the_most_a_model_that_repeats_itself_can_cost(suite, server):
    estimate = estimate_plan(ground.make_plan(suite, server))
    assert (estimate.requests, estimate.most_requests) == (3, 9)
    server.answer = ground.writes("Women keep bees.")
    run = ground.finished_run(suite, server)
    assert run.counts["asked"] == 9
    assert run.counts["cost"] <= estimate.most_cost


def test_a_large_estimate_takes_no_query_per_request(suite, server, django_assert_max_num_queries):
    plan = ground.make_plan(suite, server, wanted=2000, per_request=1)
    with django_assert_max_num_queries(12):
        assert estimate_plan(plan).requests == 2000


def test_screening_takes_no_query_per_candidate(suite, server, django_assert_max_num_queries):
    run = ground.finished_run(suite, server, wanted=30)
    with django_assert_max_num_queries(14):
        screen_run(run)


def test_the_same_sentences_about_two_groups_leave_both_groups_whole(suite, server):
    def writes_about(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        group = "Muslims" if "Muslims" in body["messages"][1]["content"] else "women"
        texts = [ground.message_of(body["seed"], place).replace("Women", f"All {group}") for place in range(3)]
        return 200, ground.completion(json.dumps({"messages": texts}))

    server.answer = writes_about
    run = ground.finished_run(suite, server, wanted=3, groups=["women", "Muslims"])
    clean = run.candidates.filter(findings=[])
    assert sorted(clean.values_list("target__name", flat=True)) == ["Muslims"] * 3 + ["women"] * 3


def test_a_seed_no_server_could_read_is_refused(suite, server):
    with pytest.raises(BadInput, match="seed: Use at least 0 and at most 2,000,000,000"):
        RunOptions(suite=suite.key, functionality="ident_pos_nh", seed=2**31)


def test_a_seed_is_suggested_even_after_the_largest(suite, server):
    ground.finished_run(suite, server, wanted=3, seed=2_000_000_000)
    assert suggest_seed(suite) == 0


def test_failures_in_a_row_count_over_rounds(suite, server):
    def fails_after_two(number, body):
        return ground.writes_new_ones(number, body) if number < 2 else (500, {"error": "overloaded"})

    server.answer = fails_after_two
    run = ground.finished_run(suite, server)
    assert run.state == RunState.FAILED
    assert "3 requests in a row failed" in run.stopped_because
    assert len(server.seen) == 5


def test_a_run_that_fell_short_because_of_failures_can_resume(suite, server, mira):
    def fails_for_one_seed(number, body):
        # What is asked in its place only says what was said before.
        if body["seed"] == 1:
            return 500, {"error": "oops"}
        return ground.writes_new_ones(number, {"seed": body["seed"] if body["seed"] < 3 else 0})

    server.answer = fails_for_one_seed
    run = ground.finished_run(suite, server, by=mira, groups=["women", "muslims"])
    assert run.state == RunState.FAILED
    assert "1 request failed: HTTP 500" in run.stopped_because
    assert set(run.candidates.values_list("target__name", flat=True)) == {"women", "Muslims"}
    assert run.can_resume
    before = len(server.seen)
    server.answer = ground.writes_new_ones
    resume_run(run, by=mira)
    run = ground.perform(run)
    assert run.state == RunState.DONE
    assert run.candidates.filter(target__name="women").count() >= 9
    assert len(server.seen) == before + 2


def test_only_maintainers_spend_money(suite, server, emil):
    with pytest.raises(NotAllowed):
        ground.start_run(ground.make_plan(suite, server), by=emil)
    run = ground.start_run(ground.make_plan(suite, server), by=None)
    for step in (resume_run, cancel_run):
        with pytest.raises(NotAllowed):
            step(run, by=emil)


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"groups": []}, "names a group"),
        ({"functionality": "slur_h"}, "needs slurs"),
        ({"language": "fr"}, "has no cases in French"),
    ],
)
def test_a_plan_that_cannot_work_is_refused_before_anything_is_asked(suite, server, facts, problem):
    with pytest.raises(BadInput, match=problem):
        ground.make_plan(suite, server, **facts)
    assert server.seen == []


def test_a_functionality_about_nobody_gets_no_target(suite, server):
    plan = ground.make_plan(suite, server, functionality="target_obj_nh", groups=["women"])
    assert plan.runs[0].targets == ()
    assert plan.requested == 9


def test_an_unknown_group_is_refused_with_those_that_are_known(suite, server):
    with pytest.raises(Missing, match=r"Known: .*women"):
        ground.make_plan(suite, server, groups=["martians"])


def test_the_prompt_names_the_group_in_its_language(suite, server):
    ground.finished_run(suite, server, language="de", functionality="ident_pos_nh")
    assert "Frauen" in server.seen[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"api_key_file": "/etc/passwd"}, "api_key_file"),
        ({"api_key": "${SECRET_KEY}"}, "name ends in _API_KEY"),
        ({"url": "http://10.0.0.1/v1"}, "is not allowed"),
        ({"url": "http://127.0.0.1@10.0.0.1/v1"}, "is not allowed"),
        ({"url": "http://10.0.0.1#127.0.0.1"}, "is not allowed"),
        ({"url": "http://127.0.0.1.stranger.org/v1"}, "is not allowed"),
        ({"url": "http://stranger.org\\@127.0.0.1/v1"}, "is not allowed"),
        ({"url": "http://[::ffff:10.0.0.1]/v1"}, "is not allowed"),
        ({"url": "http://2130706433/v1"}, "is not allowed"),
        ({"url": "http://127.0.0.1:99999/v1"}, "is not allowed"),
        ({"url": "file:///etc/passwd"}, "is not an address"),
        ({"api_key": "abc"}, "looks like a secret written into the file"),
        ({"nonsense": 1}, "there is no such key"),
    ],
)
def test_uploaded_provider_files_cannot_reach_for_secrets_or_strangers(server, facts, problem):
    with pytest.raises(BadInput, match=problem):
        read_uploaded_provider(server.provider_yaml(**facts))


def test_a_key_that_is_not_set_ends_the_run_with_a_clear_word(suite, server, monkeypatch):
    monkeypatch.delenv("MISSING_API_KEY", raising=False)
    run = ground.finished_run(suite, server, provider={"api_key": "${MISSING_API_KEY}"})
    assert run.state == RunState.FAILED
    assert "MISSING_API_KEY is not set" in run.stopped_because
