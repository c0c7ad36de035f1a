from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.runners.quota import FolderQuota, MemoryQuota, seconds_until_tomorrow
from evaluation.runners.retrying import Pace, parse_retry_after, seconds_to_wait
from evaluation.runners.settings import allow_hosts, refuse_every_url

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


@given(st.integers(min_value=0, max_value=30))
def test_waiting_grows_but_never_past_a_minute(attempt):
    wait = seconds_to_wait(attempt, retry_after=None, now=NOW)
    assert 0 < wait <= 60
    assert wait >= min(60.0, 0.5 * 2**attempt) / 2


def test_what_the_service_asks_for_wins():
    assert seconds_to_wait(9, retry_after="2", now=NOW) == 2


def test_a_pace_spreads_requests_evenly():
    slept: list[float] = []
    pace = Pace(2, clock=lambda: 100.0, sleep=slept.append)
    for _ in range(4):
        pace.wait()
    assert slept == [0.5, 1.0, 1.5]


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
