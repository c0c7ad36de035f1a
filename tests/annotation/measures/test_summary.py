"""Agreement in one value, overall and by key."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.measures.coefficients import fleiss_kappa
from annotation.measures.summary import summarise_agreement
from annotation.measures.votes import Vote, split_table
from tests.annotation.measures.reference import tabulate_votes

HATEFUL, FINE = LABELS = ("hateful", "non-hateful")

votes = st.lists(
    st.builds(Vote, st.integers(0, 8), st.integers(0, 6), st.sampled_from(LABELS)),
    unique_by=lambda vote: (vote.case, vote.annotator),
    max_size=40,
)


def table_of(*rows):
    """A table from strings of votes such as "hhn"."""
    return tabulate_votes(
        [Vote(c, who, HATEFUL if mark == "h" else FINE) for c, row in enumerate(rows) for who, mark in enumerate(row)],
        labels=LABELS,
    )


@settings(deadline=None)
@given(votes)
def test_any_votes_give_plain_json_and_reasons(given_votes):
    table = tabulate_votes(given_votes, labels=LABELS)
    found = summarise_agreement(table, template_of={}, seed=1, draws=20)
    json.dumps(found, allow_nan=False)
    assert (found["fleiss_kappa"] is None) == bool(found["fleiss_kappa_reason"])
    assert (found["krippendorff_alpha"] is None) == bool(found["krippendorff_alpha_reason"])


def test_complete_cases_give_fleiss_kappa():
    table = table_of("hhh", "hnn", "nnn")
    found = summarise_agreement(table, template_of={}, seed=1)
    assert found["raters"] == 3
    assert found["fleiss_kappa"] == fleiss_kappa([[3, 0], [1, 2], [0, 3]]).value


def test_missing_labels_are_no_obstacle():
    found = summarise_agreement(table_of("hh", "hnn", "nnn", "n"), template_of={}, seed=1)
    assert found["raters"] is None
    assert found["fleiss_kappa"] == pytest.approx((7 / 9 - 5 / 9) / (4 / 9))


def test_cases_of_one_template_are_drawn_together():
    table = table_of(*["hhh", "nnn", "hhn", "nnh"] * 6)
    alone = summarise_agreement(table, template_of={}, seed=1)
    one_template = summarise_agreement(table, template_of=dict.fromkeys(range(24), "t"), seed=1)
    assert alone["fleiss_kappa_ci95"] is not None
    assert one_template["fleiss_kappa_ci95"] is None


def test_a_table_is_split_by_any_key():
    parts = split_table(table_of("hh", "nn", "hn"), {0: ["derogation"], 1: ["derogation", "slurs"]})
    assert {group: part.cases for group, part in parts.items()} == {"derogation": (0, 1), "slurs": (1,)}


def test_the_pure_packages_stay_light():
    """Nothing heavy is loaded when the web process imports the measures."""
    code = (
        "import pkgutil, sys, importlib\n"
        "import annotation.measures as a, annotation.allocation as b, core.statistics as c, evaluation.metrics as d\n"
        "for p in (a, b, c, d):\n"
        "    for m in pkgutil.iter_modules(p.__path__): importlib.import_module(f'{p.__name__}.{m.name}')\n"
        "heavy = {'django', 'celery', 'pandas', 'scipy', 'statsmodels', 'sklearn', 'torch', 'altair', 'crowdkit'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
