"""Published suites go through an export and come back: profiles equal released files, figures the printed ones."""

import ast
import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.tables.cells import restore
from curation.publishing.statistics import describe
from curation.publishing.values import FrozenCase, ReleaseHead
from curation.publishing.verify import verify_folder
from tests.curation.publishing.factories import export_folder

HEAD = ReleaseHead(suite="released", version="1.0.0", title="Released", created="2026-11-16")


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {name: restore(cell) for name, cell in row.items() if name}


def of_hatecheck(row: dict[str, str]) -> FrozenCase:
    return FrozenCase(
        key=row["case_id"],
        language="en",
        functionality=row["functionality"],
        text=row["test_case"],
        label=row["label_gold"],
        targets=(row["target_ident"],) if row["target_ident"] else (),
        direction=row["direction"],
        focus_words=row["focus_words"],
        focus_lemma=row["focus_lemma"],
        refers_to=row["ref_case_id"],
        refers_to_template=row["ref_templ_id"],
        template=row["templ_id"],
        template_text=row["case_templ"],
    )


def of_mhc(row: dict[str, str]) -> FrozenCase:
    return FrozenCase(
        key=row["mhc_case_id"],
        language="fr",
        functionality=row["functionality"],
        text=row["test_case"],
        label=row["label_gold"],
        targets=(row["target_ident"],) if row["target_ident"] else (),
        refers_to=row["ref_case_id"],
        refers_to_template=row["ref_templ_id"],
        template=row["templ_id"],
        template_text=row["case_templ"],
        labels_given=tuple(ast.literal_eval(row["label_annotated"])),
        majority=row["label_annotated_maj"],
        disagreement_in_case=row["disagreement_in_case"] == "True",
        disagreement_in_template=row["disagreement_in_template"] == "True",
        extra=(("gender_female", row["gender_female"]), ("gender_male", row["gender_male"])),
    )


@pytest.mark.parametrize(
    ("released", "profile", "make", "written"),
    [
        ("hatecheck/all_cases.csv", "hatecheck", of_hatecheck, "hatecheck/en.csv"),
        ("mhc/french/final_cases.csv", "mhc", of_mhc, "mhc/fr.csv"),
    ],
)
def test_a_profile_gives_back_the_released_rows(shared_data, tmp_path, released, profile, make, written):
    rows = list(rows_of(shared_data / released))
    export_folder(HEAD, map(make, rows), tmp_path / "out", formats=[profile])
    key = next(name for name in rows[0] if name.endswith("case_id") and name != "ref_case_id")
    by_key = {row[key]: row for row in rows_of(tmp_path / "out" / written)}
    assert len(by_key) == len(rows)
    assert [row for row in rows if by_key[row[key]] != row] == []
    assert verify_folder(tmp_path / "out").is_intact


def test_lengths_and_labels_of_hatecheck_are_those_the_paper_prints(shared_data):
    released = {row["case_id"] for row in rows_of(shared_data / "hatecheck/model_predictions.csv")}
    cases = map(of_hatecheck, rows_of(shared_data / "hatecheck/all_cases.csv"))
    statistics = describe(case for case in cases if case.key in released)
    assert statistics.cases == 3728
    assert f"{statistics.words.mean:.2f} {statistics.words.sd:.2f}" == "8.87 3.33"
    assert f"{statistics.characters.mean:.2f} {statistics.characters.sd:.2f}" == "48.26 16.88"
    assert statistics.by_label == {"hateful": 2563, "non-hateful": 1165}
