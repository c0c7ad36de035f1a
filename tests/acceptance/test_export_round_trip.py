"""The working set of the published suites comes back from its own export."""

import pytest

from curation.exporting.cases import case_columns, case_rows, export_cases
from curation.formats.registry import read_suite
from curation.importing.services import import_values
from curation.models import Suite

pytestmark = pytest.mark.django_db


def rows(key: str) -> list[tuple[str, ...]]:
    suite = Suite.objects.get(key=key)
    return list(case_rows(suite, case_columns(suite)))


@pytest.mark.parametrize(
    ("format_name", "folder", "language", "cases"),
    [("hatecheck", "hatecheck", "en", 3901), ("mhc", "mhc/spanish", "es", 3745), ("mhc", "mhc/german", "de", 3645)],
)
def test_the_cases_of_a_published_suite_come_back(shared_data, tmp_path, format_name, folder, language, cases):
    values = read_suite(format_name, shared_data / folder, language=language)
    import_values("first", values, format_name=format_name)
    assert export_cases(Suite.objects.get(key="first"), tmp_path / "cases.csv") == cases
    again = read_suite("csv", tmp_path / "cases.csv", language=language)
    assert import_values("second", again, format_name="csv").new["cases"] == cases
    assert rows("second") == rows("first")
