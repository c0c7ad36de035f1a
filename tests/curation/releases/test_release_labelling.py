"""A release says how many of its cases were checked: validated, kept by decision, never labelled; kappa with its n."""

import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.agreement.deciding import apply_decision, lift_exclusion
from annotation.agreement.suite_report import suite_agreement
from curation.formats.values import LabelValue
from curation.importing.label_intake import take_in
from curation.models import Release, Suite, TestCase
from curation.publishing.manifest import read_manifest
from curation.releases.checklist import checklist
from curation.releases.documents import datasheet_of, statement_of
from curation.releases.export import export_release
from tests.annotation import factories as annotation_factories
from tests.annotation.managing_factories import disputed_campaign, gold_votes, label_cases
from tests.curation.releases.factories import DISPUTED, make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
NOTHING = {
    "validated": 0, "kept_by_decision": 0, "disputed": 0, "too_few_labels": 0, "no_threshold": 0, "never_labelled": 0,
}  # fmt: skip


def label_some(suite: Suite, cases: int, *, labels: int = 5) -> None:
    """Everybody gives these first cases their gold label."""
    rows = list(TestCase.objects.of(suite).in_order().values_list("key", "id", "functionality__gold_label"))[:cases]
    given = [LabelValue(key, str(rater), gold) for key, _, gold in rows for rater in range(labels)]
    take_in(suite, given, case_ids={key: case_id for key, case_id, _ in rows}, by=None)


def documents(release: Release) -> str:
    return statement_of(release) + datasheet_of(release)


def page_of(client, release: Release) -> str:
    return " ".join(
        client.get(release.get_absolute_url()).content.decode().split()
    )  # line breaks of the HTML do not matter


def test_a_release_that_nobody_labelled_says_so_and_claims_nothing_else(client, mira):
    release = make_release(make_suite(labelled=False, by=mira), by=mira, without_labels="include")
    assert release.facts["labelling"] == {**NOTHING, "never_labelled": 7}
    text = documents(release)
    assert "The cases were not labelled here" in text
    assert "were left out" not in text
    assert "0 of them" not in text
    assert "None of the 7 cases was labelled" in page_of(client, release)


def test_a_release_that_was_labelled_in_part_says_how_much(client, mira, tmp_path):
    suite = make_suite(labelled=False, by=mira)
    label_some(suite, 2)
    release = make_release(suite, by=mira, without_labels="include")
    assert release.facts["labelling"] == {**NOTHING, "validated": 2, "never_labelled": 5}
    said = (
        "Of 7 cases, 2 are validated (at least 4 labels equal to the gold label) and 5 were never labelled "
        "(gold label as written or imported)."
    )
    assert statement_of(release).count(said) == 1
    assert datasheet_of(release).count(said) == 1
    assert "0 of them" not in documents(release)
    assert said in page_of(client, release)  # it is published, and still said
    export_release(release, tmp_path / "out", formats=["csv", "huggingface"])
    assert read_manifest(tmp_path / "out").labelling == release.facts["labelling"]
    assert said in (tmp_path / "out" / "huggingface" / "README.md").read_text()
    assert client.get(f"/api/v1/releases/{release.key}/").json()["labelling"]["never_labelled"] == 5


def test_a_case_kept_by_decision_is_not_counted_as_validated(mira):
    suite = make_suite(by=mira)
    apply_decision(suite, by=mira)
    lift_exclusion(TestCase.objects.get(text=DISPUTED), reason="The text is fine.", by=mira)
    release = make_release(suite, by=mira)
    assert release.facts["labelling"] == {**NOTHING, "validated": 6, "kept_by_decision": 1}
    assert "1 was kept by an expert's decision" in documents(release)


def test_disputed_cases_that_are_only_marked_are_counted_apart(mira):
    release = make_release(make_suite(by=mira), by=mira, policy="mark")
    assert release.facts["labelling"] == {**NOTHING, "validated": 6, "disputed": 1}
    assert "1 is disputed and marked" in documents(release)


def test_without_a_threshold_no_case_is_called_validated(mira):
    release = make_release(make_suite(by=mira), by=mira, min_agree=0)
    assert release.facts["labelling"] == {**NOTHING, "no_threshold": 7}
    assert "No minimum agreement was asked for" in documents(release)
    assert "fewer than 0 labels" not in documents(release)


def test_too_few_labels_do_not_validate_a_case(mira):
    suite = make_suite(labelled=False, by=mira)
    label_some(suite, 7, labels=2)
    release = make_release(suite, by=mira)
    assert release.facts["labelling"] == {**NOTHING, "too_few_labels": 7}
    # All of them have fewer than 4 labels equal to the gold label, and all are in.
    assert statement_of(release).count("unless an expert decided to keep them or they had too few labels to tell.") == 1
    assert datasheet_of(release).count("unless an expert decided to keep them or they had too few labels to tell.") == 1


@pytest.mark.parametrize(
    ("labels", "min_agree", "is_done", "says"),
    [
        (5, 4, True, "Of 7 cases, 7 are validated (at least 4 labels equal to the gold label)."),
        (2, 4, False, "Of 7 cases, 7 have too few labels to tell."),
        (5, 0, False, "Of 7 cases, 7 were labelled, with no threshold."),
    ],
)
def test_only_cases_that_were_checked_count_as_validated_in_the_checklist(mira, labels, min_agree, is_done, says):
    suite = make_suite(labelled=False, by=mira)
    label_some(suite, 7, labels=labels)
    point = checklist(make_candidate(suite, by=mira, min_agree=min_agree))[0]
    assert (point.name, point.is_done, point.says) == ("Validated", is_done, says)
    assert bool(point.fix) != is_done


def test_the_command_says_what_was_checked(mira, capsys):
    suite = make_suite(labelled=False, by=mira)
    label_some(suite, 2)
    call_command("freeze", "small", "--release", "1.0.0", "--include-unlabelled")
    assert "Of 7 cases, 2 are validated and 5 were never labelled" in capsys.readouterr().out


def test_unlabelled_cases_that_are_left_out_are_not_counted(mira):
    suite = make_suite(labelled=False, by=mira)
    case = TestCase.objects.of(suite).get(text=DISPUTED)
    other = [LabelValue(case.key, str(rater), "hateful") for rater in range(5)]
    take_in(suite, other, case_ids={case.key: case.pk}, by=None)
    release = make_release(suite, by=mira, without_labels="include")
    assert release.facts["excluded"] == 4
    assert release.facts["labelling"] == {**NOTHING, "never_labelled": 3}
    assert release.facts["unlabelled"] == 3
    # Nothing that is in was labelled, yet labels decided: the documents must not say that nobody labelled anything.
    assert "Nobody labelled" not in documents(release)
    assert "No case was left out for disagreement" not in documents(release)


def test_kappa_stands_with_its_interval_and_what_it_was_measured_on(client, mira, tmp_path):
    suite = annotation_factories.make_suite(templates=20, per_template=3, raters=3, threshold=2)
    disputed_campaign(suite, "small-0003-1", "small-0008-0", "small-0011-2")
    release = make_release(suite, by=mira)
    (found,) = release.facts["annotation"]["agreement"]
    reference = suite_agreement(suite)
    assert (found["cases"], found["raters"]) == (60, 3)
    assert found["fleiss_kappa"] == pytest.approx(reference["fleiss_kappa"])
    assert found["fleiss_kappa_ci95"] == pytest.approx(reference["fleiss_kappa_ci95"])
    low, high = found["fleiss_kappa_ci95"]
    assert f"| all | 60 | 3 | {found['fleiss_kappa']:.2f} | {low:.2f} to {high:.2f} |" in documents(release)
    assert "also on those that were left out" in documents(release)
    page = page_of(client, release)
    assert f"({low:.3f}–{high:.3f})" in page
    assert "60 labelled cases, including excluded cases · labels per case: 3 · 95% interval in brackets" in page
    export_release(release, tmp_path / "out", formats=["csv"])
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["agreement"][0]["cases"] == 60
    assert manifest["agreement"][0]["fleiss_kappa_ci95"] == [low, high]


def test_different_numbers_of_labels_are_not_averaged(client, mira):
    suite = annotation_factories.make_suite()
    votes = gold_votes(suite)
    label_cases(suite, {key: given[: 1 + place % 3] for place, (key, given) in enumerate(votes.items())})
    release = make_release(suite, by=mira)
    assert "| all | 24 | 1 to 3 |" in statement_of(release)
    assert "24 labelled cases, including excluded cases · labels per case: 1 to 3" in page_of(client, release)
    client.force_login(mira)
    rules = {"suite": suite.key, "policy": "exclude", "min_agree": 2, "cascade": "closure"}
    preview = client.get(reverse("curation:release-preview"), rules).content.decode()
    assert "labels per case: 1 to 3" in " ".join(preview.split())


def test_a_release_from_before_it_was_counted_still_says_what_is_known(client, mira, tmp_path):
    suite = make_suite(labelled=False, by=mira)
    label_some(suite, 2)
    release = make_candidate(suite, by=mira, without_labels="include")
    old = {name: value for name, value in release.facts.items() if name not in ("labelling", "warnings", "decision")}
    old["annotation"]["agreement"][0].pop("fleiss_kappa_ci95")
    Release.objects.filter(pk=release.pk).update(facts=old)
    release.refresh_from_db()
    client.force_login(mira)
    assert "Never labelled when the release was built: 5 cases of the suite." in page_of(client, release)
    assert "0 of them" not in documents(release)
    export_release(release, tmp_path / "out", formats=["csv"])
    assert not {"labelling", "agreement"} & set(json.loads((tmp_path / "out" / "manifest.json").read_text()))
