import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference.errors import RequestFailed, Stopped
from core.inference.pacing import Pace, Retrying, ask_patiently, parse_retry_after
from core.inference.quota import FolderQuota, MemoryQuota, seconds_until_tomorrow
from core.inference.settings import allow_hosts, refuse_every_url


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("-3", 0.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("inf", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(header, seconds):
    assert parse_retry_after(header, now=NOW) == seconds


@given(st.integers(min_value=2, max_value=30))
def test_waiting_grows_but_never_past_a_minute(attempt):
    busy = RequestFailed("busy", is_retryable=True)
    wait = Retrying(first_wait=0.5).wait_before(attempt, busy, chance=random.Random(attempt))
    assert 0 < wait <= 60
    assert wait >= min(60.0, 0.5 * 2 ** (attempt - 2)) / 2


def test_a_pace_spreads_requests_evenly():
    clock = Clock()
    pace = Pace(requests_per_second=2, clock=clock, sleep=clock.sleep)
    times = []
    for _ in range(4):
        pace.wait()
        times.append(clock.now)
    assert times == pytest.approx([0, 0.5, 1.0, 1.5])


def test_less_than_one_request_a_minute_is_one_in_a_longer_time():
    clock = Clock()
    pace = Pace(requests_per_minute=0.5, clock=clock, sleep=clock.sleep)
    pace.wait()
    pace.wait()
    assert clock.now == pytest.approx(120, abs=0.5)


def test_the_pace_lets_so_many_requests_through_a_minute():
    clock = Clock()
    pace = Pace(requests_per_minute=3, clock=clock, sleep=clock.sleep)
    times = []
    for _ in range(7):
        pace.wait(1)
        times.append(clock.now)
    assert times[:3] == [0, 0, 0]
    assert times[3] == pytest.approx(60, abs=0.5)
    assert times[6] == pytest.approx(120, abs=1)


def test_the_pace_counts_tokens_and_lets_a_large_request_through_alone():
    clock = Clock()
    pace = Pace(tokens_per_minute=100, clock=clock, sleep=clock.sleep)
    pace.wait(500)
    assert clock.now == 0
    pace.wait(10)
    assert clock.now == pytest.approx(60, abs=0.5)


def test_a_pause_holds_back_every_request_and_stopping_ends_the_wait():
    clock = Clock()
    pace = Pace(clock=clock, sleep=clock.sleep)
    pace.pause(5)
    pace.wait(1)
    assert clock.now == pytest.approx(5, abs=0.5)
    pace.pause(5)
    with pytest.raises(Stopped):
        pace.wait(1, should_stop=lambda: True)


def test_waits_double_up_to_a_limit_and_respect_the_provider():
    retrying = Retrying(attempts=9, first_wait=1, longest_backoff=8)
    chance = random.Random(1)
    busy = RequestFailed("busy", is_retryable=True)
    waits = [retrying.wait_before(attempt, busy, chance=chance) for attempt in range(2, 9)]
    assert all(2 ** (n - 1) <= wait * 2 <= 2**n + 1e-9 for n, wait in enumerate(waits[:4], start=1))
    assert max(waits) <= 8
    assert retrying.wait_before(2, RequestFailed("busy", retry_after=30), chance=chance) == 30


def failing(*steps):
    """What is asked: it fails with each step in turn, then answers."""
    remaining = list(steps)

    def ask():
        if remaining:
            raise remaining.pop(0)
        return "answered"

    return ask


def test_a_busy_server_is_asked_again_and_the_attempts_are_counted():
    clock = Clock()
    busy = RequestFailed("busy", is_retryable=True)
    found = ask_patiently(failing(busy, busy), retrying=Retrying(), pace=Pace(), sleep=clock.sleep)
    assert found == ("answered", 3)
    assert 1.5 <= clock.now <= 4


@pytest.mark.parametrize(
    "error",
    [
        RequestFailed("wrong"),
        RequestFailed("busy for hours", is_retryable=True, retry_after=601),
        RequestFailed("wrong key", is_final=True),
    ],
)
def test_what_another_try_cannot_help_is_raised_at_once(error):
    with pytest.raises(RequestFailed, match=str(error)):
        ask_patiently(failing(error), retrying=Retrying(), pace=Pace(), sleep=lambda seconds: pytest.fail("waited"))


def test_a_stop_ends_the_wait():
    stopping = []
    busy = RequestFailed("busy", is_retryable=True, retry_after=30)
    with pytest.raises(Stopped):
        ask_patiently(
            failing(busy),
            retrying=Retrying(),
            pace=Pace(),
            should_stop=lambda: bool(stopping),
            sleep=lambda seconds: stopping.append(seconds),
        )


@pytest.fixture(params=["memory", "folder"])
def quota(request, tmp_path):
    return MemoryQuota() if request.param == "memory" else FolderQuota(tmp_path / "quota")


def test_a_quota_ends_and_begins_anew_the_next_day(quota):
    assert [quota.take("api", limit=2, now=NOW) for _ in range(3)] == [True, True, False]
    assert quota.take("other", limit=2, now=NOW)
    assert quota.take("api", limit=2, now=NOW + timedelta(days=1))


def test_processes_share_the_count_in_a_folder(tmp_path):
    assert FolderQuota(tmp_path).take("api", limit=1, now=NOW)
    assert not FolderQuota(tmp_path).take("api", limit=1, now=NOW)


def test_a_damaged_count_starts_again_instead_of_failing(tmp_path):
    (tmp_path / "api.json").write_text("{broken")
    assert FolderQuota(tmp_path).take("api", limit=1, now=NOW)


def test_tomorrow_begins_at_midnight_utc():
    assert seconds_until_tomorrow(NOW) == 12 * 3600


def test_nothing_is_allowed_by_default():
    assert not refuse_every_url("https://api.example.org/")


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://api.example.org/v1", True),
        ("http://localhost:8000/v1", True),
        ("http://localhost:8001/v1", False),
        ("https://api.example.org.evil.test/", False),
        ("https://api.example.org@evil.test/", False),
        ("https://evil.test@api.example.org/", False),
        ("file:///etc/passwd", False),
        ("ftp://api.example.org/", False),
        ("https://[broken", False),
        ("https://API.example.org/", True),
    ],
)
def test_only_listed_hosts_are_allowed(url, is_allowed):
    assert allow_hosts(["api.example.org", "localhost:8000"])(url) is is_allowed
