"""Validation studies: kept and rejected candidates are labelled, and the validator is held against the labels."""

import csv
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.errors import NotAllowed
from core.errors import BadInput
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.models import Suite, TestCase
from generation.candidates.deciding import accept_candidate
from generation.checks.algorithm.validity import majority_says, validity_of
from generation.checks.options import LabelFileOptions, StudyOptions
from generation.checks.studies import quality_from_files, start_study, validator_quality
from generation.checks.versions import shipped_rules
from generation.models import Candidate, GenerationRun
from tests.generation import factories as ground
from tests.generation.test_generation_deciding import make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(db) -> GenerationRun:
    """Four candidates, of which the validator keeps the first two."""
    run = make_run(ground.make_suite())
    tests = [test.key for test in shipped_rules("touchstone").hypotheses_for("ident_pos_nh")]
    for candidate in run.candidates.all():
        score = 0.9 if candidate.number <= 2 else 0.1
        scores = {test: 0.1 if "hate" in test else score for test in tests}
        checks = {"model": "m", "rule_set": "touchstone", "scores": scores}
        Candidate.objects.filter(pk=candidate.pk).update(checks=checks)
    return run


def label(case: TestCase, majority: str) -> None:
    agreeing = 3 if majority == case.functionality.gold_label else 0
    record_verdicts([VerdictValue(case.pk, (majority,) * 3, agreeing, majority)], source="campaign:study")


def test_kept_and_rejected_candidates_become_cases_of_a_suite_of_their_own(run, mira):
    study = start_study([run], StudyOptions(size=10), by=mira)
    assert (study.suite.key, study.added, study.kept, study.rejected) == ("written-study", 4, 2, 2)
    assert set(study.suite.languages.all()) == {run.language}
    cases = TestCase.objects.of(study.suite)
    assert set(cases.values_list("text", flat=True)) == set(run.candidates.values_list("text", flat=True))
    assert set(cases.values_list("target__name", "is_about_identity", "origin")) == {("women", True, "llm")}
    assert not TestCase.objects.of(run.suite).exists()  # nothing enters the suite itself
    with pytest.raises(BadInput, match="No candidate has been checked"):
        start_study([run], StudyOptions(), by=mira)


def test_the_same_seed_draws_the_same_candidates(run, mira):
    start_study([run], StudyOptions(size=2, seed=5), by=mira)
    drawn = set(run.candidates.exclude(study_case=None).values_list("number", flat=True))
    Candidate.objects.update(study_case=None)
    Suite.objects.get(key="written-study").delete()
    start_study([run], StudyOptions(size=2, seed=5), by=mira)
    assert set(run.candidates.exclude(study_case=None).values_list("number", flat=True)) == drawn


def test_only_maintainers_start_studies(run, emil):
    with pytest.raises(NotAllowed):
        start_study([run], StudyOptions(), by=emil)


def test_precision_and_recall_follow_from_the_labels(run, mira):
    study = start_study([run], StudyOptions(), by=mira)
    valid = {1: "non-hateful", 2: "hateful", 3: "non-hateful", 4: "hateful"}
    assert validator_quality([run])[""].precision is None
    for candidate in run.candidates.select_related("study_case__functionality"):
        label(candidate.study_case, valid[candidate.number])
    quality = validator_quality([run])
    assert set(quality) == {"", "ident_pos_nh"}
    found = quality[""]
    assert (found.valid_kept, found.valid_rejected, found.invalid_kept, found.invalid_rejected) == (1, 1, 1, 1)
    assert (found.unfiltered, found.precision, found.recall) == (0.5, 0.5, 0.5)
    assert validator_quality([run], threshold=0.95)[""].precision is None  # the validator keeps none
    label(TestCase.objects.of(study.suite).get(candidates=None, text="Women bake good bread."), "non-hateful")
    assert validator_quality([run])[""].precision == 1.0  # the newest verdict counts


def test_labels_of_accepted_candidates_count_too(run, mira):
    case = accept_candidate(run.candidates.get(number=1), by=mira)
    assert (case.target.name, case.is_about_identity) == ("women", True)
    label(case, "non-hateful")
    assert validator_quality([run])[""].labelled == 1


def test_pages_and_programs_start_a_study_and_show_the_quality(run, mira, emil):
    client = Client()
    client.force_login(mira)
    answer = client.post(reverse("generation:run-study", args=[run.key]), {"size": "3", "seed": "1"})
    assert "suite=written-study" in answer.url
    assert TestCase.objects.filter(suite__key="written-study").count() == 3
    for candidate in run.candidates.exclude(study_case=None).select_related("study_case__functionality"):
        label(candidate.study_case, "non-hateful")
    page = client.get(reverse("generation:pass-rates")).content.decode()
    assert "Validator against human labels" in page
    api = APIClient()
    api.force_authenticate(mira)
    more = api.post(f"/api/v1/generation-runs/{run.key}/study/", {"size": 5}, format="json")
    assert (more.status_code, more.json()["added"]) == (201, 1)
    [all_together, by_functionality] = api.get("/api/v1/validator-quality/?suite=written").json()
    assert (all_together["functionality"], all_together["labelled"], all_together["unfiltered"]) == ("", 3, 1.0)
    assert by_functionality["functionality"] == "ident_pos_nh"
    api.force_authenticate(emil)
    assert api.post(f"/api/v1/generation-runs/{run.key}/study/", {}, format="json").status_code == 403


def test_counts_without_anything_are_undefined():
    empty = validity_of([])
    assert (empty.unfiltered, empty.precision, empty.recall, empty.precision_ci95) == (None, None, None, None)
    assert majority_says(["yes", "no"], valid="yes") is False


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_labels_from_files_are_held_against_verdicts(tmp_path, capsys):
    verdicts = write(tmp_path / "v.csv", [{"case_id": n, "nli_pass_test": int(n < 3)} for n in range(5)])
    said = [(0, "yes"), (0, "no"), (0, "yes"), (1, "no"), (2, "yes"), (3, "yes"), (9, "yes")]
    labels = write(tmp_path / "l.csv", [{"case_id": n, "consistent": answer} for n, answer in said])
    found = quality_from_files(LabelFileOptions(verdicts=verdicts, labels=labels))
    assert (found.valid_kept, found.invalid_kept, found.valid_rejected, found.labelled) == (2, 1, 1, 4)
    scores = write(
        tmp_path / "s.csv", [{"case_id": n, "score": score} for n, score in [(0, 5), (0, 2), (1, 3), (3, 1)]]
    )
    gold = write(tmp_path / "g.csv", [{"case_id": n, "hate_label": int(n == 0)} for n in range(5)])
    call_command(
        *("validator_quality", "--verdicts", str(verdicts), "--labels", str(scores), "--label-column", "score"),
        *("--gold", str(gold)),
    )
    assert "100.00% of those kept are valid" in capsys.readouterr().out
    with pytest.raises(CommandError, match="the labels must be numbers"):
        call_command("validator_quality", "--verdicts", str(verdicts), "--labels", str(labels), "--gold", str(gold))
