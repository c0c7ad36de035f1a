"""Progress of commands: rewritten on a terminal, a line every ten seconds in a log."""

import json
import sys
from io import StringIO

import pytest
from django.core.management import call_command

from core.progress import CLEAR_LINE, Progress, duration
from tests.curation.releases.factories import make_suite


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def work(clock: Clock, progress: Progress, *, steps: int, seconds: float, message: str = "copying cases") -> None:
    for done in range(steps + 1):
        progress.show(done * 100, steps * 100, message)
        clock.now += seconds


def test_a_log_gets_a_line_every_ten_seconds_and_the_last_state(capsys):
    clock = Clock()
    progress = Progress(clock)
    work(clock, progress, steps=12, seconds=4)
    progress.finish()
    progress.finish()
    assert capsys.readouterr().err.splitlines() == [
        "copying cases: 300 of 1,200 (25%), 36 s left",
        "copying cases: 600 of 1,200 (50%), 24 s left",
        "copying cases: 900 of 1,200 (75%), 12 s left",
        "copying cases: 1,200 of 1,200 (100%)",
    ]


def test_a_quick_command_writes_its_last_state_only(capsys):
    clock = Clock()
    progress = Progress(clock)
    work(clock, progress, steps=5, seconds=0.1)
    progress.show(7, None, "writing files")
    progress.finish()
    assert capsys.readouterr().err == "writing files: 7\n"


def test_the_time_left_is_that_of_the_step(capsys):
    clock = Clock()
    progress = Progress(clock)
    work(clock, progress, steps=1, seconds=3600)
    clock.now += 1
    work(clock, progress, steps=3, seconds=100, message="noting what stays out")
    progress.finish()
    assert "noting what stays out: 100 of 300 (33%), 3 min left" in capsys.readouterr().err


def test_nothing_is_written_where_nothing_was_shown(capsys):
    Progress().finish()
    assert capsys.readouterr().err == ""


def test_a_terminal_has_one_line_that_is_removed_at_the_end(monkeypatch):
    screen, clock = Terminal(), Clock()
    monkeypatch.setattr(sys, "stderr", screen)
    progress = Progress(clock)
    work(clock, progress, steps=2, seconds=90)
    progress.finish()
    assert "\n" not in screen.getvalue()
    assert screen.getvalue().split(CLEAR_LINE) == [
        "",
        "copying cases: 0 of 200 (0%)",
        "copying cases: 100 of 200 (50%), 2 min left",
        "copying cases: 200 of 200 (100%)",
        "",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (42, "42 s"), (61, "1 min"), (3599, "1 h"), (7800, "2 h 10 min")],
)
def test_times_are_told_as_people_say_them(seconds, said):
    assert duration(seconds) == said


@pytest.mark.django_db
def test_progress_goes_to_stderr_and_the_document_to_stdout(capsys):
    make_suite()
    call_command("generate_cases", "small", "--json")
    told = capsys.readouterr()
    assert json.loads(told.out)["suite"] == "small"
    assert told.err.endswith("(100%)\n")
