"""A fresh installation: what comes with it, where it listens, and whether it is ready."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.campaigns.services import create_campaign
from annotation.models import Guideline
from config.demo import demo_people_exist, load_demo_people
from config.health import disk_problem, readiness
from config.management.commands.up import Command as Up
from config.processes import is_loopback
from curation.models import Suite
from generation.models import Prompt


def test_load_catalogue_brings_what_a_campaign_and_a_generation_run_need(mira):
    call_command("load_catalogue", verbosity=0)
    campaign = create_campaign(Suite.objects.create(key="s", name="S"), title="First", by=mira, language="de")
    assert campaign.guideline is not None
    assert Prompt.objects.exists()
    before = Guideline.objects.count(), Prompt.objects.count()
    call_command("load_catalogue", verbosity=0)
    assert (Guideline.objects.count(), Prompt.objects.count()) == before


def test_the_demo_is_not_offered_to_the_network_unless_it_is_forced():
    with pytest.raises(CommandError, match=r"public password, and 0\.0\.0\.0 can be reached.*--allow-demo-on-network"):
        call_command("up", "--demo", "--host", "0.0.0.0", "--port", "0")
    Up().refuse_demo_on_network("127.0.0.1", demo=True, allowed=False)
    Up().refuse_demo_on_network("0.0.0.0", demo=True, allowed=True)
    Up().refuse_demo_on_network("0.0.0.0", demo=False, allowed=False)


def test_a_database_with_the_demos_people_counts_as_the_demo(db):
    assert not demo_people_exist()
    load_demo_people()
    assert demo_people_exist()


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        ("127.0.0.1", True),
        ("127.0.0.2", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.7", False),
        ("touchstone.example.org", False),
    ],
)
def test_which_addresses_only_this_machine_reaches(host, only_here):
    assert is_loopback(host) is only_here


def test_a_full_disk_is_not_ready(db, tmp_path):
    assert disk_problem(tmp_path, least=1) is None
    assert disk_problem(tmp_path, least=2**60).endswith(f"MB are free for {tmp_path}; make room")
    assert disk_problem(tmp_path / "gone", least=1).startswith(f"the folder {tmp_path / 'gone'} cannot be read")
    if Path("/proc").is_dir():  # a file system with room on which nothing can be written
        assert disk_problem(Path("/proc"), least=0).startswith("nothing can be written to /proc")
    assert readiness()["disk"] is None


def test_a_database_that_can_only_be_read_is_not_ready(db):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no standby")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
    assert readiness()["database"] == "the database can only be read"


@pytest.mark.django_db
def test_health_answers_under_any_host_name(client, settings):
    settings.ALLOWED_HOSTS = ["touchstone.example.org"]
    assert client.get("/healthz", headers={"host": "127.0.0.1:8000"}).content == b"ok\n"
    assert client.get("/readyz", headers={"host": "10.1.2.3"}).status_code in (200, 503)
    assert client.post("/healthz").status_code == 405
    assert client.get("/account/login/", headers={"host": "127.0.0.1:8000"}).status_code == 400
