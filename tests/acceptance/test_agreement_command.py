"""Agreement as the command gives it, on the labels that were published with HateCheck and its successors."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.agreement.campaign_report import measure
from annotation.agreement.deciding import apply_decision, preview_decision
from annotation.models import Campaign
from curation.models import Exclusion, Suite

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def test_the_labels_of_hatecheck_give_the_published_agreement_and_cases(
    shared_data, mira, django_assert_max_num_queries
):
    run("import_suite", "hc", "--format", "hatecheck", "--path", shared_data / "hatecheck")
    with django_assert_max_num_queries(6):
        found = run("agreement", "hc", "--by", "functionality")
    assert (found["suite"], found["cases"], found["raters"], found["below_threshold"]) == ("hc", 3901, 5, 22)
    assert round(found["fleiss_kappa"], 4) == 0.9285
    low, high = found["fleiss_kappa_ci95"]
    assert low < found["fleiss_kappa"] < high
    assert sum(part["cases"] for part in found["by"].values()) == 3901
    assert sum(part["below_threshold"] for part in found["by"].values()) == 22
    assert len(found["by"]) == 29
    assert run("agreement", "hc", "--by", "language")["by"]["en"]["fleiss_kappa"] == found["fleiss_kappa"]
    assert run("agreement", "hc", "--by", "annotator")["by"]["hc-label_1"]["cases"] == 1944
    assert run("agreement", "hc", "--by", "group")["by"]["women"]["cases"] > 400
    suite = Suite.objects.get(key="hc")
    shown = preview_decision(suite)
    assert shown.going_by_reason == {"template": 132, "disagreement": 22, "reference": 19}
    apply_decision(suite, by=mira, expected=173)
    assert suite.cases.filter(state="excluded").count() == Exclusion.objects.standing().count() == 173
    assert suite.cases.filter(state="validated").count() == 3728
    values = measure(Campaign.objects.get(suite=suite))
    assert round(values["overall"]["fleiss_kappa"], 4) == 0.9285
    assert len(values["annotators"]) == 10
    assert not any(row["warnings"] for row in values["annotators"] if not row["is_outlier"])


def test_a_language_of_mhc_gives_the_published_agreement(shared_data):
    run("import_suite", "m", "--format", "mhc", "--language", "fr", "--path", shared_data / "mhc")
    found = run("agreement", "m")
    assert (found["raters"], round(found["fleiss_kappa"], 3)) == (3, 0.328)
    assert found["by"] == {}
    by_annotator = run("agreement", "m", "--by", "annotator")  # its lists give places, not the more than 120 people
    assert by_annotator["by"] == {}
    assert "does not say who gave" in by_annotator["by_reason"]
