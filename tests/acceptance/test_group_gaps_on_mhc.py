"""A model that is bad in one language of Multilingual HateCheck, and fair to every group in each, shows no gap."""

import csv
import random

import numpy as np
import pytest

from curation.formats.mhc import NAMES
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.gaps import group_gaps

LANGUAGES = ("ar", "nl", "fr", "de", "zh", "pt", "es")
LABELS = ("hateful", "non-hateful")
REPETITIONS = 60


@pytest.fixture(scope="module")
def cases(shared_data):
    """Cases about an identity: those whose template is filled with a word for each group."""
    found = []
    for code in LANGUAGES:
        with (shared_data / "mhc" / NAMES[code] / "final_cases.csv").open(encoding="utf-8", newline="") as file:
            for case in csv.DictReader(file):
                texts = "".join(case.get(name, "") for name in ("case_templ", "gender_male", "gender_female"))
                if case["target_ident"] and "IDENT" in texts:
                    found.append((code, case))
    return found


def columns_of(cases, chance):
    """Answers of a made-up model that is right with a chance by language and group."""
    generator = random.Random(chance.__name__ + str(next(SEEDS)))
    return Columns.of(
        [
            Row(
                case["mhc_case_id"], case["label_gold"],
                LABELS[(case["label_gold"] == LABELS[0]) ^ (generator.random() < chance(code, case["target_ident"]))],
                language=code, functionality=case["functionality"], targets=(case["target_ident"],),
                template=f"{code}:{case['templ_id']}",
            )
            for code, case in cases
        ],
        labels=LABELS,
    )  # fmt: skip


SEEDS = iter(range(10**6))


def bad_in_mandarin(language, group):
    return 0.5 if language == "zh" else 0.9


def bad_to_women(language, group):
    return 0.75 if group == "women" else 0.85


def test_a_bad_language_makes_no_group_gap(cases):
    """Foreigners occur in Mandarin only: over all cases they seem to be served 40 points worse."""
    alarms = 0
    for _ in range(REPETITIONS):
        columns = columns_of(cases, bad_in_mandarin)
        found = group_gaps(columns, columns.factors["target"])["groups"]
        alarms += min(group["p_holm"] for group in found.values() if group["p_holm"] is not None) < 0.05
        assert abs(found["foreigners"]["difference"]) < 0.12
    assert alarms / REPETITIONS <= 0.1
    of_foreigners = columns.factors["target"].rows[
        columns.factors["target"].codes == columns.factors["target"].values.index("foreigners")
    ]
    assert np.mean(columns.is_correct) - np.mean(columns.is_correct[of_foreigners]) > 0.3


def test_a_gap_that_every_language_has_is_found(cases):
    columns = columns_of(cases, bad_to_women)
    found = group_gaps(columns, columns.factors["target"])
    assert found["groups"]["women"]["p_holm"] < 1e-6
    assert found["groups"]["women"]["difference"] == pytest.approx(-0.1, abs=0.03)
