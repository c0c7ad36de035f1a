"""A service with a daily quota: the run waits for the next day, goes on by itself, and asks about nothing twice."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.jobs import services as jobs
from core.jobs.models import JobState
from evaluation.registry.services import load, register_model
from evaluation.runners.asking import MILD_TEXT
from evaluation.runs import loaded
from evaluation.runs import services as running
from evaluation.runs.models import RunState
from tests.curation.releases.factories import make_release, make_suite

pytestmark = pytest.mark.django_db
# Tomorrow and the day after: what the database writes by itself with the real clock is always earlier.
NOON = (datetime.now(UTC) + timedelta(days=1)).replace(hour=12, minute=0, second=0, microsecond=0)
MIDNIGHT = NOON + timedelta(hours=12)
PER_DAY = 4


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """A service that answers 0.1 to everything: its address, and the texts it was asked about."""
    texts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if self.path == "/nowhere":
                return self.send_error(404)
            texts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"])
            content = b'{"score": 0.1}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            return None

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", texts
    server.shutdown()
    server.server_close()


@pytest.fixture
def set_clock(monkeypatch) -> Callable[[datetime], None]:
    """`set_clock(moment)`: for the quota, the job and the sweep alike."""

    def set_clock(moment: datetime) -> None:
        class Clock(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return moment.astimezone(tz)

        monkeypatch.setattr("core.inference.http.datetime", Clock)
        monkeypatch.setattr(timezone, "now", lambda: moment)

    set_clock(NOON)
    return set_clock


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    settings.ALLOWED_MODEL_HOSTS = ["127.0.0.1"]
    loaded._slot.clear()
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def spec(asked) -> dict[str, object]:
    return {
        "kind": "http",
        "name": "Scarce",
        "url": asked[0],
        "body": {"text": "{text}"},
        "answer": {"score": "score"},
        "threshold": 0.5,
        "daily_quota": PER_DAY,
    }


def test_a_run_stopped_by_a_quota_goes_on_by_itself_when_the_day_turns(release, spec, asked, set_clock, mira):
    run = running.request_run(release, register_model("Scarce", spec, load(spec), by=None), by=mira)
    cases = release.cases.count()
    assert PER_DAY < cases <= 2 * PER_DAY

    paused = jobs.perform(run.job.key, worker="one")
    run.refresh_from_db()
    assert (paused.state, paused.attempts, run.state) == (JobState.QUEUED, 0, RunState.QUEUED)
    assert paused.not_before == MIDNIGHT
    assert f"Postponed until {MIDNIGHT:%Y-%m-%d} 00:00 UTC: today's 4 requests" in paused.message
    assert run.predictions.count() == len(asked[1]) == PER_DAY

    set_clock(NOON + timedelta(hours=6))
    assert jobs.sweep() == 0
    assert jobs.perform(run.job.key, worker="early") is None

    set_clock(MIDNIGHT + timedelta(seconds=1))
    assert jobs.sweep() == 1  # the doorbell rings
    done = jobs.perform(run.job.key, worker="two")
    run.refresh_from_db()
    assert (done.state, run.state, run.error) == (JobState.DONE, RunState.DONE, "")
    assert run.predictions.count() == cases
    assert sorted(asked[1]) == sorted(release.cases.values_list("text", flat=True))


def test_two_runs_share_the_quota_of_a_day(release, spec, asked, set_clock, mira):
    """Also in another process: the count is in a file."""
    for name in ("One", "Two"):
        run = running.request_run(release, register_model(name, spec, load(spec), by=None), by=mira)
        loaded._slot.clear()
        assert jobs.perform(run.job.key, worker=name).state == JobState.QUEUED
    assert len(asked[1]) == PER_DAY


def test_the_command_does_not_sit_and_wait_for_the_next_day(release, spec, asked, set_clock, tmp_path):
    import yaml

    file = tmp_path / "scarce.yaml"
    file.write_text(yaml.safe_dump({name: value for name, value in spec.items() if name != "kind"}))
    with pytest.raises(
        CommandError, match=rf"Postponed until {MIDNIGHT:%Y-%m-%d}.*3 of \d cases are answered and kept"
    ):
        call_command("evaluate", release.key, model=f"http:{file}", name="Scarce")
    set_clock(MIDNIGHT + timedelta(hours=1))
    call_command("evaluate", release.key, model=f"http:{file}", name="Scarce")
    assert len(asked[1]) == release.cases.count() + 1  # and the first question, before it was registered


def test_the_command_given_again_with_a_larger_quota_goes_on_the_same_day(release, spec, asked, set_clock, tmp_path):
    import yaml

    file = tmp_path / "scarce.yaml"
    described = {name: value for name, value in spec.items() if name != "kind"}
    file.write_text(yaml.safe_dump(described))
    with pytest.raises(CommandError, match="Postponed"):
        call_command("evaluate", release.key, model=f"http:{file}", name="Scarce")
    file.write_text(yaml.safe_dump({**described, "daily_quota": 100}))
    call_command("evaluate", release.key, model=f"http:{file}", name="Scarce")
    assert sorted(asked[1]) == sorted([MILD_TEXT, *release.cases.values_list("text", flat=True)])


def test_a_service_that_refuses_the_key_is_told_in_one_sentence(release, spec, asked, tmp_path, capsys):
    import yaml

    file = tmp_path / "elsewhere.yaml"
    described = {name: value for name, value in spec.items() if name != "kind"}
    file.write_text(yaml.safe_dump({**described, "url": f"{asked[0]}nowhere"}))
    with pytest.raises(CommandError) as caught:
        call_command("evaluate", release.key, model=f"http:{file}", name="Elsewhere")
    assert str(caught.value).startswith(f"{asked[0]}nowhere answered HTTP 404. Check address and key.")
    assert "Traceback" not in capsys.readouterr().err
