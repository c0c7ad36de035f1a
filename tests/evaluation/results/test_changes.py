"""Two runs against each other: the cases that broke or were fixed, by functionality and by group, and their files."""

import csv
import io
import json

import pytest
from django.urls import reverse

from core.errors import BadInput
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.compare import compare_models
from evaluation.results.changes import changed_predictions, judge_runs
from evaluation.results.comparing import compare_runs
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model


@pytest.fixture
def runs(db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    release = make_release(make_suite(by=mira), cascade="none", by=mira)
    return [
        run_model(release, "by_word", name="Words", by=mira),
        run_model(release, "no_word_for_it", name="Odd", by=mira),
    ]


def address(runs, name, *arguments, **more):
    first, second = runs
    asked = "&".join(f"{key}={value}" for key, value in {"first": first.key, "second": second.key, **more}.items())
    return f"{reverse(f'evaluation:{name}', args=arguments)}?{asked}"


def test_the_listed_cases_are_those_that_the_comparison_counts(runs):
    overall = compare_runs(*runs)["overall"]
    judged = judge_runs(runs)
    for change, counted in (("broken", overall["only_first_right"]), ("fixed", overall["only_second_right"])):
        listed = changed_predictions(runs[0], runs[1], change, {})
        assert sorted(row.release_case.key for row in listed) == sorted(judged[change])
        assert listed.count() == counted
    assert judged["broken"] or judged["fixed"], "the two models answer differently"


def test_an_unusable_answer_breaks_a_case(runs):
    first, second = runs
    unanswered = changed_predictions(first, second, "broken", {}).filter(label=None)
    back = changed_predictions(second, first, "fixed", {})
    assert set(unanswered.values_list("release_case")) <= set(back.values_list("release_case"))


def test_cases_are_filtered_by_functionality_as_the_line_of_the_table_counts_them(runs):
    for key, line in compare_runs(*runs)["by_functionality"].items():
        assert (
            changed_predictions(runs[0], runs[1], "broken", {"functionality": key}).count() == line["only_first_right"]
        )


def test_the_page_links_each_count_to_its_cases(runs, client, mira):
    client.force_login(mira)
    broken = changed_predictions(runs[0], runs[1], "broken", {})
    page = client.get(address(runs, "compare", tab="broken"))
    assert [row.pk for row in page.context["page"]] == [row.pk for row in broken[:50]]
    first = client.get(address(runs, "compare")).content.decode()
    functionality = broken.first().release_case.functionality
    assert f"tab=broken&amp;functionality={functionality}" in first


def test_broken_cases_are_a_file_with_both_answers(runs, client, mira):
    client.force_login(mira)
    answer = client.get(address(runs, "changes-file", "broken"))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert len(rows) == changed_predictions(runs[0], runs[1], "broken", {}).count()
    for row in rows:
        assert row["change"] == "broken"
        assert row["prediction_before"] == row["label_gold"] != row["prediction_after"]
        assert row["test_case"]


@pytest.mark.parametrize("wanted", ["markdown", "junit", "json"])
def test_the_verdict_is_a_file(runs, client, mira, wanted):
    client.force_login(mira)
    answer = client.get(address(runs, "comparison-file", wanted))
    assert answer.status_code == 200
    if wanted == "json":
        assert json.loads(answer.content)["broken"] == judge_runs(runs)["broken"]
    else:
        assert b"Odd against Words" in answer.content


def test_the_api_lists_the_same_cases(runs, client, mira):
    client.force_login(mira)
    first, second = runs
    found = client.get(f"/api/v1/runs/{first.key}/changes/?with={second.key}&change=broken").json()["results"]
    assert [row["case"] for row in found] == [
        row.release_case.key for row in changed_predictions(first, second, "broken", {})
    ]
    assert all(row["before"] == row["gold"] != row["label"] for row in found)
    assert client.get(f"/api/v1/runs/{first.key}/changes/?with={second.key}&change=odd").status_code == 422


def test_people_who_may_not_see_the_runs_get_no_file(runs, client):
    assert client.get(address(runs, "changes-file", "broken")).status_code == 404
    assert client.get(address(runs, "comparison-file", "json")).status_code == 404


def test_a_run_is_not_judged_against_itself(runs):
    with pytest.raises(BadInput, match="against itself"):
        judge_runs(runs[:1])


def test_groups_are_compared_on_cases_about_an_identity_only():
    def model(right):
        return Columns.of(
            [
                Row(
                    f"{number}", "hateful", "hateful" if number in right else "non-hateful", functionality="f",
                    targets=("women",) if number < 6 else ("men",), is_identity_template=number != 5,
                    template=f"t{number}",
                )
                for number in range(8)
            ],
            labels=["hateful", "non-hateful"],
        )  # fmt: skip

    found = compare_models(model(range(8)), model({6, 7}))["by_target"]
    assert found["women"]["n"] == 5
    assert found["women"]["only_first_right"] == 5
    assert found["men"]["difference"] == 0
