"""A whole copy of GPT-HateCheck comes in through the command. Others stand for its messages, which are not ours."""

import csv
import hashlib
import io
import json
from collections import defaultdict

import pytest
from django.core.management import call_command

from curation.models import Suite, TestCase

pytestmark = pytest.mark.django_db


@pytest.fixture
def copy(shared_data, tmp_path):
    """The authors' files as their archive holds them, and the list of hashes, both with stand-ins for the messages."""

    def rows(name: str) -> list[dict[str, str]]:
        with (shared_data / "gpt_hatecheck" / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    outputs = {row.pop("case_id"): row for row in rows("nli_outputs.csv")}
    cases = rows("cases_without_text.csv")
    by_group = defaultdict(list)
    for case in cases:
        message = f"What stands for {case['case_id']}, in “other” words."
        case["message_sha256"] = hashlib.sha256(message.encode()).hexdigest()
        facts = {"message": message, "functionality": case["functionality"], "hate_label": case["hate_label"]}
        by_group[case["target_group"]].append(facts | outputs[case["case_id"]])
    files = {"cases_without_text": cases} | {f"dataset_{group}": found for group, found in by_group.items()}
    for name, content in files.items():
        with (tmp_path / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(content[0]))
            writer.writeheader()
            writer.writerows(content)
    return tmp_path


def test_a_copy_gives_the_published_suite_with_its_identifiers(copy, shared_data):
    out = io.StringIO()
    arguments = ("import_suite", "gpt-hatecheck", "--format", "gpt_hatecheck", "--path", str(copy), "--json")
    call_command(*arguments, stdout=out)
    report = json.loads(out.getvalue())
    assert (report["cases"], report["functionalities"]) == (4728, 25)
    assert {problem["severity"] for problem in report["problems"]} == {"warning"}
    suite = Suite.objects.get(key="gpt-hatecheck")
    with (shared_data / "gpt_hatecheck" / "nli_outputs.csv").open(encoding="utf-8", newline="") as file:
        passed = {row["case_id"] for row in csv.DictReader(file) if row["nli_pass_test"] == "1"}
    cases = TestCase.objects.of(suite)
    assert set(cases.values_list("key", flat=True)) == passed
    assert all(case.key in case.text for case in cases)
    assert cases.filter(target__isnull=True).count() == 133  # the authors' notebook counts as many about nobody

    call_command(*arguments, stdout=out)
    assert TestCase.objects.of(suite).count() == 4728


def test_what_came_in_is_written_as_csv(copy, tmp_path):
    call_command(
        "import_suite", "gpt", "--format", "gpt_hatecheck", "--path", str(copy), "--json", stdout=io.StringIO()
    )
    call_command("export_suite", "gpt", "--out", str(tmp_path / "out"), stdout=io.StringIO())
    with (tmp_path / "out" / "gpt.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4728
    assert {row["nli_pass_test"] for row in rows} == {"1"}
