"""The command generate_llm on a fresh database."""

import io
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.models import Job
from curation.models import Suite, TestCase
from generation.models import GenerationRun
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def provider(server, tmp_path) -> Path:
    path = tmp_path / "provider.yaml"
    path.write_text(server.provider_yaml())
    return path


def generate(provider: Path, *more: str, suite: str = "fresh", **options: str) -> dict[str, Any]:
    options = {"functionality": "ident_pos_nh", "group": "women", "n": "6", **options}
    flags = [flag for name, value in options.items() if value for flag in (f"--{name}", value)]
    out = io.StringIO()
    call_command("generate_llm", suite, *flags, "--provider", str(provider), "--json", *more, stdout=out)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def test_it_works_right_after_migrate(provider, server):
    result = generate(provider, "--per-request", "3")
    assert {key: result[key] for key in ("suite", "functionality", "group", "requested", "received", "candidates")} == {
        "suite": "fresh",
        "functionality": "ident_pos_nh",
        "group": "women",
        "requested": 6,
        "received": 6,
        "candidates": 6,
    }
    assert (result["refusals"], result["duplicates"], result["clean"]) == (0, 0, 6)
    assert result["cost"] > 0
    assert GenerationRun.objects.get(key=result["run"]).state == "done"
    assert TestCase.objects.count() == 0


def test_accepted_candidates_become_cases(provider):
    result = generate(provider, "--per-request", "3", "--accept-passing")
    assert result["accepted"] == 6
    assert TestCase.objects.filter(suite__key="fresh", origin="llm", state="ready").count() == 6


def test_a_dry_run_asks_nothing_and_leaves_nothing_behind(provider, server):
    result = generate(provider, "--dry-run")
    assert result["estimate"]["requests"] == 1
    assert result["cost"] > 0
    assert "women" in result["prompt"]["user"]
    assert server.seen == []
    assert not Suite.objects.exists()
    assert not GenerationRun.objects.exists()


def test_the_same_command_again_pays_nothing(provider, server):
    first = generate(provider, "--per-request", "3")
    again = generate(provider, "--per-request", "3")
    assert (again["cost"], again["requests"]) == (0, {"asked": 0, "reused": first["requests"]["asked"]})
    assert again["duplicates"] == 6
    other = generate(provider, "--per-request", "3", seed="500")
    assert other["cost"] > 0
    assert other["duplicates"] == 0


def test_repeated_messages_are_counted_as_duplicates(provider, server):
    server.answer = ground.writes("Women sing well in the choir.", "Women sing well in the choir.")
    result = generate(provider, "--per-request", "2", n="2")
    assert result["candidates"] == 1
    assert result["duplicates"] == result["received"] - 1 > 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"functionality": "nonsense"}, "There is no functionality 'nonsense'"),
        ({"group": "martians"}, "There is no group 'martians'"),
        ({"group": ""}, "names a group"),
        ({"language": "tlh"}, "There is no language 'tlh'"),
        ({"n": "0"}, "--n: Use at least 1 and at most 10,000"),
    ],
)
def test_bad_input_is_one_clear_sentence_and_leaves_no_suite(provider, server, options, problem):
    with pytest.raises(CommandError, match=problem):
        generate(provider, **options)
    assert server.seen == []
    assert not Suite.objects.exists()


def test_a_host_that_is_not_allowed_is_not_asked(provider, settings):
    settings.ALLOWED_MODEL_HOSTS = ["models.example.org"]
    with pytest.raises(CommandError, match="is not allowed"):
        generate(provider)


def test_a_provider_that_fails_is_said_with_the_run_to_go_on_with(provider, server):
    server.answer = ground.is_out_of_order
    with pytest.raises(CommandError, match=r"the key was withdrawn.*run-\w+ keeps 0 candidates"):
        generate(provider)


def resume(run: str, *more: str, suite: str = "fresh") -> dict[str, Any]:
    out = io.StringIO()
    call_command("generate_llm", suite, "--resume", run, "--json", *more, stdout=out)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def test_a_run_that_broke_off_goes_on_by_command_and_pays_nothing_twice(provider, server):
    server.answer = lambda number, body: (ground.writes_new_ones if number < 1 else ground.is_out_of_order)(
        number, body
    )
    with pytest.raises(CommandError, match=r"generate_llm fresh --resume run-\w+"):
        generate(provider, "--per-request", "3")
    run = GenerationRun.objects.get()
    asked, server.answer = len(server.seen), ground.writes_new_ones
    result = resume(run.key)
    assert (result["run"], result["state"], result["candidates"], result["group"]) == (run.key, "done", 6, "women")
    assert result["requests"] == {"asked": 1, "reused": 1}
    assert len(server.seen) == asked + 1
    with pytest.raises(CommandError, match=r"is done\. For more messages start another run"):
        resume(run.key)


def test_a_run_whose_command_was_killed_goes_on_when_its_lease_is_over(provider, server):
    server.answer = ground.is_out_of_order
    with pytest.raises(CommandError):
        generate(provider, "--per-request", "3")
    run = GenerationRun.objects.get()
    server.answer = ground.writes_new_ones
    held = Job.objects.filter(pk=run.job_id)
    GenerationRun.objects.filter(pk=run.pk).update(state="running")
    held.update(state="running", finished_at=None, lease_until=timezone.now() + timedelta(minutes=1))
    with pytest.raises(CommandError, match="Another worker has the job"):
        resume(run.key)
    held.update(lease_until=timezone.now() - timedelta(minutes=1))
    assert resume(run.key)["candidates"] == 6


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--resume", "run-0"], "There is no run or plan 'run-0' in the suite 'fresh'"),
        (
            ["--resume", "run-0", "--functionality", "slur_h"],
            "resumed with its own settings: leave out",
        ),
        (["--functionality", "ident_pos_nh"], "Give --provider for a new run"),
    ],
)
def test_what_is_missing_or_too_much_is_said(arguments, problem):
    with pytest.raises(CommandError, match=problem):
        call_command("generate_llm", "fresh", *arguments)
