"""Cases are sent to other tools by page, API and command: the texts and their ids, and nothing that tells the label."""

import csv
import io
import json
import zipfile
from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.campaigns.services import create_campaign
from annotation.labels.exporting import label_records
from annotation.labels.options import ToolExportOptions
from annotation.labels.sending import tool_files
from annotation.labels.storing import import_label_file
from annotation.labels.tools.registry import READ, TOOLS
from annotation.models import Campaign
from core.errors import BadInput, Missing
from tests.annotation.factories import make_open_campaign, make_suite
from tests.annotation.managing_factories import gold_votes, label_cases
from tests.annotation.tools.simulating import SIMULATED, Given, people

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def suite():
    return make_suite(templates=4, per_template=2, raters=2, threshold=1)


def files(suite, tool, **options):
    return tool_files(suite, ToolExportOptions(tool=tool, **options))


def sent(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_no_file_tells_the_right_label(suite, tool):
    told = b"".join(files(suite, tool).values()).decode()
    for case in suite.cases.select_related("functionality", "template"):
        assert case.text in told
        assert case.key in told
        assert case.functionality.key not in told
        assert f'"{case.template.key}"' not in told
    assert "gold" not in told
    assert "functionality" not in told


def test_cases_stand_in_an_order_that_does_not_tell_their_functionality(suite):
    rows = list(csv.DictReader(io.StringIO(files(suite, "prolific")["dataset.csv"].decode())))
    keys = [row["META_case_id"] for row in rows]
    assert sorted(keys) == list(suite.cases.order_by("key").values_list("key", flat=True))
    assert keys != sorted(keys)
    assert files(suite, "prolific") == files(suite, "prolific")


def test_a_text_cannot_break_out_of_the_page_of_a_task(suite):
    case = suite.cases.order_by("id").first()
    suite.cases.filter(pk=case.pk).update(text="<script>alert(1)</script> 🙂")
    batch = files(suite, "mturk")["batch.csv"].decode()
    assert "&lt;script&gt;" in batch
    assert "<script>" not in batch
    assert "&#128578;" in batch


@pytest.mark.parametrize("tool", sorted(READ))
def test_labels_given_in_a_tool_arrive_as_they_were_given(suite, tool, tmp_path):
    """From the database to the tool and back, with the annotator under a pseudonym and the time."""
    keys = list(suite.cases.order_by("id").values_list("key", flat=True))
    given = [
        Given(key, person, suite.labels[(number + place) % 2], NOON.replace(minute=number), "a comment" * (number == 0))
        for number, key in enumerate(keys)
        for place, person in enumerate(("ana", "bo"))
    ]
    path = SIMULATED[tool].export(files(suite, tool), given, tmp_path)
    report = import_label_file(suite, path, by=None)
    assert (report["labels"], report["cases"], report["annotators"]) == (16, 8, 2)
    records = list(label_records(list(suite.campaigns.all())))
    expected = SIMULATED[tool].expected(given, tool)
    assert {(record["case_id"], record["label"], record["comment"]) for record in records} == {
        (case, label, comment) for case, _person, label, _time, comment in expected
    }
    if SIMULATED[tool].keeps_time:
        assert {record["time"] for record in records} == {one.time.isoformat() for one in given}
    names = {record["annotator"] for record in records}
    assert len(names) == 2
    assert not names & {"ana", "bo", *map(str, people(given).values())}


def test_a_campaign_sends_its_own_cases_with_its_question_and_guideline(suite, mira):
    campaign = make_open_campaign(suite, mira, sample=3, prompt="Hateful or not?")
    found = files(suite, "label_studio", campaign=campaign.key)
    keys = {task["data"]["case_id"] for task in json.loads(found["tasks.json"])}
    assert keys == set(campaign.items.filter(role="label").values_list("case__key", flat=True))
    assert "Hateful or not?" in found["labeling_config.xml"].decode()
    assert found["guideline.md"].decode().startswith("# Decide")


def test_a_draft_sends_the_cases_it_would_choose(suite, mira):
    draft = create_campaign(suite, by=mira, title="Draft", language="en", sample=4)
    assert len(json.loads(files(suite, "argilla", campaign=draft.key)["records.json"])) == 4


def test_cases_with_a_verdict_can_be_left_out(suite):
    votes = dict(list(gold_votes(suite).items())[:3])
    label_cases(suite, votes)
    lines = files(suite, "doccano", only_unlabelled=True)["cases.jsonl"].decode().splitlines()
    assert {json.loads(line)["case_id"] for line in lines}.isdisjoint(votes)
    assert len(lines) == 5


def test_what_could_not_come_back_is_refused(suite, mira):
    other = create_campaign(suite, by=mira, title="Scale", language="en", question="scale")
    with pytest.raises(BadInput, match="could not be imported again"):
        files(suite, "doccano", campaign=other.key)
    with pytest.raises(Missing, match="Known: "):
        files(suite, "doccano", campaign="none")
    suite.cases.update(state="retired")
    with pytest.raises(BadInput, match="no case to be labelled"):
        files(suite, "doccano")


def test_page_api_and_command_give_the_same_files(suite, mira, client, tmp_path):
    client.force_login(mira)
    page = client.get(reverse("annotation:send-cases", args=[suite.key]), {"tool": "prodigy"})
    api = APIClient()
    api.force_authenticate(mira)
    answer = api.get(f"/api/v1/suites/{suite.key}/tasks/", {"tool": "prodigy"})
    call_command("export_tasks", suite.key, "--format", "prodigy", "--out", str(tmp_path / "folder"))
    call_command("export_tasks", suite.key, "--format", "prodigy", "--out", str(tmp_path / "one.zip"))
    assert page.content == answer.content == (tmp_path / "one.zip").read_bytes()
    assert sent(page.content) == {"cases.jsonl": (tmp_path / "folder" / "cases.jsonl").read_bytes()}
    assert page.headers["Content-Disposition"] == 'attachment; filename="small-prodigy.zip"'


def test_the_page_offers_campaigns_and_says_what_is_wrong(suite, mira, emil, client):
    scale = create_campaign(suite, by=mira, title="On a scale", language="en", question="scale")
    address = reverse("annotation:send-cases", args=[suite.key])
    client.force_login(mira)
    assert f'<option value="{scale.key}" selected>' in client.get(address, {"campaign": scale.key}).content.decode()
    refused = client.get(address, {"tool": "doccano", "campaign": scale.key})
    assert (refused.status_code, "could not be imported again" in refused.content.decode()) == (422, True)
    client.force_login(emil)
    assert client.get(address, {"tool": "doccano"}).status_code == 403


def test_an_import_is_taken_back_on_its_page_over_the_api_and_by_command(suite, mira, emil, client, capsys):
    first = label_cases(suite, gold_votes(suite), title="First")
    second = label_cases(suite, gold_votes(suite), title="Second")
    third = label_cases(suite, gold_votes(suite), title="Third")
    client.force_login(mira)
    address = reverse("annotation:take-back", args=[third.key])
    assert address in client.get(third.get_absolute_url()).content.decode()
    html = client.get(address).content.decode()
    assert "24 labels no longer count." in html
    assert "The verdict on 8 cases stays the same." in html
    assert client.post(address, {"reason": ""}).status_code == 422
    assert Campaign.objects.get(pk=third.pk).state == "closed"
    shown = client.post(address, {"reason": "Wrong guideline"}, follow=True).content.decode()
    assert "The import was taken back. 24 labels no longer count." in shown
    assert "Reason: Wrong guideline" in shown
    assert address not in shown
    api = APIClient()
    api.force_authenticate(mira)
    path = f"/api/v1/campaigns/{second.key}/take-back/"
    tried = api.post(path, {"dry_run": True}, format="json").json()
    assert (tried["labels"], tried["dry_run"]) == (24, True)
    assert api.post(path, {"reason": "Wrong"}, format="json").json() == tried | {"dry_run": False}
    assert api.post(path, {"reason": "Wrong"}, format="json").status_code == 409
    api.force_authenticate(emil)
    assert api.post(path, {"reason": "Wrong"}, format="json").status_code == 403
    call_command("take_back_labels", first.key, "--dry-run")
    assert "8 cases lose their verdicts." in capsys.readouterr().out
    call_command("take_back_labels", first.key, "--reason", "Wrong")
    assert capsys.readouterr().out.endswith("Taken back.\n")
    assert not Campaign.objects.filter(state="closed").exists()
