"""The command line on the published data: import, generate, export, freeze, verify, measure."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def rows(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_hatecheck_regenerates_in_every_column(shared_data, tmp_path):
    imported = run(
        "import_suite", "hc", "--format", "hatecheck", "--path", shared_data / "hatecheck", "--templates-only"
    )
    assert (imported["templates"], imported["cases"], imported["problems"]) == (866, 0, [])
    assert run("generate_cases", "hc")["generated"] == 3901
    assert run("generate_cases", "hc")["unchanged"] == 3901
    run("export_cases", "hc", "--out", tmp_path / "cases.csv")
    released, ours = rows(shared_data / "hatecheck" / "all_cases.csv"), rows(tmp_path / "cases.csv")
    assert len(ours) == 3901
    for theirs, mine in zip(released, ours, strict=True):
        assert {name: value.strip() for name, value in mine.items()} == {name: theirs[name].strip() for name in mine}


def test_hatecheck_freezes_to_the_released_cases_and_measures_the_published_models(shared_data, tmp_path):
    data = shared_data / "hatecheck"
    run("import_suite", "hc", "--format", "hatecheck", "--path", data)
    frozen = run("freeze", "hc", "--release", "1.0.0", "--min-agree", "4", "--cascade", "closure")
    assert (frozen["included"], frozen["excluded"]) == (3728, 173)
    assert frozen["excluded_by_reason"] == {"disagreement": 22, "template": 132, "reference": 19}
    run("export_release", "hc@1.0.0", "--out", tmp_path / "release")
    released = {row["case_id"] for row in rows(data / "model_predictions.csv")}
    assert {row["case_id"] for row in rows(tmp_path / "release" / "cases.csv")} == released
    assert run("verify_release", "hc@1.0.0")["sha256"] == run("verify_release", tmp_path / "release")["sha256"]
    measured = run("import_predictions", "hc@1.0.0", "--model", "B-D", "--path", data / "model_predictions.csv")
    model = measured["models"]["B-D"]
    assert round(100 * model["by_label"]["hateful"]["accuracy"], 1) == 75.5
    assert round(100 * model["by_functionality"]["counter_quote_nh"]["accuracy"], 1) == 26.6
    with pytest.raises(CommandError, match="exists already"):
        run("freeze", "hc", "--release", "1.0.0")


@pytest.mark.parametrize(("folder", "code", "generated"), [("french", "fr", 3719), ("polish", "pl", 3815)])
def test_a_language_of_mhc_is_generated_whole(shared_data, folder, code, generated):
    run("import_suite", "m", "--format", "mhc", "--language", code, "--path", shared_data / "mhc", "--templates-only")
    assert run("generate_cases", "m")["generated"] == generated


def test_released_texts_get_no_twin_spelt_by_our_rules(shared_data):
    """French was released with 3,718 of its 3,719 cases, 38 of them with another text than the templates give."""
    run("import_suite", "m", "--format", "mhc", "--language", "fr", "--path", shared_data / "mhc")
    report = run("generate_cases", "m")
    assert (report["generated"], report["unchanged"]) == (1, 3718)
    assert sum("was imported with another text" in warning["problem"] for warning in report["warnings"]) == 38


def test_a_bad_file_gives_every_problem_as_json_and_changes_nothing(tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text("functionality,test_case,label_gold\nprofanity_nh,,non-hateful\nprofanity_nh,Fine.,sometimes\n")
    out = StringIO()
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command("import_suite", "bad", "--format", "csv", "--path", str(file), "--json", stdout=out)
    problems = json.loads(out.getvalue())["problems"]
    assert {problem["row"] for problem in problems} >= {2, 3}


@pytest.mark.parametrize("command", [["generate_cases", "nothing"], ["freeze", "nothing", "--release", "1.0.0"]])
def test_an_unknown_suite_is_one_clear_sentence(command):
    with pytest.raises(CommandError, match="There is no suite 'nothing'"):
        run(*command)
