"""Labels made elsewhere: three layouts in, everything out, people by pseudonym, faults with their place."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.agreement.deciding import preview_decision
from annotation.agreement.suite_report import suite_agreement
from annotation.annexes import label_annexes
from annotation.campaigns.progress import progress_of_campaign
from annotation.facts import _demographics, facts_about_labels
from annotation.labels.exporting import label_records, labels_as_csv, labels_as_jsonl
from annotation.labels.imported import take_in_labels
from annotation.labels.skipped import skipped_text
from annotation.labels.storing import import_label_file
from annotation.models import Annotation, Annotator, Assignment, Campaign, CampaignItem, DemographicAnswer
from core.errors import BadInput
from curation.formats.values import LabelValue
from curation.publishing.demographics import suppress_small_cells
from curation.publishing.values import ReleaseHead
from curation.releases.building import build_release
from curation.releases.services import request_release
from tests.annotation.factories import make_suite
from tests.annotation.managing_factories import gold_votes, label_cases

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite():
    return make_suite(templates=2, per_template=2, raters=3, threshold=2)


def copy_of(suite, key="copy"):
    """Another suite with the same cases, as where an export is imported in another place."""
    copy = make_suite(key=key, templates=2, per_template=2, raters=3, threshold=2)
    for case in copy.cases.all():
        copy.cases.filter(pk=case.pk).update(key=case.key.replace(f"{key}-", f"{suite.key}-"))
    return copy


def written(tmp_path, text):
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    return path


LONG = """case_id,annotator,label,comment,time
small-0000-0,ana@example.org,hateful,"clear, I think",2026-01-31T14:30:00
small-0000-0,bo,non-hateful,,
small-0001-0,ana@example.org,non-hateful,,2026-02-01
small-0001-0,bo,non-hateful,,
"""


def test_one_row_per_label_is_imported_with_comments_and_times(suite, tmp_path):
    report = import_label_file(suite, written(tmp_path, LONG), by=None)
    assert (report["layout"], report["labels"], report["cases"], report["annotators"]) == ("long", 4, 2, 2)
    records = list(label_records(list(suite.campaigns.all())))
    assert [record["label"] for record in records] == ["hateful", "non-hateful", "non-hateful", "non-hateful"]
    assert records[0]["comment"] == "clear, I think"
    assert records[0]["time"].startswith("2026-01-31T14:30")
    assert all(record["counts"] for record in records)


def test_labels_that_come_with_a_suite_show_who_gave_them(suite):
    labels = [LabelValue("small-0000-0", name, "hateful") for name in ("label_1", "label_2")]
    take_in_labels(suite, labels, case_ids=dict(suite.cases.values_list("key", "id")), by=None)
    people = progress_of_campaign(suite.campaigns.get()).people
    assert [(one.done, one.needs_help) for one in people] == [(1, ()), (1, ())]


def test_nobody_s_name_leaves_the_import(suite, tmp_path):
    import_label_file(suite, written(tmp_path, LONG), by=None)
    campaigns = list(suite.campaigns.all())
    exported = b"".join([*labels_as_csv(campaigns), *labels_as_jsonl(campaigns)])
    assert b"example.org" not in exported
    assert Annotator.objects.get(external_id__contains="ana@").pseudonym.encode() in exported


def test_a_comment_that_a_spreadsheet_would_run_is_defused_and_comes_back_as_typed(suite, tmp_path):
    text = "case_id,annotator,label,comment\nsmall-0000-0,bo,hateful,=1+1\nsmall-0001-0,bo,non-hateful,'quoted'\n"
    import_label_file(suite, written(tmp_path, text), by=None)
    exported = b"".join(labels_as_csv(list(suite.campaigns.all()))).decode()
    assert [row["comment"] for row in csv.DictReader(StringIO(exported))] == ["'=1+1", "'quoted'"]
    other = make_suite(templates=2, per_template=2, key="other", raters=3, threshold=2)
    path = written(tmp_path, exported.replace("small-0000-0", "other-0000-0").replace("small-0001-0", "other-0001-0"))
    import_label_file(other, path, by=None)
    assert [row["comment"] for row in label_records(list(other.campaigns.all()))] == ["=1+1", "'quoted'"]


def test_the_same_file_twice_adds_nothing(suite, tmp_path):
    path = written(tmp_path, LONG)
    first = import_label_file(suite, path, by=None)
    assert (first["new"], import_label_file(suite, path, by=None)["new"]) == (4, 0)
    assert Assignment.objects.count() == 4


def test_a_dry_run_changes_nothing(suite, tmp_path):
    assert import_label_file(suite, written(tmp_path, LONG), by=None, dry_run=True)["labels"] == 4
    assert not suite.campaigns.exists()


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("wide", "case_id,label_1,label_2\nsmall-0000-0,hateful,hateful\nsmall-0001-0,,non-hateful\n"),
        (
            "lists",
            "mhc_case_id,label_annotated\nsmall-0000-0,\"['hateful', 'hateful']\"\nsmall-0001-0,['non-hateful']\n",
        ),
    ],
)
def test_published_layouts_are_told_by_their_columns(suite, tmp_path, layout, text):
    report = import_label_file(suite, written(tmp_path, text), by=None)
    assert (report["layout"], report["labels"]) == (layout, 3)


def test_every_fault_has_its_place_and_nothing_is_stored(suite, tmp_path):
    path = written(
        tmp_path,
        "case_id,annotator,label,time\nnowhere,a,hateful,\nsmall-0000-0,a,perhaps,\nsmall-0000-0,,hateful,\n"
        "small-0000-0,a,hateful,\nsmall-0000-0,a,hateful,\nsmall-0001-0,a,hateful,yesterday\n",
    )
    with pytest.raises(BadInput, match=r"5 problems in labels\.csv") as refused:
        import_label_file(suite, path, by=None)
    places = {(problem["row"], problem["column"]) for problem in refused.value.problems}
    assert places == {(2, "case_id"), (3, "label"), (4, "annotator"), (6, "label"), (7, "time")}
    assert all(problem["fix"] for problem in refused.value.problems)
    assert not suite.campaigns.exists()


def campaigns_with_history(suite):
    """Two campaigns of three people; in the second a label was given anew and a check was answered."""
    label_cases(suite, gold_votes(suite), title="First")
    later = label_cases(suite, gold_votes(suite), title="Second")
    first = Assignment.objects.filter(campaign=later).order_by("id").first()
    Annotation.objects.create(
        assignment=first, annotator=first.annotator, client_id="second", revision=2, kind="label", label=first.label,
        comment="=after a second look", is_unrealistic=True, unrealistic_because="too long",
    )  # fmt: skip
    check = CampaignItem.objects.create(campaign=later, text="Hello.", role="check", expected="hateful", position=99)
    slot = Assignment.objects.create(
        key="check", campaign=later, item=check, slot=1, annotator=first.annotator, state="done", order=99
    )
    Annotation.objects.create(
        assignment=slot, annotator=slot.annotator, client_id="check", revision=1, kind="label", label="hateful"
    )


@pytest.mark.parametrize(("ending", "write"), [("csv", labels_as_csv), ("jsonl", labels_as_jsonl)])
def test_our_own_export_comes_back_with_its_history_skipped_and_counted(suite, tmp_path, ending, write):
    campaigns_with_history(suite)
    exported = [record for record in label_records(list(suite.campaigns.all())) if record["counts"]]
    path = tmp_path / f"labels.{ending}"
    path.write_bytes(b"".join(write(list(suite.campaigns.all()))))
    copy = copy_of(suite)
    report = import_label_file(copy, path, by=None)
    assert report["skipped"] == {"earlier": 1, "checks": 1}
    assert skipped_text(report["skipped"]) == "Skipped: 1 earlier or withdrawn answer, 1 answer to a check."
    assert (report["labels"], report["new"], len(report["campaigns"])) == (24, 24, 2)
    assert import_label_file(copy, path, by=None)["new"] == 0
    again = list(label_records(list(copy.campaigns.all())))
    facts = ("case_id", "label", "comment", "is_unrealistic", "unrealistic_because", "time")
    assert sorted([record[name] for name in facts] for record in again) == sorted(
        [record[name] for name in facts] for record in exported
    )
    assert {record["comment"] for record in again} == {"", "=after a second look"}
    assert len({record["annotator"] for record in again}) == len({record["annotator"] for record in exported}) == 3


def test_labels_of_cases_that_are_gone_are_skipped_but_the_file_of_another_suite_is_refused(suite, tmp_path):
    label_cases(suite, gold_votes(suite))
    path = tmp_path / "labels.csv"
    path.write_bytes(b"".join(labels_as_csv(list(suite.campaigns.all()))))
    copy = copy_of(suite)
    copy.cases.filter(key="small-0000-0").update(state="retired")
    report = import_label_file(copy, path, by=None, dry_run=True)
    assert (report["labels"], report["skipped"]) == (9, {"no_such_case": 3})
    with pytest.raises(BadInput) as refused:
        import_label_file(make_suite(key="other"), path, by=None)
    assert {problem["column"] for problem in refused.value.problems} == {"case_id"}


def test_the_labels_of_a_release_come_back_from_its_annex(suite, tmp_path):
    for title in ("First", "Second"):
        label_cases(suite, gold_votes(suite), title=title)
    lines = ["case_id,annotator,label,is_unrealistic,campaign"]
    lines += [
        f"{record['case_id']},{record['annotator']},{record['label']},False,{record['campaign']}"
        for record in label_records(list(suite.campaigns.all()))
    ]
    report = import_label_file(copy_of(suite), written(tmp_path, "\n".join(lines)), by=None)
    assert (report["labels"], len(report["campaigns"]), report["skipped"]) == (24, 2, {})


@pytest.mark.parametrize(("ending", "write"), [("csv", labels_as_csv), ("jsonl", labels_as_jsonl)])
def test_an_export_that_is_imported_where_it_came_from_adds_nothing(suite, tmp_path, ending, write):
    campaigns_with_history(suite)
    path = tmp_path / f"labels.{ending}"
    path.write_bytes(b"".join(write(list(suite.campaigns.all()))))
    before = Annotation.objects.count()
    with pytest.raises(BadInput, match=r"holds no new label\. Skipped: .* 24 labels that the suite already has"):
        import_label_file(suite, path, by=None)
    assert Annotation.objects.count() == before


def test_a_file_is_stored_in_each_copy_of_a_suite(suite, tmp_path):
    copy = copy_of(suite)
    path = written(tmp_path, LONG)
    for one in (suite, copy):
        for new in (4, 0):
            report = import_label_file(one, path, by=None)
            assert (report["new"], Campaign.objects.get(key=report["campaign"]).suite) == (new, one)
    assert [one.cases.filter(verdicts__isnull=False).count() for one in (suite, copy)] == [2, 2]


def test_one_stray_label_does_not_overturn_what_many_decided(tmp_path):
    suite = make_suite(templates=1, per_template=1, raters=5, threshold=3)
    label_cases(suite, gold_votes(suite))
    path = tmp_path / "one.csv"
    path.write_text("case_id,annotator,label\nsmall-0000-0,bob,hateful\n")
    report = import_label_file(suite, path, by=None)
    assert report["new"] == 1
    assert "3 of 5 labels of a case must equal the gold label. With 1 label per case" in report["too_few"]
    assert preview_decision(suite).going == {}


def test_a_file_without_labels_is_refused(suite, tmp_path):
    with pytest.raises(BadInput, match="1 problem in"):
        import_label_file(suite, written(tmp_path, "case_id,opinion\n1,fine\n"), by=None)
    with pytest.raises(BadInput, match="holds no label"):
        import_label_file(suite, written(tmp_path, "case_id,label_1\nsmall-0000-0,\n"), by=None)


def test_commands_import_and_export(suite, tmp_path):
    out = StringIO()
    call_command("import_labels", "small", "--path", str(written(tmp_path, LONG)), "--json", stdout=out)
    campaign = json.loads(out.getvalue())["campaign"]
    target = tmp_path / "all.csv"
    call_command("export_labels", "small", "--campaign", campaign, "--out", str(target), stdout=StringIO())
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["case_id"] for row in rows] == ["small-0000-0"] * 2 + ["small-0001-0"] * 2
    call_command("export_labels", "small", "--out", str(tmp_path / "all.jsonl"), stdout=StringIO())
    assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 4
    with pytest.raises(CommandError, match=f"Known: {campaign}"):
        call_command("export_labels", "small", "--campaign", "none", "--out", str(target), stdout=StringIO())


def test_a_release_says_who_agreed_and_holds_all_labels(suite):
    votes = gold_votes(suite)
    votes["small-0000-0"] = ["non-hateful", "non-hateful", "hateful"]
    label_cases(suite, votes)
    facts = facts_about_labels(suite)
    assert facts["annotators"] == 3
    assert [(row["part"], row["cases"], row["raters"]) for row in facts["agreement"]] == [("all", 4, 3)]
    release = request_release(suite, "1.0.0", by=None)
    build_release(release)
    head = ReleaseHead(suite=suite.key, version="1.0.0", title="Small", created="2026-01-01")
    (labels,) = label_annexes(head)
    rows = list(labels.rows)
    assert len(rows) == 12
    assert {row[0] for row in rows} == set(votes)
    assert release.facts["annotation"]["annotators"] == 3


def test_labels_given_after_the_release_are_not_in_it(suite):
    label_cases(suite, gold_votes(suite))
    build_release(request_release(suite, "1.0.0", by=None))
    label_cases(suite, {"small-0000-0": ["hateful"] * 3}, title="Later")
    head = ReleaseHead(suite=suite.key, version="1.0.0", title="Small", created="2026-01-01")
    assert len(list(next(iter(label_annexes(head))).rows)) == 12


def test_few_people_stay_few_although_they_answered_in_several_campaigns(suite):
    label_cases(suite, gold_votes(suite))
    first = Campaign.objects.get()
    second = Campaign.objects.get()
    second.pk, second.key, second._state.adding = None, "again", True
    second.save()
    for campaign in (first, second):
        for number in range(9):
            answers = {"age": "60+" if number < 3 else "30-39"}
            DemographicAnswer.objects.create(pk=campaign.pk * 100 + number, campaign=campaign, answers=answers)
    counts = _demographics([first, second])
    assert counts == {"age": {"30-39": 12, "60+": 3}}
    assert suppress_small_cells(counts["age"]) == {"30-39": None, "60+": None}


@pytest.mark.parametrize("votes_of_first", [["non-hateful", "non-hateful", "hateful"], ["hateful", "hateful"]])
def test_a_release_says_the_agreement_that_the_report_says(suite, votes_of_first):
    votes = gold_votes(suite)
    votes["small-0000-0"] = votes_of_first
    label_cases(suite, votes)
    (row,) = facts_about_labels(suite)["agreement"]
    report = suite_agreement(suite, draws=0)
    for name in ("cases", "fleiss_kappa", "krippendorff_alpha"):
        assert row[name] == pytest.approx(report[name], abs=1e-12)
    assert row["raters"] == 3


@pytest.mark.parametrize(("ending", "write"), [("csv", labels_as_csv), ("jsonl", labels_as_jsonl)])
def test_an_export_with_texts_has_a_column_more_and_comes_back_too(suite, tmp_path, ending, write):
    campaigns_with_history(suite)
    suite.cases.filter(key="small-0000-0").update(text="=a text, with a comma")
    records = list(label_records(list(suite.campaigns.all()), with_text=True))
    texts = dict(suite.cases.values_list("key", "text"))
    assert {record["case_id"]: record["text"] for record in records} == texts | {"": "Hello."}
    path = tmp_path / f"labels.{ending}"
    path.write_bytes(b"".join(write(list(suite.campaigns.all()), with_text=True)))
    assert import_label_file(copy_of(suite), path, by=None)["new"] == 24
    if ending == "csv":
        with path.open(encoding="utf-8", newline="") as file:
            assert {row["text"] for row in csv.DictReader(file)} >= {"'=a text, with a comma", "Hello."}


def test_page_api_and_command_export_the_same_labels(suite, mira, client, tmp_path):
    first, second = (label_cases(suite, gold_votes(suite), title=title) for title in ("First", "Second"))
    client.force_login(mira)
    page = client.get(f"/suites/{suite.key}/labels/export/", {"kind": "csv", "with_text": "on"})
    api = client.get(f"/api/v1/suites/{suite.key}/labels/", {"with_text": "true"})
    call_command("export_labels", suite.key, "--with-text", "--out", str(tmp_path / "all.csv"), stdout=StringIO())
    content = page.getvalue()
    assert content == api.getvalue() == (tmp_path / "all.csv").read_bytes()
    assert page.headers["Content-Disposition"] == 'attachment; filename="small-labels.csv"'
    assert b"I like neighbour" in content
    one = client.get(f"/suites/{suite.key}/labels/export/", {"kind": "jsonl", "campaign": second.key})
    content = one.getvalue()
    assert {json.loads(line)["campaign"] for line in content.splitlines()} == {second.key}
    assert content == client.get(f"/api/v1/campaigns/{second.key}/labels/?as=jsonl").getvalue()
    assert first.title in client.get(f"/suites/{suite.key}/labels/export/").content.decode()
    assert client.get(f"/api/v1/suites/{suite.key}/labels/", {"campaign": "none"}).status_code == 404
