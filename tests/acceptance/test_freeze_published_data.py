"""The published suites frozen here: HateCheck's 3,728 cases, and the flags of Multilingual HateCheck."""

import csv
from pathlib import Path

import pytest
from django.core.management import call_command

from curation.formats.hatecheck import read_hatecheck
from curation.formats.mhc import read_mhc
from curation.importing.services import import_values
from curation.models import Release, Suite
from curation.publishing.canonical import release_sha256
from curation.publishing.verify import verify_folder
from curation.releases.building import build_release
from curation.releases.export import export_release
from curation.releases.services import request_release
from tests.curation.releases.factories import cases_of

pytestmark = pytest.mark.django_db


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def hatecheck(shared_data) -> Suite:
    import_values("hatecheck", read_hatecheck(shared_data / "hatecheck"), format_name="hatecheck")
    return Suite.objects.get(key="hatecheck")


def test_hatecheck_is_frozen_as_it_was_published(hatecheck, shared_data, tmp_path, capsys):
    call_command("freeze", "hatecheck", release="1.0.0", min_agree=4, cascade="closure", json=True)
    release = Release.objects.select_related("suite").get()
    assert (release.facts["included"], release.facts["excluded"]) == (3728, 173)
    assert release.facts["excluded_by_reason"] == {"template": 132, "disagreement": 22, "reference": 19}
    assert release.facts["unlabelled"] == 0
    assert release_sha256(sorted(cases_of(release), key=lambda case: case.text)) == release.sha256

    export_release(release, tmp_path / "out", formats=["csv", "hatecheck"])
    assert verify_folder(tmp_path / "out", expected_sha256=release.sha256).is_intact
    # all_cases.csv holds every case that was written; the texts of those that came out are the published ones.
    written = {row["case_id"]: row["test_case"] for row in rows_of(shared_data / "hatecheck" / "all_cases.csv")}
    frozen = {case.key: case.text for case in cases_of(release)}
    assert len(frozen) == 3728
    assert all(written[key] == text for key, text in frozen.items())
    left_out = rows_of(tmp_path / "out" / "annexes" / "excluded.csv")
    assert set(frozen) | {row["case_id"] for row in left_out} == set(written)


@pytest.mark.parametrize(("language", "folder"), [("de", "german"), ("zh", "mandarin")])
def test_multilingual_hatecheck_keeps_all_cases_with_the_released_flags(shared_data, language, folder):
    import_values("mhc", read_mhc(shared_data / "mhc" / folder, language=language), format_name="mhc")
    suite = Suite.objects.get(key="mhc")
    release = build_release(request_release(suite, "1.0.0", policy="mark", by=None))
    released = {
        row["mhc_case_id"]: (row["disagreement_in_case"], row["disagreement_in_template"])
        for row in rows_of(shared_data / "mhc" / folder / "final_cases.csv")
    }
    ours = {
        case.key: (str(case.disagreement_in_case), str(case.disagreement_in_template)) for case in cases_of(release)
    }
    assert ours == released
