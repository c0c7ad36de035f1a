"""Wrong or missing settings stop the start with a sentence that names the variable; right ones start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCTION = {
    "TOUCHSTONE_MODE": "production",
    "SECRET_KEY": "x" * 30 + "abcdefghijklmnopqrstuvwxyz-0123456789",
    "ALLOWED_HOSTS": "touchstone.example.org",
    "DATABASE_URL": "postgres://touchstone:secret-password@db.example.org/touchstone",
    "BROKER_URL": "redis://broker.example.org:6379/0",
}
OURS = {*PRODUCTION, "EMAIL_URL", "SITE_URL", "SECRET_KEY_FILE", "DATABASE_URL_FILE", "DEBUG", "LOG_LEVEL"}


def start(
    tmp_path: Path, code: str = "import config.settings", **changes: str | None
) -> subprocess.CompletedProcess[str]:
    """Load the settings in a process of their own; None takes a variable away."""
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    environment |= {"TOUCHSTONE_VAR": str(tmp_path)}
    environment |= {name: value for name, value in changes.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"SECRET_KEY": None}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is shorter than 50 characters"),
        ({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS is not set"),
        ({"DATABASE_URL": None}, "DATABASE_URL is not set"),
        ({"DATABASE_URL": "mysql://u:secret-password@h/d"}, "DATABASE_URL is 'mysql://u:***@h/d'"),
        ({"BROKER_URL": None}, "BROKER_URL is not set"),
        ({"BROKER_URL": "kafka://x"}, "BROKER_URL is 'kafka://x'"),
        ({"DEBUG": "true"}, "DEBUG is true in production"),
        ({"TOUCHSTONE_MODE": "prod"}, "TOUCHSTONE_MODE is 'prod'. Use one of: embedded, production."),
        ({"JOB_LEASE_SECONDS": "soon"}, "JOB_LEASE_SECONDS is 'soon'. Use a whole number."),
        ({"MODEL_DEVICE": "gpu"}, "MODEL_DEVICE is 'gpu'. Use auto, cpu, cuda or cuda:1."),
        ({"HTTPS": "perhaps"}, "HTTPS is 'perhaps'. Use true or false."),
        ({"SITE_URL": "touchstone.example.org"}, "SITE_URL is 'touchstone.example.org'. Start it with https://"),
        ({"EMAIL_VERIFICATION": "mandatory"}, "EMAIL_VERIFICATION is mandatory, but EMAIL_URL is not set."),
        ({"SECRET_KEY": None, "SECRET_KEY_FILE": "/nowhere/key"}, "SECRET_KEY_FILE points to /nowhere/key"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else None,
)
def test_a_wrong_start_in_production_is_refused_by_name(tmp_path, changes, sentence):
    done = start(tmp_path, **{**PRODUCTION, **changes})
    assert done.returncode != 0
    said = done.stderr.strip().splitlines()[-1]
    assert sentence in said
    assert "secret-password" not in said


def test_the_right_variables_start_in_production(tmp_path):
    key = tmp_path / "key"
    key.write_text(PRODUCTION["SECRET_KEY"] + "\n")
    code = "from config import settings as s; print(s.SECRET_KEY, s.SESSION_COOKIE_SECURE, s.DEBUG)"
    done = start(tmp_path, code, **{**PRODUCTION, "SECRET_KEY": None, "SECRET_KEY_FILE": str(key)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [PRODUCTION["SECRET_KEY"], "True", "False"]


def test_without_a_mail_server_production_writes_mails_to_files_and_the_check_says_so(tmp_path):
    code = "from config import settings as s; print(s.EMAIL_BACKEND, s.EMAIL_FILE_PATH, repr(s.EMAIL_URL))"
    done = start(tmp_path, code, **PRODUCTION, EMAIL_URL="")
    assert done.stdout.split() == ["django.core.mail.backends.filebased.EmailBackend", str(tmp_path / "mail"), "''"]
    check = (
        "import sys, runpy; sys.argv = ['manage.py', 'check', '--deploy']; runpy.run_path('manage.py', {}, '__main__')"
    )
    database = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    assert (
        "(config.W001) EMAIL_URL is not set"
        in start(tmp_path, check, **{**PRODUCTION, "DATABASE_URL": database, "BROKER_URL": "filesystem://"}).stderr
    )


@pytest.mark.parametrize(
    ("changes", "address"),
    [
        ({"SITE_URL": "https://ts.example.org/"}, "https://ts.example.org"),
        ({"SITE_URL": ""}, "https://touchstone.example.org"),
        ({"HTTPS": "false"}, "http://touchstone.example.org"),
        ({"ALLOWED_HOSTS": ".example.org"}, ""),
    ],
    ids=str,
)
def test_links_that_are_sent_out_lead_to_the_site_or_its_first_host(tmp_path, changes, address):
    code = "from config import settings as s; print(s.SITE_URL)"
    assert start(tmp_path, code, **{**PRODUCTION, **changes}).stdout.strip() == address


def test_run_time_data_is_readable_by_its_owner_only(tmp_path):
    folder = tmp_path / "new" / "var"
    done = start(folder, "import config.settings")
    assert done.returncode == 0, done.stderr
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "touchstone.sqlite3").stat().st_mode & 0o777 == 0o600


def test_the_embedded_mode_needs_no_variable_at_all(tmp_path):
    code = "from config import settings as s; print(s.SECRET_KEY, s.BROKER_URL, s.ALLOWED_HOSTS[0])"
    first, second = (start(tmp_path, code) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout  # the secret is made once
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_a_command_says_one_sentence_instead_of_a_traceback(tmp_path):
    code = "import sys, runpy; sys.argv = ['manage.py', 'check']; runpy.run_path('manage.py', run_name='__main__')"
    done = start(tmp_path, code, TOUCHSTONE_MODE="production")
    assert done.returncode != 0
    assert done.stderr.strip().splitlines() == [
        "Touchstone cannot start: SECRET_KEY is not set. "
        "Set it, or SECRET_KEY_FILE with the path of a file that holds it."
    ]
