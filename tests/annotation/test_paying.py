"""A platform's list of submissions held against the work done here, and the file that Prolific pays bonuses from."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import Campaign
from annotation.people.bonuses import bonus_file, bonus_lines
from annotation.people.crowd import Visitor, enter
from annotation.people.reconciling import reconcile
from core.errors import BadInput, NotAllowed
from tests.annotation.factories import label_everything, make_open_campaign, make_people, make_suite, ready

pytestmark = pytest.mark.django_db

HEAD = (
    "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,Time taken,"
    "Completion code"
)
ROWS = (
    "s1,p-done,AWAITING REVIEW,Not Applicable,2026-10-25T12:27:09.179000Z,2026-10-25T12:46:18.540000Z,1149,C0DE",
    "s2,p-lazy,APPROVED,Not Applicable,2026-10-25T12:00:00Z,2026-10-25T12:01:00Z,60,C0DE",
    "s3,p-gone,RETURNED,Not Applicable,2026-10-25T12:00:00Z,,,",
    "s4,p-stranger,AWAITING REVIEW,Not Applicable,2026-10-25T12:00:00Z,2026-10-25T12:05:00Z,300,NOCODE",
)


@pytest.fixture
def campaign(mira):
    suite = make_suite(templates=2, per_template=2, raters=2, threshold=1)
    campaign = make_open_campaign(
        suite, mira, mode="crowd", raters=2, threshold=1, platform="prolific", completion_code="C0DE",
        pay_unit="case", pay_amount=Decimal("0.50"), pay_currency="GBP",
    )  # fmt: skip
    for participant in ("p-done", "p-lazy", "p-missing"):
        person = enter(campaign, Visitor("prolific", participant, "study", "session")).participation
        if participant != "p-lazy":
            label_everything(ready(campaign, person.annotator))
    return Campaign.objects.get(pk=campaign.pk)


@pytest.fixture
def submissions(tmp_path):
    path = tmp_path / "prolific_export_671b.csv"
    path.write_text("\n".join([HEAD, *ROWS]))
    return path


def test_what_does_not_fit_together_comes_first(campaign, submissions, mira):
    rows = reconcile(campaign, submissions, by=mira)
    assert {row.participant: row.remark for row in rows} == {
        "p-done": "",
        "p-gone": "",
        "p-lazy": "Handed the task in there, but labelled nothing here.",
        "p-missing": "Took part here and is not in the list.",
        "p-stranger": "Is in the list and never took part here.",
    }
    assert [bool(row.remark) for row in rows] == [True, True, True, False, False]
    done = next(row for row in rows if row.participant == "p-done")
    assert (done.labels, done.platform_minutes, done.amount, done.currency) == (
        4,
        Decimal("19.2"),
        Decimal("2.00"),
        "GBP",
    )
    assert done.completed.isoformat() == "2026-10-25T12:46:18.540000+00:00"


def test_another_code_and_work_that_was_given_back_are_named(campaign, submissions, mira):
    text = submissions.read_text().replace("s1,p-done,AWAITING REVIEW", "s1,p-done,RETURNED")
    submissions.write_text(text)
    remarks = {row.participant: row.remark for row in reconcile(campaign, submissions, by=mira)}
    assert remarks["p-done"] == "Gave the task back there, but labelled 4 texts here."
    submissions.write_text(
        text.replace("RETURNED,Not Applicable,2026-10-25T12:27", "APPROVED,Not Applicable,2026-10-25T12:27").replace(
            "1149,C0DE", "1149,OTHER"
        )
    )
    remarks = {row.participant: row.remark for row in reconcile(campaign, submissions, by=mira)}
    assert remarks["p-done"] == "Gave another completion code than that of the campaign."


def test_older_lists_and_results_of_mechanical_turk_are_read(campaign, tmp_path, mira):
    path = tmp_path / "list.csv"
    path.write_text(
        "session_id,participant_id,status,started_datetime,completed_date_time,time_taken,entered_code\n"
        "s1,p-done,AWAITING REVIEW,2020-05-01 10:00:00,2020-05-01 10:30:00,1800,C0DE\n"
    )
    [done] = [row for row in reconcile(campaign, path, by=mira) if row.participant == "p-done"]
    assert (done.platform_minutes, done.remark) == (Decimal("30.0"), "")
    path.write_text(
        "HITId,WorkerId,AssignmentStatus,AcceptTime,SubmitTime,WorkTimeInSeconds,Answer.surveycode\n"
        "H,p-done,Approved,Thu Jul 02 08:30:00 PDT 2026,Thu Jul 02 08:40:00 PDT 2026,600,C0DE\n"
    )
    [done] = [row for row in reconcile(campaign, path, by=mira) if row.participant == "p-done"]
    assert (done.platform_minutes, done.completed.isoformat()) == (Decimal("10.0"), "2026-07-02T08:40:00-07:00")


def test_another_file_and_people_who_do_not_manage_are_refused(campaign, tmp_path, submissions, mira, emil):
    path = tmp_path / "cases.csv"
    path.write_text("case_id,label\n1,hateful\n")
    with pytest.raises(BadInput, match=r"1 problem in cases\.csv") as refused:
        reconcile(campaign, path, by=mira)
    assert "no list of submissions" in refused.value.problems[0]["problem"]
    path.write_text("\n".join([HEAD, ROWS[0].replace("2026-10-25T12:27:09.179000Z", "yesterday")]))
    with pytest.raises(BadInput) as refused:
        reconcile(campaign, path, by=mira)
    assert (refused.value.problems[0]["row"], refused.value.problems[0]["column"]) == (2, "Started at")
    with pytest.raises(NotAllowed):
        reconcile(campaign, submissions, by=emil)


def test_bonuses_are_what_is_owed_beyond_the_reward(campaign, mira):
    assert bonus_lines(campaign, by=mira) == [("p-done", Decimal("2.00")), ("p-missing", Decimal("2.00"))]
    assert bonus_file(campaign, by=mira, reward=Decimal("1.25")) == b"p-done,0.75\np-missing,0.75\n"
    assert bonus_file(campaign, by=mira, reward=Decimal(2)) == b""


def test_campaigns_without_prolific_or_pay_have_no_bonuses(campaign, mira):
    campaign.pay_unit = ""
    with pytest.raises(BadInput, match="nothing about pay"):
        bonus_lines(campaign, by=mira)
    campaign.platform = "mturk"
    with pytest.raises(BadInput, match="Prolific"):
        bonus_lines(campaign, by=mira)


def test_page_api_and_command_compare_and_pay_alike(campaign, submissions, mira, emil, client, tmp_path):
    client.force_login(mira)
    page = reverse("annotation:reconcile", args=[campaign.key])
    assert page in client.get(reverse("annotation:campaign-setup", args=[campaign.key])).content.decode()
    assert "Bonuses for Prolific" in client.get(page).content.decode()
    html = client.post(page, {"file": SimpleUploadedFile("list.csv", submissions.read_bytes())}).content.decode()
    assert "5 participants compared; look at 3 of them." in html
    assert "Took part here and is not in the list." in html
    refused = client.post(page, {"file": SimpleUploadedFile("list.csv", b"a,b\n1,2\n")})
    assert (refused.status_code, "no list of submissions" in refused.content.decode()) == (422, True)
    api = APIClient()
    api.force_authenticate(mira)
    path = f"/api/v1/campaigns/{campaign.key}/"
    rows = api.post(
        f"{path}reconcile/", {"file": SimpleUploadedFile("list.csv", submissions.read_bytes())}, format="multipart"
    ).json()
    out = StringIO()
    call_command("reconcile", campaign.key, "--path", str(submissions), stdout=out)
    told = out.getvalue().splitlines()
    assert told == [f"{row['participant']}: {row['remark']}" for row in rows if row["remark"]] + [
        "5 participants compared; look at 3 of them."
    ]
    bonuses = client.get(reverse("annotation:bonuses", args=[campaign.key]), {"reward": "0.5"})
    call_command("export_bonuses", campaign.key, "--reward", "0.5", "--out", str(tmp_path / "b.csv"), stdout=StringIO())
    assert bonuses.content == api.get(f"{path}bonuses/", {"reward": "0.5"}).content == (tmp_path / "b.csv").read_bytes()
    assert bonuses.content == b"p-done,1.50\np-missing,1.50\n"
    assert api.get(f"{path}bonuses/", {"reward": "-1"}).status_code == 400
    api.force_authenticate(emil)
    assert api.get(f"{path}bonuses/").status_code == 403


def test_a_team_is_paid_by_name_and_no_file_joins_names_with_pseudonyms(mira, client, tmp_path):
    ana, bo = make_people(2)
    campaign = make_open_campaign(
        make_suite(templates=2, per_template=2), mira, mode="team", raters=2, threshold=1, people=[ana, bo],
        pay_unit="case", pay_amount=Decimal("0.50"),
    )  # fmt: skip
    client.force_login(mira)
    setup = client.get(reverse("annotation:campaign-setup", args=[campaign.key])).content.decode()
    address = reverse("annotation:campaign-payments", args=[campaign.key])
    assert f"{address}?with_names=on" in setup
    usual = client.get(address).getvalue().decode()
    named = client.get(address, {"with_names": "on"}).getvalue()
    assert named.decode().splitlines()[0].startswith("name,email,platform,participant")
    for person in (ana, bo):
        pseudonym = person.annotator.pseudonym
        assert (pseudonym in usual, person.email in usual) == (True, False)
        assert (pseudonym in named.decode(), f"{person.name},{person.email}" in named.decode()) == (False, True)
    call_command("export_payments", campaign.key, "--with-names", "--out", str(tmp_path / "p.csv"), stdout=StringIO())
    assert (tmp_path / "p.csv").read_bytes() == named
    rows = client.get(f"/api/v1/campaigns/{campaign.key}/payments/", {"with_names": "true"}).json()
    assert {(row["name"], row["annotator"]) for row in rows} == {(ana.name, ""), (bo.name, "")}
