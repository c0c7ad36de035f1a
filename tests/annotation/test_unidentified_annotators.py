"""Labels whose source does not say who gave them count as votes; nobody is made up behind them."""

import csv
from importlib import import_module

import pytest
from django.apps import apps

from annotation.agreement.campaign_report import current_report, measure
from annotation.agreement.disputes import opinions_on
from annotation.agreement.suite_report import suite_agreement
from annotation.campaigns.progress import progress_of_campaign
from annotation.labels.exporting import label_records
from annotation.labels.storing import import_label_file
from annotation.models import Annotation, Annotator, Participation
from core.errors import BadInput
from curation.formats.values import LabelValue
from curation.importing import label_intake
from curation.models import TestCase
from curation.releases.documents import datasheet_of, statement_of
from curation.releases.export import export_release
from curation.releases.verifying import verify_release
from tests.curation.releases.factories import label, make_release, make_suite

pytestmark = pytest.mark.django_db

WHO = "does not say who gave"
UNKNOWN = "3 labels per case by annotators the source does not identify; their number is unknown."


def take_in(suite, *, is_identified, names=("1", "2", "3")):
    """All labels as gold, but for the last one on the first case."""
    cases = list(TestCase.objects.of(suite).in_order().values_list("key", "id", "functionality__gold_label"))
    labels = [LabelValue(key, name, gold, is_identified) for key, _, gold in cases for name in names]
    first = cases[0]
    other = "hateful" if first[2] == "non-hateful" else "non-hateful"
    labels[len(names) - 1] = LabelValue(first[0], names[-1], other, is_identified)
    label_intake.take_in(suite, labels, case_ids={key: pk for key, pk, _ in cases}, by=None)


@pytest.fixture
def suite():
    made = make_suite(labelled=False)
    made.raters, made.threshold, made.policy = 3, 2, "mark"
    made.save()
    return made


@pytest.fixture
def listed(suite):
    """Its labels come as lists, as Multilingual HateCheck publishes them."""
    take_in(suite, is_identified=False)
    return suite


def labels_of(release, folder):
    export_release(release, folder, formats=["csv"])
    with (folder / "annexes" / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_data_statement_does_not_count_people_who_are_unknown(listed, tmp_path):
    release = make_release(listed)
    for document in (statement_of(release), datasheet_of(release)):
        assert UNKNOWN in document
        assert "3 annotators" not in document
    rows = labels_of(release, tmp_path / "out")
    assert len(rows) == 21
    assert {row["annotator"] for row in rows} == {""}
    assert verify_release(release).is_intact


def test_people_whom_the_source_names_are_counted(suite, tmp_path):
    take_in(suite, is_identified=True)
    release = make_release(suite)
    assert "3 annotators." in statement_of(release)
    assert "does not identify" not in statement_of(release)
    assert len({row["annotator"] for row in labels_of(release, tmp_path / "out")}) == 3


def test_people_and_unknown_ones_are_told_apart_in_one_release(listed, tmp_path):
    take_in_more = tmp_path / "more.csv"
    key = TestCase.objects.of(listed).in_order().first().key
    rows = "".join(f"{key},{name},hateful\n" for name in ("ana", "bo", "1"))
    take_in_more.write_text(f"case_id,annotator,label\n{rows}", encoding="utf-8")
    assert import_label_file(listed, take_in_more, by=None)["annotators"] == 3
    release = make_release(listed)
    assert "3 annotators." in statement_of(release)
    assert UNKNOWN in statement_of(release)
    named = {row["annotator"] for row in labels_of(release, tmp_path / "out")}
    assert len(named) == 4  # three people, one of them called 1, and nobody
    assert "" in named


def test_agreement_by_annotator_says_why_there_is_nobody(suite):
    take_in(suite, is_identified=False)
    found = suite_agreement(suite, by="annotator", draws=0)
    assert found["by"] == {}
    assert WHO in found["by_reason"]
    assert found["raters"] == 3
    assert found["fleiss_kappa"] is not None
    assert suite_agreement(suite, by="language", draws=0)["by_reason"] == ""


def test_votes_agree_as_much_whether_or_not_their_givers_are_known(suite):
    take_in(suite, is_identified=False)
    other = make_suite("other", labelled=False)
    other.raters, other.threshold = 3, 2
    other.save()
    take_in(other, is_identified=True)
    unknown, known = (suite_agreement(one, by="annotator", draws=0) for one in (suite, other))
    same = ("cases", "raters", "fleiss_kappa", "krippendorff_alpha", "below_threshold", "labels")
    assert {name: unknown[name] for name in same} == {name: known[name] for name in same}
    assert len(known["by"]) == 3
    assert known["by_reason"] == ""


def test_nobody_is_rated_or_weighed_who_does_not_exist(listed):
    campaign = listed.campaigns.get()
    found = measure(campaign)
    assert found["annotators"] == []
    assert WHO in found["annotators_reason"]
    assert found["second_opinion"]["reason"] == found["annotators_reason"]
    assert found["second_opinion"]["differs"] == []
    assert progress_of_campaign(campaign).people == []
    assert {record["annotator"] for record in label_records([campaign])} == {""}
    item = campaign.items.first()
    assert {opinion.annotator for opinion in opinions_on([item.pk])[item.pk]} == {"unidentified"}


def test_a_file_of_lists_names_nobody(suite, tmp_path):
    path = tmp_path / "lists.csv"
    keys = TestCase.objects.of(suite).values_list("key", flat=True)
    rows = "".join(f"{key},\"['hateful', 'hateful', 'non-hateful']\"\n" for key in keys)
    path.write_text(f"case_id,label_annotated\n{rows}", encoding="utf-8")
    assert import_label_file(suite, path, by=None)["annotators"] is None
    assert not Annotator.objects.filter(is_identified=True).exists()
    assert not Participation.objects.exists()


def test_labels_come_back_as_they_were_imported(listed):
    found = label_intake.give_back(listed)
    assert {(one.annotator, one.is_identified) for one in found} == {("1", False), ("2", False), ("3", False)}


def test_our_own_export_of_labels_by_unknown_annotators_is_read_back(listed, tmp_path):
    path = tmp_path / "labels.csv"
    records = list(label_records([Annotation.objects.first().assignment.campaign]))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(records[0]))
        writer.writeheader()
        writer.writerows(records)
    with pytest.raises(BadInput, match=f"{len(records)} labels that the suite already has"):
        import_label_file(listed, path, by=None)
    renamed = path.read_text(encoding="utf-8").replace(records[0]["campaign"], "a-campaign-elsewhere")
    path.write_text(renamed, encoding="utf-8")
    report = import_label_file(listed, path, by=None)
    assert (report["labels"], report["new"], report["annotators"]) == (len(records), len(records), None)
    assert not Annotator.objects.filter(is_identified=True).exists()


def test_places_that_were_stored_as_people_are_people_no_more(suite, tmp_path):
    take_in(suite, is_identified=True)  # as earlier versions did
    suite.format = "mhc"
    suite.save()
    people = make_suite("people", labelled=False)
    label(people)
    release = make_release(suite)
    before = labels_of(release, tmp_path / "before")
    campaign = suite.campaigns.get()
    assert len(current_report(campaign).values["annotators"]) == 3
    campaign.agreement_reports.update(values={"curve": [], "annotators": ["measured by an earlier version"]})

    import_module("annotation.migrations.0006_mark_unidentified_annotators").mark_places(apps, None)

    assert progress_of_campaign(campaign).people == []
    assert current_report(campaign).values["annotators"] == []
    assert len(progress_of_campaign(people.campaigns.get()).people) == 5
    assert verify_release(release).is_intact  # what was published stays
    assert labels_of(release, tmp_path / "after") == before
    taken = Annotation.objects.count()
    take_in(suite, is_identified=False)  # the same again, by this version
    assert Annotation.objects.count() == taken
    assert UNKNOWN in statement_of(make_release(suite, "1.1.0"))
