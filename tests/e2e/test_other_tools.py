"""Labels of another tool come in and are taken back, cases go out, and a platform's list is compared: in a browser."""

import json
import os
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from annotation.people.crowd import Visitor, enter
from tests.annotation.factories import label_everything, make_open_campaign, make_suite, ready

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def look(page, name, violations, is_too_wide):
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/{name}-{width}.png", full_page=True)
        assert violations(page) == []
        assert not is_too_wide(page)
    page.set_viewport_size({"width": 1440, "height": 900})


def test_labels_of_another_tool_are_checked_imported_and_taken_back(
    page, sign_in, mira, tmp_path, violations, is_too_wide
):
    suite = make_suite(templates=2, per_template=2, raters=1, threshold=1)
    rows = [
        {"case_id": case.key, "text": case.text, "accept": ["hateful"], "answer": "accept", "_annotator_id": "ana",
         "_timestamp": 1772445600 + number}
        for number, case in enumerate(suite.cases.all())
    ]  # fmt: skip
    path = tmp_path / "dataset.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    sign_in(page, mira)
    page.goto(f"/suites/{suite.key}/labels/import/")
    page.get_by_label("File").set_input_files(path)
    page.get_by_label("Check only").check()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("This looks like a Prodigy export.")).to_be_visible()
    expect(page.get_by_text("The file can be imported: 4 labels on 4 cases.")).to_be_visible()
    look(page, "import", violations, is_too_wide)
    page.get_by_label("File").set_input_files(path)
    page.get_by_label("Check only").uncheck()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Imported 4 labels on 4 cases.")).to_be_visible()
    page.get_by_role("link", name="Take import back").click()
    expect(page.get_by_text("4 cases lose their verdicts.")).to_be_visible()
    look(page, "take-back", violations, is_too_wide)
    page.get_by_label("Reason").fill("Labelled with the wrong guideline")
    page.get_by_role("button", name="Take import back").click()
    expect(page.get_by_text("Reason: Labelled with the wrong guideline")).to_be_visible()
    look(page, "taken-back", violations, is_too_wide)


def test_cases_and_labels_are_downloaded(page, sign_in, mira, violations, is_too_wide):
    suite = make_suite(templates=2, per_template=2)
    sign_in(page, mira)
    page.goto(f"/suites/{suite.key}/")
    look(page, "suite", violations, is_too_wide)
    page.get_by_role("link", name="Send cases to another tool").click()
    page.get_by_label("Tool").select_option("label_studio")
    look(page, "send", violations, is_too_wide)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "small-label_studio.zip"
    page.goto(f"/suites/{suite.key}/labels/export/")
    look(page, "export", violations, is_too_wide)


def test_the_list_of_a_platform_is_compared(page, sign_in, mira, tmp_path, violations, is_too_wide):
    suite = make_suite(templates=2, per_template=2, raters=2, threshold=1)
    campaign = make_open_campaign(
        suite, mira, raters=2, threshold=1, platform="prolific", pay_unit="case", pay_amount=Decimal("0.50")
    )
    for participant in ("5e9088a8a4b6ed018b45ba7b", "60ffe5c8371090c7041d43f8"):
        person = enter(campaign, Visitor("prolific", participant, "study", "session")).participation
        label_everything(ready(campaign, person.annotator))
    path = tmp_path / "prolific_export.csv"
    path.write_text(
        "Submission id,Participant id,Status,Started at,Completed at,Time taken,Completion code\n"
        "s1,5e9088a8a4b6ed018b45ba7b,AWAITING REVIEW,2026-10-25T12:27:09Z,2026-10-25T12:46:18Z,1149,C0DE\n"
    )
    sign_in(page, mira)
    page.goto(f"/campaigns/{campaign.key}/reconcile/")
    page.get_by_label("File").set_input_files(path)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("2 participants compared; look at 1 of them.")).to_be_visible()
    look(page, "reconcile", violations, is_too_wide)
